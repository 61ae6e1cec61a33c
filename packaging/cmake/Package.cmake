# SPDX-License-Identifier: GPL-3.0-or-later
# `cpack -G DEB` in a release build writes the packages roofwalk-cli, roofwalk with the window, and
# roofwalk-ceilings where nvcc was there.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME roofwalk)
set(CPACK_PACKAGE_VENDOR "The Roofwalk developers")
set(CPACK_PACKAGE_CONTACT "The Roofwalk developers <developers@roofwalk.invalid>")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/DebianFiles.cmake)
set(CPACK_ROOFWALK_CHANGELOG ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL commands)
if(TARGET roofwalk)
  list(APPEND CPACK_COMPONENTS_ALL window)
endif()
if(TARGET roofwalk-ceilings)
  list(APPEND CPACK_COMPONENTS_ALL ceilings)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# The first line of each is the description of the project.
set(CPACK_DEBIAN_COMMANDS_PACKAGE_NAME roofwalk-cli)
set(CPACK_DEBIAN_COMMANDS_DESCRIPTION
    "The commands: prints tables and draws charts from Nsight Compute reports, JSON
profiles and CSV, on machines without a display and without NVIDIA software.")
# Loaded where a chart becomes a PDF or PNG.
set(CPACK_DEBIAN_COMMANDS_PACKAGE_RECOMMENDS "librsvg2-2 (>= 2.52), fonts-liberation")
set(CPACK_DEBIAN_COMMANDS_PACKAGE_SUGGESTS roofwalk-ceilings)
set(CPACK_DEBIAN_CEILINGS_PACKAGE_NAME roofwalk-ceilings)
set(CPACK_DEBIAN_CEILINGS_PACKAGE_ENHANCES roofwalk-cli)
set(CPACK_DEBIAN_CEILINGS_DESCRIPTION
    "The benchmarks that measure the roofs of an NVIDIA GPU: memory, arithmetic and
tensor cores; started by roofwalk-cli ceilings. Needs the NVIDIA driver and
nothing else of CUDA.")
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME roofwalk)
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "roofwalk-cli, fonts-liberation, qt6-wayland")
set(CPACK_DEBIAN_WINDOW_DESCRIPTION
    "The window: opens Nsight Compute reports and draws every kernel as a dot under
a hierarchical roofline: HBM, L2 and shared memory.")
include(CPack)
