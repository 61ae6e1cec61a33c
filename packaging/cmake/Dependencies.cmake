# SPDX-License-Identifier: GPL-3.0-or-later
# What is needed, and which parts fall away, with a printed reason, when something is missing.
option(ROOFWALK_BUILD_GUI "Build the window (needs Qt 6 and QCustomPlot)" ON)

find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(tl-expected REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(zstd REQUIRED)
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp REQUIRED)
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)

add_library(protozero INTERFACE)
target_include_directories(protozero SYSTEM INTERFACE ${PROTOZERO_INCLUDE_DIR})
add_library(cli11 INTERFACE)
target_include_directories(cli11 SYSTEM INTERFACE ${CLI11_INCLUDE_DIR})

find_package(Qt6 6.4 QUIET COMPONENTS Core Gui Widgets PrintSupport Concurrent Test)
if(Qt6_FOUND)
  find_package(QCustomPlotQt6 QUIET)
endif()

if(ROOFWALK_BUILD_GUI AND NOT Qt6_FOUND)
  message(STATUS "Window not built: Qt 6.4 or later is missing (Debian: qt6-base-dev)")
  set(ROOFWALK_BUILD_GUI OFF)
elseif(ROOFWALK_BUILD_GUI AND NOT QCustomPlotQt6_FOUND)
  message(STATUS "Window not built: QCustomPlot for Qt 6 is missing (Debian: libqcustomplot-dev)")
  set(ROOFWALK_BUILD_GUI OFF)
endif()
if(BUILD_TESTING AND NOT Qt6_FOUND)
  message(STATUS "Unit tests not built: they are written with Qt Test; the command tests still run")
endif()
