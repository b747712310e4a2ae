# What works with a finished model: figures, texts, generated data, proofs. Included by CMakeLists.txt of this folder.
file(READ ${CMAKE_CURRENT_SOURCE_DIR}/../../share/prices.json STATOR_PRICES)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/../../share/prices.json)
configure_file(cost/prices_data.cc.in prices_data.cc @ONLY)

add_library(stator_design_tools STATIC
  ${CMAKE_CURRENT_BINARY_DIR}/prices_data.cc
  codegen/key_code.cc
  codegen/names.cc
  codegen/python.cc
  codegen/python_entity.cc
  codegen/python_pattern.cc
  codegen/typescript.cc
  codegen/typescript_entity.cc
  codegen/typescript_pattern.cc
  cost/cost.cc
  cost/cost_text.cc
  cost/pattern_units.cc
  cost/prices.cc
  deploy/infrastructure_text.cc
  deploy/policy.cc
  deploy/table_definition.cc
  doc/collections.cc
  doc/document_html.cc
  doc/document_markdown.cc
  doc/document_text.cc
  generate/build_item.cc
  generate/children.cc
  generate/field_values.cc
  generate/generator.cc
  generate/item_text.cc
  generate/plan_entities.cc
  generate/values.cc
  heat/heat.cc
  heat/heat_svg.cc
  heat/heat_text.cc
  heat/skew.cc
  migrate/backfill.cc
  migrate/diff.cc
  migrate/diff_entities.cc
  migrate/diff_patterns.cc
  migrate/diff_tables.cc
  migrate/diff_text.cc
  migrate/diff_work.cc
  migrate/item_reader.cc
  migrate/migrate.cc
  migrate/migration.cc
  migrate/prepare.cc
  migrate/reconcile.cc
  migrate/session.cc
  migrate/state.cc
  migrate/sync.cc
  migrate/table_scan.cc
  migrate/throttle.cc
  migrate/transform.cc
  migrate/transform_paths.cc
  migrate/validate.cc
  migrate/validate_text.cc
  prove/change.cc
  prove/filter_check.cc
  prove/group_reads.cc
  prove/loader.cc
  prove/lookup.cc
  prove/outcome.cc
  prove/progress.cc
  prove/proof_text.cc
  prove/prove.cc
  prove/query_comparison.cc
  prove/read_request.cc
  prove/read_runs.cc
  prove/write_runs.cc
  size/json_item.cc
  size/size_report.cc
  workbench/alias.cc
  workbench/infer.cc
  workbench/infer_entity.cc
  workbench/key_parts.cc
  workbench/live_table.cc
  workbench/model_text.cc
  workbench/workbench.cc)
target_link_libraries(stator_design_tools
  PUBLIC stator_design stator_item nlohmann_json::nlohmann_json fmt::fmt stator_client
  PRIVATE Threads::Threads)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(stator_design_tools PRIVATE -Wno-restrict) # GCC 12 is wrong about "a" + std::string
endif()

stator_tests(design_tools
  cost/cost_test.cc
  deploy/policy_test.cc
  generate/generator_test.cc
  heat/heat_test.cc
  migrate/item_reader_test.cc
  migrate/throttle_test.cc
  migrate/transform_test.cc
  prove/prove_test.cc
  report/text_table_test.cc
  size/json_item_test.cc
  workbench/infer_test.cc)
