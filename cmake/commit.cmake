# Writes OUTPUT, a header with the commit of SOURCE; "unknown" outside of a checkout. Run by the build when HEAD moves.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_QUIET)
if(NOT status EQUAL 0)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define STATOR_COMMIT \"@commit@\"\n" @ONLY)
