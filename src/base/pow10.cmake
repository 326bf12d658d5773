# The table of powers of ten of decimal.c, made while building. Sets NH_POW10_INC: the path of the table,
# a source of the library; its directory, CMAKE_CURRENT_BINARY_DIR, belongs on the library's include path.
add_executable(make_pow10 ${CMAKE_CURRENT_LIST_DIR}/make_pow10.c)
target_link_libraries(make_pow10 PRIVATE gmp)

set(NH_POW10_INC ${CMAKE_CURRENT_BINARY_DIR}/pow10.inc)
add_custom_command(
  OUTPUT ${NH_POW10_INC}
  COMMAND make_pow10 ${NH_POW10_INC}
  DEPENDS make_pow10
  COMMENT "Making the table of powers of ten"
  VERBATIM)
