# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed, in components: "commands" runs on a machine without Qt, "window" needs a desktop, "ceilings" is the
# program that measures a GPU, where it was built, "node" the libraries that roofwalk-cli needs, all but those of glibc,
# so that it can be copied to a machine that lacks them.
set(ROOFWALK_APP_ID org.roofwalk.Roofwalk)
set(linux ${PROJECT_SOURCE_DIR}/packaging/linux)

# As built too: else the linker leaves room for the path of the installed program in the form of empty parts, and an
# empty part is the current folder, where anybody may have put a library.
set_target_properties(roofwalk-cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/roofwalk"
                                              BUILD_WITH_INSTALL_RPATH ON)
# RPATH, not RUNPATH: it holds for what those libraries need of each other too (RE2 needs Abseil from Debian 13 on).
target_link_options(roofwalk-cli PRIVATE -Wl,--disable-new-dtags)
install(TARGETS roofwalk-cli RUNTIME_DEPENDENCY_SET roofwalk_cli_libraries RUNTIME COMPONENT commands)
# Where it is to run on an older glibc it has its own libstdc++ in itself, and simdjson finds an older one on every node.
if(ROOFWALK_GLIBC)
  set(libraries_of_the_node "^lib(stdc\\+\\+|gcc_s)\\.so")
endif()
install(
  RUNTIME_DEPENDENCY_SET roofwalk_cli_libraries
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread)\\.so" ${libraries_of_the_node}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/roofwalk COMPONENT node EXCLUDE_FROM_ALL)
if(TARGET roofwalk_agent)
  install(TARGETS roofwalk_agent LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/roofwalk COMPONENT commands)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/pytorch DESTINATION ${CMAKE_INSTALL_LIBDIR}/roofwalk
        COMPONENT commands)
if(TARGET roofwalk-ceilings)
  install(TARGETS roofwalk-ceilings RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/roofwalk COMPONENT ceilings)
  install(FILES ${linux}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/roofwalk-ceilings COMPONENT ceilings)
endif()
install(FILES ${linux}/roofwalk-cli.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT commands)
install(FILES ${linux}/roofwalk-cli.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME roofwalk-cli COMPONENT commands)
install(FILES ${linux}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/roofwalk-cli COMPONENT commands)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/roofwalk
        COMPONENT commands)

if(TARGET roofwalk)
  install(TARGETS roofwalk RUNTIME COMPONENT window)
  install(FILES ${linux}/roofwalk.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT window)
  install(FILES ${linux}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/roofwalk COMPONENT window)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/help/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/roofwalk/help
          COMPONENT window)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/samples ${PROJECT_SOURCE_DIR}/resources/lessons
          DESTINATION ${CMAKE_INSTALL_DATADIR}/roofwalk
          COMPONENT window)
  install(FILES ${linux}/${ROOFWALK_APP_ID}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications
          COMPONENT window)
  install(FILES ${linux}/${ROOFWALK_APP_ID}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo
          COMPONENT window)
  install(FILES ${linux}/${ROOFWALK_APP_ID}.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
          RENAME ${ROOFWALK_APP_ID}.xml COMPONENT window)
  set(icons ${PROJECT_SOURCE_DIR}/resources/icons)
  set(icon_folder ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
  install(FILES ${icons}/${ROOFWALK_APP_ID}.svg DESTINATION ${icon_folder}/scalable/apps COMPONENT window)
  foreach(size ${ROOFWALK_ICON_SIZES})
    install(FILES ${icons}/${size}.png DESTINATION ${icon_folder}/${size}x${size}/apps
            RENAME ${ROOFWALK_APP_ID}.png COMPONENT window)
  endforeach()
endif()
