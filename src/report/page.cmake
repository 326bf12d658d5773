# The page of the reports, as bytes: its style, and the page with its scripts, which web/build makes of web/ where Node is there. Where
# it is not, or cannot get its packages, the page is empty, and reports are without scripts; so they are in the variants for tests.
option(NH_WEB "reports with scripts, where Node is there" ON)
set(NH_PAGE_FOLDER ${CMAKE_CURRENT_BINARY_DIR}/report)
find_program(NH_NODE node)
find_program(NH_NPM npm)

function(nh_bytes input output)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -P ${CMAKE_CURRENT_SOURCE_DIR}/report/bytes.cmake
    DEPENDS ${input} ${CMAKE_CURRENT_SOURCE_DIR}/report/bytes.cmake VERBATIM)
endfunction()

if(NH_WEB AND NH_NODE AND NH_NPM AND NH_VARIANT STREQUAL "release" AND NOT NH_FUZZ)
  file(GLOB_RECURSE NH_WEB_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
  add_custom_command(OUTPUT ${NH_PAGE_FOLDER}/page.html
    COMMAND ${PROJECT_SOURCE_DIR}/web/build --or-nothing ${NH_PAGE_FOLDER}
    DEPENDS ${NH_WEB_SOURCES} ${PROJECT_SOURCE_DIR}/web/build ${PROJECT_SOURCE_DIR}/web/package-lock.json
            ${PROJECT_SOURCE_DIR}/web/page.html
    COMMENT "Building the page of the reports" VERBATIM)
else()
  file(WRITE ${NH_PAGE_FOLDER}/page.html "")
endif()
nh_bytes(${PROJECT_SOURCE_DIR}/web/src/style.css ${NH_PAGE_FOLDER}/style.inc)
nh_bytes(${NH_PAGE_FOLDER}/page.html ${NH_PAGE_FOLDER}/page.inc)
set_source_files_properties(report/template.c PROPERTIES
  OBJECT_DEPENDS "${NH_PAGE_FOLDER}/style.inc;${NH_PAGE_FOLDER}/page.inc")
target_sources(nonholo_objects PRIVATE ${NH_PAGE_FOLDER}/style.inc ${NH_PAGE_FOLDER}/page.inc)
