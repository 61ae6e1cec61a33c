# SPDX-License-Identifier: GPL-3.0-or-later
# Run by cpack on what it is about to pack: manual pages are compressed there, and each package has a changelog in
# Debian's form.
find_program(GZIP_PROGRAM gzip REQUIRED)

function(compress file)
  execute_process(COMMAND ${GZIP_PROGRAM} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB manuals ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/man*/*.[1-9])
foreach(manual IN LISTS manuals)
  compress(${manual})
endforeach()

file(TIMESTAMP ${CPACK_ROOFWALK_CHANGELOG} date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(GLOB documents LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/doc/*)
foreach(folder IN LISTS documents)
  file(WRITE ${folder}/changelog
       "roofwalk (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * Version ${CPACK_PACKAGE_VERSION}.\n\n"
       " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  compress(${folder}/changelog)
endforeach()
