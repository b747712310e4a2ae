#pragma once

namespace CLI {
class App;
}

namespace stator::design {

// Adds `stator design` with its commands. A command does its work while the line is parsed (the callback of its
// CLI::App) and ends with another exit code than 0 by throwing CLI::RuntimeError.
void add_design_command(CLI::App& app);

// check_command.cc, init_command.cc, schema_command.cc; tools.h has those that work with a finished model.
void add_check_command(CLI::App& design);
void add_init_command(CLI::App& design);
void add_schema_command(CLI::App& design);

}  // namespace stator::design
