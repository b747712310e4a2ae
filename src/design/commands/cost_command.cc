#include <CLI/CLI.hpp>
#include <memory>

#include "design/commands/output.h"
#include "design/commands/tools.h"
#include "design/cost/cost.h"

namespace stator::design {

void add_cost_command(CLI::App& design) {
  struct Options {
    std::string model;
    std::string prices;
    std::string price_table;
    std::string format = "text";
    CostOptions cost;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      design.add_subcommand("cost", "Capacity units of each pattern, storage, and the price of a month");
  command->add_option("model", options->model, "Model file")->required();
  command->add_option("--prices", options->prices, "Price file of your own (form: share/prices.json)");
  command->add_option("--price-table", options->price_table, "Which table of the price file");
  command->add_option("--target", options->cost.target_utilization, "Utilisation that auto scaling aims at")
      ->check(CLI::Range(0.2, 0.9))
      ->capture_default_str();
  command->add_option("--format", options->format, "Form of the report")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options] {
    const auto prices = load_prices(options->prices, options->price_table);
    if (!prices) stop(prices.error());
    const Model model = model_or_stop(options->model);
    const CostReport report = cost_of(model, *prices, options->cost);
    write_output("", options->format == "json" ? cost_json(model, report, *prices, options->cost)
                                               : cost_text(model, report, *prices, options->cost));
  });
}

}  // namespace stator::design
