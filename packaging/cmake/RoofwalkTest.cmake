# SPDX-License-Identifier: GPL-3.0-or-later
# Test programs, made quick to build: the headers that all of them include are compiled once for each of the two
# kinds (with and without widgets), moc runs for their own source only, and what merely tests is not optimised.

# The same for every test program, or the precompiled headers would not fit: what Qt says of the folder is left out.
set(roofwalk_test_options -O0 -U_FORTIFY_SOURCE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)

function(_roofwalk_test_headers KIND HEADERS)
  set(headers roofwalk_${KIND}_test_headers)
  file(GENERATE OUTPUT ${headers}.cpp CONTENT "int main() {}\n")
  add_executable(${headers} ${CMAKE_CURRENT_BINARY_DIR}/${headers}.cpp)
  target_compile_options(${headers} PRIVATE ${roofwalk_test_options})
  target_link_libraries(${headers} PRIVATE roofwalk_flags Qt6::Test ${ARGN})
  target_precompile_headers(
    ${headers} PRIVATE ${HEADERS} <algorithm> <array> <cmath> <map> <memory> <optional> <set> <string> <vector>
    <fmt/format.h> <tl/expected.hpp>)
endfunction()

if(Qt6_FOUND)
  _roofwalk_test_headers(core "<QTest>" roofwalk_core)
  if(ROOFWALK_BUILD_GUI)
    add_custom_target(window_tests)
    _roofwalk_test_headers(ui "<QtWidgets>;<QTest>" roofwalk_ui)
  endif()
endif()

# roofwalk_test(NAME tst_subject LABEL unit LIBRARIES roofwalk_core [SOURCES more.cpp] [COST seconds])
# One Qt Test program for one subject; its source is NAME.cpp beside the calling CMakeLists.txt. COST is about what a
# long test takes under the sanitizers: ctest starts the longest first, so that none runs alone at the end. Tests of the
# window are what the target window_tests builds.
function(roofwalk_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;LABEL;COST" "LIBRARIES;SOURCES")
  if(NOT Qt6_FOUND)
    return()
  endif()
  set(moc ${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.moc)
  add_executable(${arg_NAME} ${arg_NAME}.cpp ${moc} ${arg_SOURCES})
  qt_generate_moc(${arg_NAME}.cpp ${moc})
  target_include_directories(${arg_NAME} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
  target_compile_options(${arg_NAME} PRIVATE ${roofwalk_test_options})
  target_link_libraries(${arg_NAME} PRIVATE roofwalk_flags roofwalk_test_support Qt6::Test ${arg_LIBRARIES})
  if(roofwalk_ui IN_LIST arg_LIBRARIES)
    target_precompile_headers(${arg_NAME} REUSE_FROM roofwalk_ui_test_headers)
    add_dependencies(window_tests ${arg_NAME})
  else()
    target_precompile_headers(${arg_NAME} REUSE_FROM roofwalk_core_test_headers)
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
  set_tests_properties(
    ${arg_NAME} PROPERTIES LABELS ${arg_LABEL} ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8")
  if(arg_COST)
    set_tests_properties(${arg_NAME} PROPERTIES COST ${arg_COST})
  endif()
endfunction()
