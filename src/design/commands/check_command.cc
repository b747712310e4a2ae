#include <CLI/CLI.hpp>
#include <memory>

#include "design/check.h"
#include "design/commands/commands.h"
#include "design/commands/output.h"

namespace stator::design {

void add_check_command(CLI::App& design) {
  struct Options {
    std::string model;
    std::string format = "text";
    std::string output;
    bool explain = false;
    bool strict = false;
    bool rules = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      design.add_subcommand("check", "Prove that every access pattern is one call, and name what will hurt");
  command->add_option("model", options->model, "Model file");
  command->add_option("--format", options->format, "Form of the report")
      ->check(CLI::IsMember({"text", "json", "sarif", "md"}))
      ->capture_default_str();
  command->add_option("--output", options->output, "Write the report to this file instead of the terminal");
  command->add_flag("--explain", options->explain, "Say with each finding why its rule is there");
  command->add_flag("--strict", options->strict, "Exit with 1 on warnings too");
  command->add_flag("--rules", options->rules, "List the rules and stop");
  command->callback([options] {
    if (options->rules) {
      write_output(options->output, rules_markdown());
      return;
    }
    if (options->model.empty()) stop("check: expected a model file, as in stator design check model.yaml");
    const CheckReport report = check(model_or_stop(options->model));
    std::string text;
    if (options->format == "json") {
      text = check_json(report);
    } else if (options->format == "sarif") {
      text = check_sarif(report);
    } else if (options->format == "md") {
      text = check_markdown(report);
    } else {
      text = check_text(report, options->explain);
    }
    write_output(options->output, text);
    if (report.errors() > 0 || (options->strict && report.warnings() > 0)) throw CLI::RuntimeError(kExitFailed);
  });
}

}  // namespace stator::design
