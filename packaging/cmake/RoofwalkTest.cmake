# SPDX-License-Identifier: GPL-3.0-or-later
# Test programs, made quick to build: the headers that all of them include are compiled once for each of the two
# kinds (with and without widgets), moc runs for their own source only, and what merely tests is not optimised.

# The same for every test program, or the precompiled headers would not fit: what Qt says of the folder is left out.
# In a folder compiled as one, GCC takes what is local to a test's file for local to a header.
set(roofwalk_test_options -O0 -U_FORTIFY_SOURCE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR
                          $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)

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

add_custom_target(agent_tests)
if(Qt6_FOUND)
  _roofwalk_test_headers(core "<QTest>" roofwalk_core)
  if(ROOFWALK_BUILD_GUI)
    _roofwalk_test_headers(ui "<QtWidgets>;<QTest>" roofwalk_ui)
  endif()
endif()

# roofwalk_test(NAME tst_subject LABEL unit LIBRARIES roofwalk_core [SOURCES more.cpp] [COST seconds] [OWN_PROGRAM])
# The Qt Test class of one subject; its source is NAME.cpp beside the calling CMakeLists.txt. All subjects of a folder are
# one program (tests/core/base: core_base_tests), which ctest runs once for each subject; OWN_PROGRAM keeps what
# replaces a part of the system (a library, the allocator) from the others. COST is about what a long test takes under
# the sanitizers: ctest starts the longest first, so that none runs alone at the end. The target
# agent_tests builds those that load CUPTI.
function(roofwalk_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "OWN_PROGRAM" "NAME;LABEL;COST" "LIBRARIES;SOURCES")
  if(NOT Qt6_FOUND)
    return()
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" program ${folder}_tests)
  if(arg_OWN_PROGRAM)
    set(program ${arg_NAME})
  endif()
  if(NOT TARGET ${program})
    _roofwalk_test_program(${program} ${folder})
  endif()
  set(moc ${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.moc)
  qt_generate_moc(${arg_NAME}.cpp ${moc})
  target_sources(${program} PRIVATE ${arg_NAME}.cpp ${moc} ${arg_SOURCES})
  set_source_files_properties(${arg_NAME}.cpp PROPERTIES UNITY_GROUP tests)
  target_link_libraries(${program} PRIVATE ${arg_LIBRARIES})
  add_test(NAME ${arg_NAME} COMMAND ${program} ${arg_NAME})
  # A picture that is too large for the memory is refused with a message, as without the address sanitizer. The leak
  # check of clang 14 dies where a thread's memory begins 16 bytes into a page: it takes what stands before for a
  # header of glibc 2.19. Logs of recordings are not among those of the person who builds.
  set(environment QT_QPA_PLATFORM=offscreen LC_ALL=C.UTF-8
                  ASAN_OPTIONS=allocator_may_return_null=1:intercept_tls_get_addr=0
                  XDG_STATE_HOME=${CMAKE_CURRENT_BINARY_DIR}/state)
  set_tests_properties(
    ${arg_NAME}
    PROPERTIES LABELS ${arg_LABEL}
               ENVIRONMENT "${environment}")
  if(arg_COST)
    set_tests_properties(${arg_NAME} PROPERTIES COST ${arg_COST})
  endif()
endfunction()

function(_roofwalk_test_program PROGRAM FOLDER)
  add_executable(${PROGRAM})
  target_include_directories(${PROGRAM} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
  target_compile_options(${PROGRAM} PRIVATE ${roofwalk_test_options})
  target_link_libraries(${PROGRAM} PRIVATE roofwalk_flags roofwalk_folder_tests roofwalk_test_support Qt6::Test)
  if(ROOFWALK_FOLDER_AT_ONCE)
    set_target_properties(${PROGRAM} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
  if(FOLDER MATCHES "^ui/")
    target_precompile_headers(${PROGRAM} REUSE_FROM roofwalk_ui_test_headers)
  else()
    target_precompile_headers(${PROGRAM} REUSE_FROM roofwalk_core_test_headers)
  endif()
  # What cannot run under sanitizers: CUPTI, the real one or the false one.
  if(FOLDER MATCHES "^profiler/(agent|plan)")
    add_dependencies(agent_tests ${PROGRAM})
  endif()
endfunction()

# roofwalk_under_thread_sanitizer(TARGET LIBRARIES...): a program or library of sources in which threads meet, built once
# more by itself. The target thread_tests builds them all.
add_custom_target(thread_tests)
function(roofwalk_under_thread_sanitizer TARGET)
  target_compile_options(${TARGET} PRIVATE -fsanitize=thread -O1)
  target_link_options(${TARGET} PRIVATE -fsanitize=thread)
  target_include_directories(${TARGET} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${TARGET} PRIVATE roofwalk_flags ${ARGN} ${CMAKE_DL_LIBS})
  add_dependencies(thread_tests ${TARGET})
endfunction()
