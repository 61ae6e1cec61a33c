# SPDX-License-Identifier: GPL-3.0-or-later
# Language level, warnings, sanitizers, and the tools that make a second build fast.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

option(ROOFWALK_WARNINGS_AS_ERRORS "Fail on warnings in our own code" ON)
set(ROOFWALK_SANITIZE "" CACHE STRING "Sanitizers for our own code, as in -fsanitize=")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # By the dependencies that the compiler names: else each file is preprocessed once more for the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Without a time in it, a precompiled header is the same for ccache after every build.
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

# GCC 13 now and then reads garbage from a precompiled header, and a folder that is one file reads its headers once.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ROOFWALK_FOLDER_AT_ONCE)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

find_program(LLD_PROGRAM ld.lld)
if(LLD_PROGRAM)
  add_link_options(-fuse-ld=lld)
endif()

# What a mistake with memory can become is bounded in what is installed. The compiler's part is that of optimised builds:
# the checks of the C library need an optimiser, and others are to be built quickly. The sanitizers have their own.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported()
set(hardening -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "ROOFWALK_CAN${flag}" can)
  check_cxx_compiler_flag(${flag} ${can})
  if(${can})
    list(APPEND hardening ${flag})
  endif()
endforeach()
if(NOT ROOFWALK_SANITIZE)
  add_compile_options(
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>:${hardening}>")
endif()
add_link_options(LINKER:-z,relro LINKER:-z,now)

# What is built for other machines is linked against an older glibc than that of this one, and needs next to nothing else
# of them: see packaging/node.
set(ROOFWALK_GLIBC "" CACHE STRING "The oldest glibc to run on, as in 2.28; empty: the one that is here")
if(ROOFWALK_GLIBC)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env CXX=${CMAKE_CXX_COMPILER}
            ${CMAKE_CURRENT_LIST_DIR}/../glibc/link_folder ${ROOFWALK_GLIBC} ${CMAKE_BINARY_DIR}/glibc
            COMMAND_ERROR_IS_FATAL ANY)
  add_link_options(-L${CMAKE_BINARY_DIR}/glibc -static-libstdc++ -static-libgcc LINKER:--as-needed
                   LINKER:--exclude-libs,ALL)
endif()

# Every target of ours links this; nothing that is found outside does.
add_library(roofwalk_flags INTERFACE)
target_compile_options(
  roofwalk_flags
  INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast
            -Woverloaded-virtual $<$<BOOL:${ROOFWALK_WARNINGS_AS_ERRORS}>:-Werror>)
# A folder compiled as one file has the constants of one file beside the parameters of another.
if(NOT ROOFWALK_FOLDER_AT_ONCE)
  target_compile_options(roofwalk_flags INTERFACE -Wshadow)
endif()
# GCC 12 sees copies in std::string that cannot happen (GCC bugs 105329 and 105651); clang builds the same code in the
# preset asan, with its own view of them.
target_compile_options(
  roofwalk_flags INTERFACE "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>")
if(ROOFWALK_SANITIZE)
  target_compile_options(roofwalk_flags INTERFACE -fsanitize=${ROOFWALK_SANITIZE} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=undefined)
  target_link_options(roofwalk_flags INTERFACE -fsanitize=${ROOFWALK_SANITIZE})
endif()
