# The compiler's headers, where they are; the library itself is looked for when the program runs.
option(NH_LLVM "machine code by LLVM, where it is there" ON)
set(NH_HAVE_LLVM OFF CACHE INTERNAL "the compiler's headers are there")
find_program(NH_LLVM_CONFIG NAMES llvm-config-16 llvm-config)
if(NH_LLVM AND NH_LLVM_CONFIG)
  execute_process(COMMAND ${NH_LLVM_CONFIG} --includedir OUTPUT_VARIABLE NH_LLVM_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${NH_LLVM_CONFIG} --version OUTPUT_VARIABLE NH_LLVM_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCH "^[0-9]+" NH_LLVM_MAJOR "${NH_LLVM_VERSION}")
  if(EXISTS "${NH_LLVM_INCLUDE}/llvm-c/ExecutionEngine.h" AND NH_LLVM_MAJOR GREATER_EQUAL 15)
    set(NH_HAVE_LLVM ON CACHE INTERNAL "the compiler's headers are there")
    set_source_files_properties(tape/llvm.c tape/native.c PROPERTIES
      COMPILE_DEFINITIONS "NH_HAVE_LLVM;NH_LLVM_MAJOR=\"${NH_LLVM_MAJOR}\""
      COMPILE_OPTIONS "-isystem;${NH_LLVM_INCLUDE}")
  endif()
endif()
