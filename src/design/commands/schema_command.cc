#include <CLI/CLI.hpp>

#include "design/commands/commands.h"
#include "design/commands/output.h"
#include "design/embedded.h"

namespace stator::design {

void add_schema_command(CLI::App& design) {
  CLI::App* command = design.add_subcommand("schema", "Print the JSON Schema of model files, for editors and CI");
  command->callback([] { write_output("", std::string(kModelSchema)); });
}

}  // namespace stator::design
