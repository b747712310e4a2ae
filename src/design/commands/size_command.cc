#include <CLI/CLI.hpp>
#include <memory>

#include "design/commands/output.h"
#include "design/commands/tools.h"
#include "design/size/size_report.h"

namespace stator::design {

void add_size_command(CLI::App& design) {
  struct Options {
    std::string file;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = design.add_subcommand("size", "Size of one item, and the capacity units to read and write it");
  command
      ->add_option("item", options->file,
                   "JSON file with one item, plain or as DynamoDB spells it; - for standard input")
      ->required();
  command->add_flag("--json", options->json, "Figures for programs");
  command->callback([options] {
    const auto text = read_file(options->file);
    if (!text) stop(text.error());
    const auto item = parse_json_item(*text);
    if (!item) stop(options->file + ": " + item.error().message);
    write_output("",
                 options->json ? size_json(*item) : size_report(options->file == "-" ? "item" : options->file, *item));
  });
}

}  // namespace stator::design
