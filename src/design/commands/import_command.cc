#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "client/command_line.h"
#include "design/commands/output.h"
#include "design/commands/tools.h"
#include "design/workbench/live_table.h"
#include "design/workbench/workbench.h"

namespace stator::design {

namespace {

constexpr std::string_view kAdvice =
    "# It is a guess: look at the fields and counts, give the patterns their real rates, add the writes, and run\n"
    "# stator design check.\n";

}  // namespace

void add_import_command(CLI::App& design) {
  struct Options {
    std::string file;
    std::string table;
    std::string output;
    std::size_t items = 20000;
    client::Options connection;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      design.add_subcommand("import", "A first model from a live table, or from a NoSQL Workbench file");
  command->add_option("file", options->file,
                      "NoSQL Workbench model (JSON); without it the table is read from an endpoint");
  command->add_option("--table", options->table, "Table to look at; of a file, its first one otherwise");
  command->add_option("--items", options->items, "Items of a live table to look at, at most")
      ->check(CLI::Range(1, 10000000))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "Model file to write; otherwise the standard output");
  client::add_connection_options(*command, options->connection);
  command->callback([options] {
    if (!options->file.empty()) {
      const auto text = read_file(options->file);
      if (!text) stop(text.error());
      const auto document = nlohmann::ordered_json::parse(*text, nullptr, false);
      const auto model = read_workbench(document, options->table);
      if (!model) stop(options->file + ": " + model.error().message);
      const std::string head =
          fmt::format("# A first model from a NoSQL Workbench file and its sample data.\n{}", kAdvice);
      return write_output(options->output, model_text(*model, head));
    }
    if (options->table.empty()) stop("import: expected --table NAME of a live table, or a NoSQL Workbench file");
    const auto client = client::Client::create(options->connection);
    if (!client) stop(client.error());
    const auto input = read_live_table(**client, options->table, options->items);
    if (!input) stop(input.error());
    const std::string head = fmt::format("# A first model of table {}, from {} of its {} items.\n{}", options->table,
                                         input->items.size(), static_cast<std::uint64_t>(input->item_count), kAdvice);
    write_output(options->output, model_text(infer_model(*input), head));
  });
}

void add_export_command(CLI::App& design) {
  struct Options {
    std::string model;
    std::string output;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = design.add_subcommand("export", "The model as a NoSQL Workbench file, with sample items");
  command->add_option("model", options->model, "Model file")->required();
  command->add_option("-o,--output", options->output, "File to write; otherwise the standard output");
  command->callback([options] {
    const auto document = workbench_json(model_or_stop(options->model));
    if (!document) stop(document.error());
    write_output(options->output, document->dump(2) + "\n");
  });
}

}  // namespace stator::design
