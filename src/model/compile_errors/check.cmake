# Compiles SOURCE, which must fail and say every text that it names in a line `// says: text`.
execute_process(COMMAND ${CXX} -std=c++20 -fsyntax-only -I${INCLUDE} ${SOURCE}
  RESULT_VARIABLE status ERROR_VARIABLE said OUTPUT_QUIET)
if(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles, which it must not")
endif()
file(STRINGS ${SOURCE} lines REGEX "^// says: ")
foreach(line ${lines})
  string(REPLACE "// says: " "" text "${line}")
  string(FIND "${said}" "${text}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "expected: ${text}\nthe compiler said:\n${said}")
  endif()
endforeach()
