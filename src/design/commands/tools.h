#pragma once

namespace CLI {
class App;
}

// The commands that work with a finished model. Each adds itself to `stator design`.
namespace stator::design {

void add_size_command(CLI::App& design);
void add_cost_command(CLI::App& design);
void add_heat_command(CLI::App& design);
void add_diff_command(CLI::App& design);
void add_migrate_command(CLI::App& design);
void add_deploy_command(CLI::App& design);
void add_policy_command(CLI::App& design);
void add_prove_command(CLI::App& design);
void add_doc_command(CLI::App& design);
void add_codegen_command(CLI::App& design);
void add_import_command(CLI::App& design);
void add_export_command(CLI::App& design);  // import_command.cc

}  // namespace stator::design
