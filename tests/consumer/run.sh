#!/usr/bin/env bash
# run.sh BUILD_DIR: installs the build in a temporary place and uses it as others would, by CMake and by
# pkg-config, from C and C++, shared and static.
set -euo pipefail
build=$(cd "${1:?usage: run.sh BUILD_DIR}" && pwd)
cd "$(dirname "$0")"
unset MAKEFLAGS DESTDIR CFLAGS CXXFLAGS LDFLAGS
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
prefix=$temp/prefix

quietly() { # COMMAND...: its output only when it fails
    "$@" >"$temp/log" 2>&1 || { echo "failed: $*" && cat "$temp/log" && exit 1; }
}

quietly cmake --install "$build" --prefix "$prefix"
pc=$(find "$prefix" -name nonholo.pc)
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH=${pc%/*}

expect() { # WHAT COMMAND...: the command prints what a skate is
    local expected found what=$1
    shift
    expected="nonholo $(pkg-config --modversion nonholo)
Skate: 3 coordinates, 1 constraints, freedom 2"
    if ! found=$("$@") || [[ $found != "$expected" ]]; then
        printf '%s: expected\n%s\nfound\n%s\n' "$what" "$expected" "$found"
        exit 1
    fi
    echo "$what: as it should be"
}

# The shared library exports what the header declares, and nothing else.
exported() { nm -D --defined-only "$libdir/libnonholo.so" | awk '{ print $3 }' | sort; }
declared() { sed -n 's/^NH_API .*[ *]\(nh_[a-z0-9_]*\)(.*/\1/p' "$prefix/include/nonholo.h" | sort; }
if ! diff <(declared) <(exported) >"$temp/diff"; then
    echo "declared in the header (<) is not what the library exports (>):"
    cat "$temp/diff"
    exit 1
fi
echo "exported functions: as declared"

quietly cmake -S . -B "$temp/build" -DCMAKE_PREFIX_PATH="$prefix"
quietly cmake --build "$temp/build"
for name in shared static cxx; do
    expect "CMake, $name" "$temp/build/consumer_$name"
done

# shellcheck disable=SC2046
{
    quietly cc -Wall -Werror consumer.c $(pkg-config --cflags --libs nonholo) -o "$temp/shared"
    # Debian has FLINT as a shared library only: ours is linked statically, with what it needs as pkg-config says.
    libs=$(pkg-config --static --libs nonholo)
    quietly cc -Wall -Werror consumer.c $(pkg-config --cflags nonholo) ${libs/-lnonholo/-l:libnonholo.a} -o "$temp/static"
    quietly c++ -Wall -Werror consumer.cc $(pkg-config --cflags --libs nonholo) -o "$temp/cxx"
}
expect "pkg-config, shared" env LD_LIBRARY_PATH="$libdir" "$temp/shared"
expect "pkg-config, static" env -u LD_LIBRARY_PATH "$temp/static"
expect "pkg-config, cxx" env LD_LIBRARY_PATH="$libdir" "$temp/cxx"

# The program finds its library from where it was installed.
quietly env -u LD_LIBRARY_PATH "$prefix/bin/nonholo" --version
[[ $("$prefix/bin/nonholo" --version) == *"$(pkg-config --modversion nonholo)"* ]]
echo "the installed program: as it should be"
