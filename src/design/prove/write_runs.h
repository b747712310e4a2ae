#pragma once

#include "design/prove/change.h"
#include "design/prove/outcome.h"

namespace stator::design {

// Runs write patterns on generated items and looks at what the table holds afterwards.
class WriteRuns {
 public:
  WriteRuns(const Generator& generator, client::Client& client, std::string table, std::uint64_t seed)
      : model_(generator.model()), client_(client), table_(std::move(table)), planner_(generator, seed) {}

  [[nodiscard]] Outcome run(const Pattern& pattern, std::size_t runs);

 private:
  [[nodiscard]] Result<std::vector<Change>> plan(const Pattern& pattern);
  [[nodiscard]] Result<client::Json> stored(const GeneratedItem& item);
  [[nodiscard]] client::Json request_of(const Pattern& pattern, const std::vector<Change>& changes) const;
  void run_once(const Pattern& pattern, const std::vector<Change>& changes, Outcome& outcome);

  const Model& model_;
  client::Client& client_;
  std::string table_;
  ChangePlanner planner_;
};

}  // namespace stator::design
