#include "design/commands/commands.h"

#include <CLI/CLI.hpp>

#include "design/commands/tools.h"

namespace stator::design {

void add_design_command(CLI::App& app) {
  CLI::App* design = app.add_subcommand("design", "Design a single table from its access patterns, and prove it");
  design->require_subcommand(1);
  design->footer("Start with: stator design init model.yaml\nThen:       stator design check model.yaml");
  add_init_command(*design);
  add_schema_command(*design);
  add_check_command(*design);
  add_heat_command(*design);
  add_cost_command(*design);
  add_size_command(*design);
  add_deploy_command(*design);
  add_policy_command(*design);
  add_prove_command(*design);
  add_diff_command(*design);
  add_migrate_command(*design);
  add_doc_command(*design);
  add_codegen_command(*design);
  add_import_command(*design);
  add_export_command(*design);
}

}  // namespace stator::design
