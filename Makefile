# The front door. CMake builds, the scripts in scripts/ do the rest; every target first sees to it that
# what it needs is installed.
PREFIX = /usr/local
SECONDS = 60
MINUTES = 10
SEED =

# The last line of `make test` is the closing line of scripts/test, also when tests fail. Elsewhere make
# then adds a message of its own; in question mode it hands on the status 1 of a line marked + in silence.
ifeq ($(MAKECMDGOALS),test)
MAKEFLAGS += -q
endif

.PHONY: build debug hardened threads coverage lint demo gallery test fuzz soak bench install clean help

build:
	@scripts/setup build
	@scripts/build release

debug hardened:
	@scripts/setup build test
	@scripts/build $@ -DNH_TESTS=ON

threads:
	@scripts/setup build
	@scripts/build threads -DNH_TESTS=ON
	@cd build/threads && ctest --output-on-failure --no-tests=error

coverage:
	@scripts/setup build test
	@scripts/coverage

lint:
	@scripts/setup build lint
	@scripts/build release
	@scripts/lint

demo:
	@scripts/setup build
	@scripts/demo

gallery:
	@scripts/setup build web
	@scripts/gallery

test:
	@+scripts/test

fuzz:
	@scripts/setup build fuzz
	@scripts/fuzz $(SECONDS)

soak:
	@scripts/setup build test
	@scripts/soak $(MINUTES) $(SEED)

bench:
	@scripts/setup build bench
	@scripts/build release -DNH_BENCH=ON
	@bench/run

install: build
	@cmake --install build/release --prefix $(PREFIX)

clean:
	@rm -rf build docs/gallery docs/gallery.html

help:
	@echo 'make               build the library and the program: build/release/bin/nonholo'
	@echo 'make demo          see what it does'
	@echo 'make gallery       pictures and reports of all systems of the gallery: docs/gallery.html'
	@echo 'make test          build and test the variants release, debug and hardened'
	@echo 'make debug         build with address and undefined-behaviour sanitizers: build/debug'
	@echo 'make hardened      the same with tiny tables, so that all of them grow: build/hardened'
	@echo 'make threads       use the library from eight threads, with the thread sanitizer: build/threads'
	@echo 'make coverage      run the tests and tell which lines they reach'
	@echo 'make lint          static analysis by clang, clang-tidy, cppcheck and gcc'
	@echo 'make fuzz          feed random input to the targets of tests/fuzz, for SECONDS=60 each'
	@echo 'make soak          compute random models in two ways, for MINUTES=10 on all cores; SEED=1 for the same ones again'
	@echo 'make bench         compare with other software; see bench/README.md'
	@echo 'make install       install below PREFIX=/usr/local (DESTDIR is honoured)'
	@echo 'make clean         remove build/ and the gallery'
