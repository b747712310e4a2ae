#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "design/commands/output.h"
#include "design/commands/tools.h"
#include "design/doc/document.h"

namespace stator::design {

void add_doc_command(CLI::App& design) {
  struct Options {
    std::string model;
    std::vector<std::string> outputs;
    std::string format;
    bool check = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      design.add_subcommand("doc", "The key-naming document: Markdown, or an HTML page with the item collections");
  command->add_option("model", options->model, "Model file")->required();
  command->add_option("-o,--output", options->outputs, "File to write, .md or .html; may be given for both");
  command->add_option("--format", options->format, "For the standard output, or for a file with another name")
      ->check(CLI::IsMember({"md", "html"}));
  command->add_flag("--check", options->check, "Write nothing; exit with 1 if a file is not what would be written");
  command->callback([options] {
    if (options->check && options->outputs.empty()) stop("doc --check needs the files to look at: --output keys.md");
    const Model model = model_or_stop(options->model);
    std::vector<std::string> outputs = options->outputs;
    if (outputs.empty()) outputs.emplace_back();
    bool stale = false;
    for (const std::string& path : outputs) {
      const bool html = options->format.empty() ? path.ends_with(".html") : options->format == "html";
      const auto text = html ? document_html(model) : document_markdown(model);
      if (!text) stop(text.error());
      if (!options->check) {
        write_output(path, *text);
        continue;
      }
      const auto there = read_file(path);
      if (there && *there == *text) continue;
      stale = true;
      fmt::print(stderr, "{} {}; write it again with: stator design doc {} --output {}\n", path,
                 there ? "is stale" : "is missing", options->model, path);
    }
    if (stale) throw CLI::RuntimeError(kExitFailed);
  });
}

}  // namespace stator::design
