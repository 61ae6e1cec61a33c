# SPDX-License-Identifier: GPL-3.0-or-later
# Who builds everything and edits nothing compiles the files of a folder as one: the headers that all of them include
# are read once, and the build takes a fraction of the time. Local names must therefore differ within a folder.
option(ROOFWALK_FOLDER_AT_ONCE "Compile the files of a folder together" OFF)

# roofwalk_folder_at_once(TARGET): called when the target knows all of its sources.
function(roofwalk_folder_at_once TARGET)
  if(NOT ROOFWALK_FOLDER_AT_ONCE)
    return()
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${TARGET} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "^([^/]+)\\.cpp$")
      set_source_files_properties("${source}" TARGET_DIRECTORY ${TARGET} PROPERTIES UNITY_GROUP ${TARGET})
    elseif(source MATCHES "([^/]+)/[^/]+\\.cpp$")
      set_source_files_properties("${source}" TARGET_DIRECTORY ${TARGET} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
    endif()
  endforeach()
endfunction()
