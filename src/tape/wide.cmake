# The inner loops once more for processors with AVX2 and FMA, chosen when the program runs; sets NH_WIDE_OBJECTS.
set(NH_FOR_PROCESSORS tape/sweep.c tape/rows.c tape/lanes.c tape/crowd.c integrate/lanes.c integrate/crowd.c)
set_source_files_properties(tape/lanes.c tape/crowd.c integrate/lanes.c integrate/crowd.c PROPERTIES COMPILE_OPTIONS -Wno-psabi) # vectors stay within the files
check_library_exists(mvec _ZGVbN2v_sin "" NH_HAVE_MVEC) # glibc's vector functions
if(NH_HAVE_MVEC)
  set_source_files_properties(tape/lanes.c tape/crowd.c PROPERTIES COMPILE_DEFINITIONS NH_HAVE_MVEC)
  list(PREPEND NH_LIBRARIES mvec)
endif()

include(CheckCCompilerFlag)
check_c_compiler_flag(-march=x86-64-v3 NH_HAVE_X86_64_V3)
set(NH_WIDE_OBJECTS)
if(NH_HAVE_X86_64_V3)
  add_library(nonholo_wide OBJECT ${NH_FOR_PROCESSORS})
  # fused operations only where they are written; and branches, which are foreseen better than jumps through tables
  target_compile_options(nonholo_wide PRIVATE -march=x86-64-v3 -ffp-contract=off -fno-jump-tables)
  target_compile_definitions(nonholo_wide PRIVATE NH_FOR_WIDE)
  target_include_directories(nonholo_wide PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(nonholo_objects PRIVATE NH_WIDE_CODE)
  set(NH_WIDE_OBJECTS $<TARGET_OBJECTS:nonholo_wide>)
endif()
