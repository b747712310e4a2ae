#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "client/command_line.h"
#include "design/commands/output.h"
#include "design/commands/tools.h"
#include "design/deploy/table_definition.h"

namespace stator::design {

void add_deploy_command(CLI::App& design) {
  struct Options {
    std::string model;
    std::string format;
    std::string output;
    client::Options connection;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      design.add_subcommand("deploy", "Create the table at an endpoint, or write the text that creates it");
  command->add_option("model", options->model, "Model file")->required();
  command->add_option("--format", options->format, "Write a text instead of creating the table")
      ->check(CLI::IsMember({"cloudformation", "terraform", "cli", "json"}));
  command->add_option("--output", options->output, "File for the text; otherwise the standard output");
  client::add_connection_options(*command, options->connection);
  command->callback([options] {
    const Model model = model_or_stop(options->model);
    if (options->format == "cloudformation") return write_output(options->output, cloudformation_text(model));
    if (options->format == "terraform") return write_output(options->output, terraform_text(model));
    if (options->format == "cli") return write_output(options->output, cli_text(model));
    if (options->format == "json") return write_output(options->output, create_table_request(model).dump(2) + "\n");
    const auto client = client::Client::create(options->connection);
    if (!client) stop(client.error());
    const auto done = create_table(**client, model);
    if (!done) stop(done.error());
    fmt::print("Table {} {} at {}: {} indexes{}.\n", model.table.name,
               *done == "created" ? "created" : "is there already", (*client)->options().endpoint, model.indexes.size(),
               model.ttl_attribute().empty() ? "" : fmt::format(", items expire by {}", model.ttl_attribute()));
  });
}

}  // namespace stator::design
