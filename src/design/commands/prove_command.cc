#include <CLI/CLI.hpp>
#include <memory>

#include "client/command_line.h"
#include "design/commands/output.h"
#include "design/commands/tools.h"
#include "design/generate/generator.h"
#include "design/prove/prove.h"

namespace stator::design {

void add_prove_command(CLI::App& design) {
  struct Options {
    std::string model;
    std::string format = "text";
    double items = 0;
    bool no_load = false;
    bool no_writes = false;
    bool no_times = false;
    ProveOptions prove;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      design.add_subcommand("prove", "Load generated data into a server, run every pattern, and compare");
  command->add_option("model", options->model, "Model file")->required();
  command->add_option("--scale", options->prove.scale, "Share of the declared counts to generate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--items", options->items, "Items to generate, about; instead of --scale")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", options->prove.seed, "Another seed gives other data of the same shape")
      ->capture_default_str();
  command->add_option("--runs", options->prove.runs, "Uses of each pattern")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--connections", options->prove.connections, "Connections that load side by side")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--table", options->prove.table,
                      "Name of the table to make; otherwise the model's, with -proof behind it");
  command->add_flag("--keep", options->prove.keep, "Leave the table there afterwards");
  command->add_flag("--no-load", options->no_load,
                    "The table is there from a proof with --keep, the same seed and scale, and no writes");
  command->add_flag("--no-writes", options->no_writes, "Run the read patterns only");
  command->add_flag("--no-times", options->no_times, "Leave times out of the report");
  command->add_flag("--quiet", options->prove.quiet, "No progress bar");
  command->add_option("--format", options->format, "Form of the report")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  client::add_connection_options(*command, options->prove.connection);
  command->callback([options] {
    const Model model = model_or_stop(options->model);
    ProveOptions& prove_options = options->prove;
    if (options->items > 0) prove_options.scale = Generator::scale_for(model, options->items);
    prove_options.load = !options->no_load;
    prove_options.writes = !options->no_writes;
    const auto proof = prove(model, prove_options);
    if (!proof) stop(proof.error());
    write_output("",
                 options->format == "json" ? proof_json(model, *proof) : proof_text(model, *proof, !options->no_times));
    if (!proof->holds()) throw CLI::RuntimeError(kExitFailed);
  });
}

}  // namespace stator::design
