#include <CLI/CLI.hpp>
#include <memory>

#include "design/commands/output.h"
#include "design/commands/tools.h"
#include "design/migrate/diff.h"

namespace stator::design {

void add_diff_command(CLI::App& design) {
  struct Options {
    std::vector<std::string> files;
    std::string format = "text";
    std::string output;
    std::string prices;
    std::string price_table;
    std::string target;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      design.add_subcommand("diff", "What changes between two models, what it costs, and a plan for it");
  command->add_option("models", options->files, "Old model, or several that become one, then the new model")
      ->required()
      ->expected(2, 64);
  command->add_option("--target", options->target, "Name of the new table; otherwise the new model's");
  command->add_option("--prices", options->prices, "Price file of your own (form: share/prices.json)");
  command->add_option("--price-table", options->price_table, "Which table of the price file");
  command->add_option("--format", options->format, "Form of the report")
      ->check(CLI::IsMember({"text", "json", "md"}))
      ->capture_default_str();
  command->add_option("--output", options->output, "Write the report to this file instead of the terminal");
  command->footer(
      "Exit code: 0 no difference, 1 a difference that can be migrated (or needs no migration),\n"
      "2 a file that cannot be used, 3 a difference that cannot be migrated as it is.");
  command->callback([options] {
    const auto prices = load_prices(options->prices, options->price_table);
    if (!prices) stop(prices.error());
    std::vector<Model> models;
    for (const std::string& file : options->files) models.push_back(model_or_stop(file));
    if (!options->target.empty()) models.back().table.name = options->target;
    std::vector<const Model*> before;
    for (std::size_t at = 0; at + 1 < models.size(); ++at) before.push_back(&models[at]);
    const DesignDiff diff = diff_models(before, models.back(), *prices);
    write_output(options->output, options->format == "json" ? diff_json(diff)
                                  : options->format == "md" ? diff_markdown(diff)
                                                            : diff_text(diff));
    if (!diff.obstacles.empty()) throw CLI::RuntimeError(kExitImpossible);
    if (!diff.changes.empty()) throw CLI::RuntimeError(kExitFailed);
  });
}

}  // namespace stator::design
