#include "simulate/simulate_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <memory>

#include "design/cost/prices.h"
#include "design/load.h"
#include "simulate/model_workload.h"
#include "simulate/options.h"
#include "simulate/report.h"
#include "simulate/run.h"
#include "simulate/synthetic.h"
#include "simulate/trace.h"

namespace stator::simulate {
namespace {

struct Options {
  std::string model;
  std::string trace;
  std::string profile = "day";
  std::string duration;
  double factor = 1;
  std::uint64_t seed = 1;
  std::vector<std::string> capacities;
  std::string shards;
  bool ignore_shards = false;
  std::string prices;
  std::string price_table;
  std::string format = "text";
  std::string json;
  std::string svg;
  std::size_t keys = 20;
  bool strict = false;
};

Result<std::unique_ptr<Source>> open_source(const Options& options, const CapacityOverrides& overrides) {
  if (options.model.empty() == options.trace.empty()) return invalid("give either --model FILE or --trace FILE");
  if (!options.trace.empty()) {
    TRY(auto source,
        TraceSource::open(options.trace, [overrides](const std::string& table, const std::string& index) {
          return overrides.find(table, index);
        }));
    return std::unique_ptr<Source>(std::move(source));
  }
  TRY(const design::Model model, design::load_model(options.model));
  TRY(Workload workload, workload_of(model, options.ignore_shards));
  workload.profile = options.profile == "day"    ? Profile::day
                     : options.profile == "peak" ? Profile::peak
                                                 : Profile::flat;
  const std::string duration = !options.duration.empty()   ? options.duration
                               : options.profile == "peak" ? "15m"
                                                           : "24h";
  TRY(workload.duration_s, parse_duration(duration));
  workload.seed = options.seed;
  for (Stream& stream : workload.streams) {
    stream.average *= options.factor;
    stream.peak *= options.factor;
  }
  overrides.apply(workload.targets);
  return std::unique_ptr<Source>(std::make_unique<SyntheticSource>(std::move(workload)));
}

Result<Report> make_report(const Options& options) {
  CapacityOverrides overrides;
  for (const std::string& text : options.capacities) TRY_VOID(overrides.add(text));
  TRY(const std::vector<int> shard_counts, parse_shards(options.shards));
  TRY(const std::unique_ptr<Source> source, open_source(options, overrides));
  Report report;
  TRY(report.prices, design::load_prices(options.prices, options.price_table));
  report.title = !options.model.empty() ? fmt::format("{}, {}", options.model, options.profile) : options.trace;
  report.keys_shown = options.keys;
  TRY(report.outcome, run(*source, {}));
  if (report.outcome.requests == 0) return invalid("there are no requests to play");

  report.sharded_keys = shard_hot_keys(report.outcome, 1).keys.size();
  report.shards_asked = !shard_counts.empty();
  for (const int count : shard_counts) {
    if (report.sharded_keys == 0) break;
    if (count == 1) {
      report.shards.push_back(shard_result(report.outcome, count));
      continue;
    }
    const Sharding sharding = shard_hot_keys(report.outcome, count);
    RunOptions sharded;
    sharded.sharding = &sharding;
    TRY(const Outcome outcome, run(*source, sharded));
    report.shards.push_back(shard_result(outcome, count));
  }
  return report;
}

Result<void> write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return invalid(fmt::format("cannot write {}", path));
  return {};
}

Result<int> simulate(const Options& options) {
  TRY(const Report report, make_report(options));
  if (!options.json.empty()) TRY_VOID(write_file(options.json, report_json(report)));
  if (!options.svg.empty()) TRY_VOID(write_file(options.svg, report_svg(report)));
  const std::string text = options.format == "json"  ? report_json(report)
                           : options.format == "svg" ? report_svg(report)
                                                     : report_text(report);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return options.strict && report.outcome.throttled > 0 ? 1 : 0;
}

}  // namespace

void add_simulate_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "simulate",
      "Play the traffic of a model or of a recorded trace against the capacity model: throttles, needs, cost");
  command->add_option("--model", options->model, "Model file whose patterns give the traffic");
  command->add_option("--trace", options->trace, "Recorded requests (docs/formats/trace.md)");
  command
      ->add_option("--profile", options->profile, "Of a model: a day with its peak, the peak alone, or flat averages")
      ->check(CLI::IsMember({"day", "peak", "flat"}))
      ->capture_default_str();
  command->add_option("--duration", options->duration, "Of a model: 90s, 15m, 24h, 7d [24h; profile peak 15m]");
  command->add_option("--rate-factor", options->factor, "Of a model: multiplies all rates")
      ->check(CLI::Range(0.000001, 1e6));
  command->add_option("--seed", options->seed, "Of a model: other numbers give other random requests")
      ->capture_default_str();
  command->add_option("--capacity", options->capacities,
                      "on-demand or READ/WRITE units, for all or for one: orders=100/50, orders/GSI1=on-demand");
  command->add_option("--shards", options->shards, "Also play it with the hot keys in so many write shards: 2,5,10");
  command->add_flag("--ignore-shards", options->ignore_shards, "Of a model: as if its key templates had no shards");
  command->add_option("--prices", options->prices, "Price file; the built-in prices otherwise");
  command->add_option("--price-table", options->price_table, "Table of the price file");
  command->add_option("--format", options->format, "Form of the report")
      ->check(CLI::IsMember({"text", "json", "svg"}))
      ->capture_default_str();
  command->add_option("--json", options->json, "Write the report as JSON to this file, too");
  command->add_option("--svg", options->svg, "Write the plots to this file, too");
  command->add_option("--keys", options->keys, "Throttled keys to list")->capture_default_str();
  command->add_flag("--strict", options->strict, "Exit with 1 if a request was throttled");
  command->callback([options] {
    const Result<int> code = simulate(*options);
    if (!code) fmt::print(stderr, "stator simulate: {}\n", code.error().message);
    const int exit_code = code ? *code : 2;
    if (exit_code != 0) throw CLI::RuntimeError(exit_code);
  });
}

}  // namespace stator::simulate
