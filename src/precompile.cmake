# Headers that most files of a folder include are compiled once, which makes a build from nothing shorter. No file depends on it:
# each includes what it uses.
set(common_headers <algorithm> <array> <atomic> <charconv> <chrono> <condition_variable> <coroutine> <cstdint> <cstring> <functional>
  <map> <memory> <mutex> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
  <fmt/format.h> <tl/expected.hpp>)

# precompile(<target> <headers...>): the common ones, and those of the folder by their paths from src/.
function(precompile target)
  if(NOT TARGET ${target})
    return()
  endif()
  set(headers ${common_headers})
  foreach(header ${ARGN})
    if(header MATCHES "^<")
      list(APPEND headers ${header})
    else()
      list(APPEND headers ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    endif()
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
  # GCC 12 forgets here which lines are a library's, and warns of what it sees in them. Builds without hold warnings for errors.
  target_compile_options(${target} PRIVATE -Wno-error)
endfunction()

precompile(stator_api <simdjson.h> api/call.h api/reader.h api/json_writer.h)
precompile(stator_autoscaling autoscaling/registry.h autoscaling/operations.h)
precompile(stator_cloudwatch cloudwatch/data_query.h service/parameters.h)
precompile(stator_design design/model.h)
precompile(stator_design_commands <CLI/CLI.hpp> design/model.h)
precompile(stator_design_tools <CLI/CLI.hpp> <nlohmann/json.hpp> design/model.h)
precompile(stator_embed engine/engine.h)
precompile(stator_engine engine/engine.h engine/write_plan.h)
precompile(stator_expr expr/expression.h expr/ast.h)
precompile(stator_partiql partiql/ast.h expr/bound.h)
precompile(stator_server engine/engine.h)
precompile(stator_simulate simulate/request.h capacity/settings.h)
precompile(stator_store store/store.h)
precompile(stator_trigger <nlohmann/json.hpp> client/client.h)

precompile(api_tests <gtest/gtest.h> <simdjson.h> api/json.h)
precompile(capacity_tests <gtest/gtest.h> capacity/test_support.h)
precompile(design_tests <gtest/gtest.h> design/load.h)
precompile(design_tools_tests <gtest/gtest.h> <nlohmann/json.hpp> design/load.h)
precompile(embed_tests <gtest/gtest.h> embed/test_support.h)
precompile(engine_tests <gtest/gtest.h> engine/test_support.h)
precompile(item_tests <gtest/gtest.h> item/value.h)
precompile(model_tests <gtest/gtest.h> <stator/model.h>)
precompile(store_tests <gtest/gtest.h> store/store.h)
precompile(trigger_tests <gtest/gtest.h> <nlohmann/json.hpp>)
