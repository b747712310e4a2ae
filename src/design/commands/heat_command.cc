#include <CLI/CLI.hpp>
#include <memory>

#include "design/commands/output.h"
#include "design/commands/tools.h"
#include "design/heat/heat.h"

namespace stator::design {

void add_heat_command(CLI::App& design) {
  struct Options {
    std::string model;
    std::string svg;
    std::string format = "text";
    bool strict = false;
    HeatOptions heat;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      design.add_subcommand("heat", "Load on the busiest partition keys, and the shards that cure hot ones");
  command->add_option("model", options->model, "Model file")->required();
  command->add_option("--svg", options->svg, "Write the picture to this file, too");
  command->add_option("--format", options->format, "Form of the report")
      ->check(CLI::IsMember({"text", "json", "svg"}))
      ->capture_default_str();
  command->add_flag("--strict", options->strict, "Exit with 1 if a key is hot");
  command->callback([options] {
    const Model model = model_or_stop(options->model);
    const HeatReport report = heat_of(model, options->heat);
    if (!options->svg.empty()) write_output(options->svg, heat_svg(model, report, options->heat));
    if (options->format == "json") {
      write_output("", heat_json(model, report, options->heat));
    } else if (options->format == "svg") {
      write_output("", heat_svg(model, report, options->heat));
    } else {
      write_output("", heat_text(model, report, options->heat));
    }
    if (options->strict && report.any_hot()) throw CLI::RuntimeError(kExitFailed);
  });
}

}  // namespace stator::design
