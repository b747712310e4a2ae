#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "base/stop_signals.h"
#include "client/command_line.h"
#include "design/commands/output.h"
#include "design/commands/tools.h"
#include "design/migrate/migrate.h"

namespace stator::design {

namespace {

constexpr int kExitStopped = 4;

const std::map<std::string, MigrationStep> kStepNames = {
    {"plan", MigrationStep::plan}, {"prepare", MigrationStep::prepare},   {"backfill", MigrationStep::backfill},
    {"sync", MigrationStep::sync}, {"validate", MigrationStep::validate}, {"finish", MigrationStep::finish},
};

struct Options {
  std::vector<std::string> words;  // a step, then models
  std::vector<std::string> sources;
  std::string target;
  std::string prices;
  std::string price_table;
  std::string format = "text";
  RunOptions run;
  MigrationOptions migration;
};

void add_options(CLI::App& command, Options& options) {
  command
      .add_option("step-and-models", options.words,
                  "A step (plan, prepare, backfill, sync, validate, finish; none: all of them), then the old model or "
                  "several that become one, then the new model")
      ->required();
  command.add_option("--source", options.sources, "Table of an old model; once for each model, in their order");
  command.add_option("--target", options.target, "Name of the new table; otherwise the new model's");
  MigrationOptions& migration = options.migration;
  command.add_option("--state", migration.state, "Folder that keeps the state; otherwise NAME.migration")
      ->type_name("FOLDER");
  command.add_option("--wcu", migration.write_units, "Write units a second at most, indexes included; 0: no limit")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--rcu", migration.read_units, "Read units a second at most; 0: no limit")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_option("--segments", migration.segments, "Segments of a table that are read side by side")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command.add_option("--page", migration.page_items, "Items of one Scan; after a crash so many are done again")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_option("--differences", migration.differences_max, "Differences to list")->capture_default_str();
  command
      .add_option("--settle", migration.settle_rounds,
                  "Looks at an item that differs, half a second apart, before it counts")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command.add_flag("--drop-removed", migration.drop_removed,
                   "In place: take attributes out that the new model does not have");
  command.add_flag("--skip-unknown", migration.skip_unknown, "Leave items of no entity alone");
  command.add_flag("--until-caught-up", options.run.until_caught_up, "sync: end when every change is applied");
  command.add_flag("--follow", options.run.follow, "All steps: after the validation, sync until Ctrl-C");
  command.add_flag("--finish", options.run.finish,
                   "All steps: finish, too, because nothing writes to the source any more");
  command.add_flag("--drop-source", migration.drop_source, "finish: delete the tables that were copied");
  command.add_flag("--force", migration.force, "Into a table that has items; finish without a validation");
  command.add_flag("--quiet", migration.quiet, "No progress bar");
  command.add_option("--prices", options.prices, "plan: price file of your own (form: share/prices.json)");
  command.add_option("--price-table", options.price_table, "plan: which table of the price file");
  command.add_option("--format", options.format, "Form of the reports")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  client::add_connection_options(command, migration.connection);
}

// The step at the front of the words, taken out.
MigrationStep take_step(std::vector<std::string>& words) {
  const auto found = words.empty() ? kStepNames.end() : kStepNames.find(words.front());
  if (found == kStepNames.end()) return MigrationStep::all;
  words.erase(words.begin());
  return found->second;
}

void run(Options& options) {
  options.run.step = take_step(options.words);
  options.run.json = options.format == "json";
  if (options.words.size() < 2) stop("migrate: expected an old model and a new one, as in migrate old.yaml new.yaml");
  std::vector<Model> models;
  for (const std::string& file : options.words) models.push_back(model_or_stop(file));
  if (!options.sources.empty() && options.sources.size() != models.size() - 1) {
    stop(fmt::format("migrate: expected --source {} times, once for each old model", models.size() - 1));
  }
  for (std::size_t at = 0; at < options.sources.size(); ++at) models[at].table.name = options.sources[at];
  if (!options.target.empty()) models.back().table.name = options.target;
  std::vector<const Model*> before;
  for (std::size_t at = 0; at + 1 < models.size(); ++at) before.push_back(&models[at]);

  const auto prices = load_prices(options.prices, options.price_table);
  if (!prices) stop(prices.error());
  const DesignDiff diff = diff_models(before, models.back(), *prices);
  if (!diff.obstacles.empty()) {
    for (const Obstacle& one : diff.obstacles) {
      fmt::print(stderr, "stator design: {}: {}\n    cure: {}\n", one.subject, one.reason, one.cure);
    }
    throw CLI::RuntimeError(kExitImpossible);
  }
  if (options.run.step == MigrationStep::plan)
    return write_output("", options.run.json ? diff_json(diff) : diff_text(diff));

  base::Stop wish;
  const base::StopSignals signals(wish);
  const auto migration = Migration::create(before, models.back(), options.migration, wish);
  if (!migration) stop(migration.error());
  const auto ending = run_migration(**migration, options.run);
  if (!ending) stop(ending.error());
  if (*ending == Ending::differs) throw CLI::RuntimeError(kExitFailed);
  if (*ending == Ending::stopped) throw CLI::RuntimeError(kExitStopped);
}

}  // namespace

void add_migrate_command(CLI::App& design) {
  auto options = std::make_shared<Options>();
  CLI::App* command = design.add_subcommand(
      "migrate", "Bring live tables from old models to a new one: backfill, dual writes by the stream, validation");
  add_options(*command, *options);
  command->footer(
      "Exit code: 0 done, 1 the validation found differences, 2 the work could not be done,\n"
      "3 the evolution cannot be migrated as it is, 4 stopped by a signal: call it again to go on.\n"
      "Examples:\n"
      "  stator design migrate plan old.yaml new.yaml\n"
      "  stator design migrate old.yaml new.yaml --endpoint http://127.0.0.1:8000 --wcu 500\n"
      "  stator design migrate validate old.yaml new.yaml --endpoint http://127.0.0.1:8000");
  command->callback([options] { run(*options); });
}

}  // namespace stator::design
