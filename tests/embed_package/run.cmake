# Installs the library of BUILD into a fresh prefix under WORK, builds the project of this folder against it, runs it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first --component library)
# The prefix may be moved: nothing in the package names where it was.
file(RENAME ${WORK}/first ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/outside ${WORK}/data)
set(expected "{\"PK\":{\"S\":\"CUST#1\"},\"SK\":{\"S\":\"ORDER#7\"},\"total\":{\"N\":\"149\"}}\n")
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "printed ${output}instead of ${expected}")
endif()

# The public headers include nothing but each other and the standard library.
file(GLOB_RECURSE headers ${WORK}/prefix/include/stator/*.h)
foreach(header ${headers})
  file(STRINGS ${header} includes REGEX "^#include")
  foreach(include ${includes})
    if(NOT include MATCHES "^#include (\"stator/[a-z_/]+\\.h\"|<[a-z_]+>)")
      message(FATAL_ERROR "${header} has ${include}")
    endif()
  endforeach()
endforeach()
