# SPDX-License-Identifier: GPL-3.0-or-later
# roofwalk_test(NAME tst_subject LABEL unit LIBRARIES roofwalk_core [SOURCES more.cpp])
# One Qt Test program for one subject; its source is NAME.cpp beside the calling CMakeLists.txt.
function(roofwalk_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;LABEL" "LIBRARIES;SOURCES")
  if(NOT Qt6_FOUND)
    return()
  endif()
  add_executable(${arg_NAME} ${arg_NAME}.cpp ${arg_SOURCES})
  set_target_properties(${arg_NAME} PROPERTIES AUTOMOC ON)
  target_link_libraries(${arg_NAME} PRIVATE roofwalk_flags roofwalk_test_support Qt6::Test ${arg_LIBRARIES})
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
  set_tests_properties(
    ${arg_NAME} PROPERTIES LABELS ${arg_LABEL} ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8")
endfunction()
