# The page of the reports, as bytes: its style, and, where Node is there, the page with its scripts, which web/build makes of web/.
option(NH_WEB "reports with scripts, where Node is there" ON)
set(NH_PAGE_FOLDER ${CMAKE_CURRENT_BINARY_DIR}/report)
find_program(NH_NODE node)
find_program(NH_NPM npm)

function(nh_bytes input output)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -P ${CMAKE_CURRENT_SOURCE_DIR}/report/bytes.cmake
    DEPENDS ${input} ${CMAKE_CURRENT_SOURCE_DIR}/report/bytes.cmake)
endfunction()

nh_bytes(${PROJECT_SOURCE_DIR}/web/src/style.css ${NH_PAGE_FOLDER}/style.inc)
set(NH_PAGE_FILES ${NH_PAGE_FOLDER}/style.inc)
if(NH_WEB AND NH_NODE AND NH_NPM)
  file(GLOB_RECURSE NH_WEB_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
  add_custom_command(OUTPUT ${NH_PAGE_FOLDER}/page.html
    COMMAND ${PROJECT_SOURCE_DIR}/web/build ${NH_PAGE_FOLDER}
    DEPENDS ${NH_WEB_SOURCES} ${PROJECT_SOURCE_DIR}/web/build ${PROJECT_SOURCE_DIR}/web/package-lock.json
            ${PROJECT_SOURCE_DIR}/web/page.html
    COMMENT "Building the page of the reports" VERBATIM)
  nh_bytes(${NH_PAGE_FOLDER}/page.html ${NH_PAGE_FOLDER}/page.inc)
  list(APPEND NH_PAGE_FILES ${NH_PAGE_FOLDER}/page.inc)
  set_source_files_properties(report/template.c PROPERTIES COMPILE_DEFINITIONS NH_HAVE_PAGE)
endif()
add_custom_target(nonholo_page DEPENDS ${NH_PAGE_FILES})
add_dependencies(nonholo_objects nonholo_page)
set_source_files_properties(report/template.c PROPERTIES OBJECT_DEPENDS "${NH_PAGE_FILES}")
