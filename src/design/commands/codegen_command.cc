#include <CLI/CLI.hpp>
#include <memory>

#include "design/codegen/codegen.h"
#include "design/commands/output.h"
#include "design/commands/tools.h"

namespace stator::design {

void add_codegen_command(CLI::App& design) {
  struct Options {
    std::string model;
    std::string language;
    std::string output;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = design.add_subcommand("codegen", "Entities, keys and reads of the model as TypeScript or Python");
  command->add_option("model", options->model, "Model file")->required();
  command->add_option("--language", options->language, "Language of the code")
      ->check(CLI::IsMember({"typescript", "python"}))
      ->required();
  command->add_option("-o,--output", options->output, "File to write; otherwise the standard output");
  command->callback([options] {
    const Model model = model_or_stop(options->model);
    write_output(options->output, options->language == "python" ? python_code(model) : typescript_code(model));
  });
}

}  // namespace stator::design
