#pragma once

#include "design/prove/lookup.h"
#include "design/prove/outcome.h"
#include "design/prove/query_comparison.h"

namespace stator::design {

// Runs read patterns and compares each answer with what the generated data says: items, their order, counts, units,
// calls. Not for several threads: it uses one client, which has to outlive it, as the generator has.
class ReadRuns {
 public:
  ReadRuns(const Generator& generator, client::Client& client, std::string table)
      : generator_(generator), model_(generator.model()), client_(client), table_(std::move(table)) {}

  // Lookups whose items are known (Ledger::finish), each once or in turns until there are so many runs. Get, query, and
  // queries over every shard.
  [[nodiscard]] Outcome run(const Pattern& pattern, const std::vector<Lookup>& lookups, std::size_t runs);
  // BatchGetItem and TransactGetItems of generated items.
  [[nodiscard]] Outcome run_group(const Pattern& pattern, std::size_t runs, std::uint64_t seed);
  // A sparse index holds exactly the items that its conditions name.
  [[nodiscard]] Outcome run_index_count(const Index& index, std::uint64_t expected, std::uint64_t items);

 private:
  void run_get(const Lookup& lookup, Outcome& outcome);
  void get_one(const Lookup& lookup, std::size_t partition, Outcome& outcome);
  void run_query(const Lookup& lookup, Outcome& outcome);
  [[nodiscard]] Result<QueryAnswer> query_all(const Lookup& lookup, Outcome& outcome);

  const Generator& generator_;
  const Model& model_;
  client::Client& client_;
  std::string table_;
};

}  // namespace stator::design
