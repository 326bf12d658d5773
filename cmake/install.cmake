# What `cmake --install` installs. Nothing of it knows the prefix, so that it may be moved.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/nonholo)

# The program, which finds the library from where it stands; the libraries; the header.
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(nonholo_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
set_target_properties(nonholo_shared PROPERTIES EXPORT_NAME nonholo)
install(TARGETS nonholo_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS nonholo_shared nonholo_static EXPORT nonholoTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/nonholo.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The CMake package: nonholo::nonholo and nonholo::nonholo_static.
configure_package_config_file(cmake/nonholoConfig.cmake.in ${PROJECT_BINARY_DIR}/nonholoConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nonholoConfigVersion.cmake
  COMPATIBILITY SameMinorVersion) # SameMajorVersion from 1.0
install(EXPORT nonholoTargets NAMESPACE nonholo:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/nonholoConfig.cmake ${PROJECT_BINARY_DIR}/nonholoConfigVersion.cmake
  DESTINATION ${package_dir})

# pkg-config.
get_directory_property(NH_LIBRARIES DIRECTORY src DEFINITION NH_LIBRARIES)
list(TRANSFORM NH_LIBRARIES PREPEND -l)
list(JOIN NH_LIBRARIES " " NH_PC_PRIVATE)
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" NH_PC_PREFIX "\${pcfiledir}/${pc_to_prefix}")
file(RELATIVE_PATH NH_PC_LIBDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH NH_PC_INCLUDEDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/nonholo.pc.in ${PROJECT_BINARY_DIR}/nonholo.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nonholo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Things to read.
install(FILES LICENSE README.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(FILES docs/nonholo.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nonholo/examples OPTIONAL)
