#pragma once

#include "design/prove/lookup.h"
#include "design/prove/outcome.h"

namespace stator::design {

// Runs read patterns and compares each answer with what the generated data says: items, their order, counts, units,
// calls.
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
  struct Answer {
    std::vector<client::Json> items;  // in the order in which they came, over all calls
    std::vector<std::size_t> partitions;
    std::uint64_t count = 0;
    std::uint64_t scanned = 0;
    double units = 0;
    double expected_units = 0;
    double calls = 0;
    bool more_pages = false;
  };

  void run_get(const Pattern& pattern, const Lookup& lookup, Outcome& outcome);
  void get_one(const Pattern& pattern, const Lookup& lookup, std::size_t partition, Outcome& outcome);
  void run_query(const Pattern& pattern, const Lookup& lookup, Outcome& outcome);
  [[nodiscard]] client::Json query_request(const Pattern& pattern, const Lookup& lookup, std::size_t partition) const;
  [[nodiscard]] Result<Answer> query_all(const Pattern& pattern, const Lookup& lookup, Outcome& outcome);
  void compare(const Pattern& pattern, const Lookup& lookup, const Answer& answer, Outcome& outcome) const;
  [[nodiscard]] client::Json visible(const Pattern& pattern, const GeneratedItem& item) const;
  [[nodiscard]] std::size_t row_bytes(const Pattern& pattern, const GeneratedItem& item) const;
  [[nodiscard]] Result<client::Json> timed_call(std::string_view operation, const client::Json& request,
                                                Outcome& outcome);

  const Generator& generator_;
  const Model& model_;
  client::Client& client_;
  std::string table_;
};

}  // namespace stator::design
