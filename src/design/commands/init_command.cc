#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "design/commands/commands.h"
#include "design/commands/output.h"
#include "design/embedded.h"

namespace stator::design {

void add_init_command(CLI::App& design) {
  struct Options {
    std::string file;
    bool force = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = design.add_subcommand("init", "Write a commented model to start from");
  command->add_option("file", options->file, "File to write; otherwise the standard output");
  command->add_flag("--force", options->force, "Replace a file that is there");
  command->callback([options] {
    const bool exists = !options->file.empty() && options->file != "-" && access(options->file.c_str(), F_OK) == 0;
    if (exists && !options->force) stop(options->file + " is there already; --force replaces it");
    write_output(options->file, std::string(kStarterModel));
  });
}

}  // namespace stator::design
