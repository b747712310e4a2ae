#include "design/prove/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "design/deploy/table_definition.h"
#include "design/generate/generator.h"
#include "design/prove/loader.h"
#include "design/prove/lookup.h"
#include "design/prove/progress.h"
#include "design/prove/read_runs.h"
#include "design/prove/write_runs.h"

namespace stator::design {

namespace {

bool is_group_read(const Pattern& pattern) {
  return pattern.kind == PatternKind::batch_get || pattern.kind == PatternKind::transact_get;
}

class Prover {
 public:
  Prover(const Model& model, const ProveOptions& options) : model_(model), options_(options) {}

  Result<Proof> run() {
    proof_.table = options_.table.empty() ? model_.table.name + "-proof" : options_.table;
    model_.table.name = proof_.table;
    TRY(const Generator generator, Generator::create(model_, {options_.seed, options_.scale}));
    proof_.items = generator.total();
    choose(generator);
    std::vector<Lookup*> pointers;
    for (auto& [name, lookups] : lookups_)
      for (Lookup& lookup : lookups) pointers.push_back(&lookup);
    Ledger ledger(model_, std::move(pointers));
    TRY(const auto client, client::Client::create(options_.connection));
    TRY_VOID(prepare_table(*client));
    const auto proved = load_and_run(generator, ledger, *client);
    if (!options_.keep && options_.load) TRY_VOID(drop_table(*client));
    TRY_VOID(proved);
    return std::move(proof_);
  }

 private:
  // A pattern whose parameters cannot be chosen is not proved: that is an outcome, the others go on.
  void choose(const Generator& generator) {
    for (const Pattern& pattern : model_.patterns) {
      if (!pattern.is_read() || is_group_read(pattern) || pattern.kind == PatternKind::scan) continue;
      auto lookups = choose_lookups(generator, pattern, options_.runs, options_.seed);
      if (lookups) {
        lookups_[pattern.name] = std::move(*lookups);
      } else {
        unchosen_[pattern.name] = lookups.error().message;
      }
    }
  }

  // The proof writes into a table of its own, never into one that it finds.
  Result<void> prepare_table(client::Client& client) {
    TRY(const std::string done, create_table(client, model_));
    if (options_.load && done == "exists") {
      return invalid(
          fmt::format("table {} is there already; name another one with --table, delete it, or use --no-load if it "
                      "is from a proof with the same seed and scale",
                      proof_.table));
    }
    return {};
  }

  Result<void> drop_table(client::Client& client) {
    const auto dropped = client.call("DynamoDB_20120810.DeleteTable", {{"TableName", proof_.table}});
    if (!dropped) return tl::unexpected<Error>(dropped.error());
    return {};
  }

  Result<void> load_and_run(const Generator& generator, Ledger& ledger, client::Client& client) {
    ProgressBar bar(options_.load ? "Loading" : "Generating", options_.quiet);
    LoadOptions load{proof_.table, options_.connections, options_.load,
                     [&](std::uint64_t done, std::uint64_t total) { bar.show(done, total); }};
    const auto start = std::chrono::steady_clock::now();
    TRY_VOID(load_items(generator, ledger, options_.connection, load));
    proof_.load_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ledger.finish();
    ReadRuns reads(generator, client, proof_.table);
    WriteRuns writes(generator, client, proof_.table, options_.seed);
    // Reads and counts first: they are about the data as it was loaded.
    std::map<std::string, Outcome> outcomes;
    for (const Pattern& pattern : model_.patterns)
      if (pattern.is_read()) outcomes[pattern.name] = run_read(pattern, reads);
    std::vector<Outcome> counts;
    for (const Index& index : model_.indexes) {
      const bool sparse = std::any_of(model_.entities.begin(), model_.entities.end(),
                                      [&](const Entity& entity) { return entity.sparse_in(index.name) != nullptr; });
      if (sparse) counts.push_back(reads.run_index_count(index, ledger.index_count(index.name), proof_.items));
    }
    for (const Pattern& pattern : model_.patterns)
      if (!pattern.is_read() && options_.writes) outcomes[pattern.name] = writes.run(pattern, options_.runs);
    for (const Pattern& pattern : model_.patterns)
      if (const auto found = outcomes.find(pattern.name); found != outcomes.end())
        proof_.outcomes.push_back(found->second);
    proof_.outcomes.insert(proof_.outcomes.end(), counts.begin(), counts.end());
    return {};
  }

  Outcome run_read(const Pattern& pattern, ReadRuns& reads) {
    if (is_group_read(pattern)) return reads.run_group(pattern, options_.runs, options_.seed);
    if (const auto found = lookups_.find(pattern.name); found != lookups_.end()) {
      return reads.run(pattern, found->second, options_.runs);
    }
    Outcome outcome;
    outcome.name = pattern.name;
    outcome.call = pattern.kind == PatternKind::scan ? "Scan" : "Query";
    if (pattern.kind == PatternKind::scan) {
      if (allows(model_, pattern, "pattern-needs-scan")) {
        outcome.notes.push_back("a Scan by decision of the model; not run");
      } else {
        outcome.fail("the pattern is a Scan: it reads the whole table, whatever it returns");
      }
    } else {
      outcome.fail(unchosen_[pattern.name]);
    }
    return outcome;
  }

  Model model_;  // with the name of the table that the proof uses
  const ProveOptions& options_;
  Proof proof_;
  std::map<std::string, std::vector<Lookup>> lookups_;
  std::map<std::string, std::string> unchosen_;
};

}  // namespace

bool Proof::holds() const {
  return std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& outcome) { return outcome.failures.empty(); });
}

Result<Proof> prove(const Model& model, const ProveOptions& options) { return Prover(model, options).run(); }

}  // namespace stator::design
