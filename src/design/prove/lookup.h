#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "design/generate/generator.h"
#include "design/model.h"

// Uses of read patterns with parameters taken from generated items, and what each must return, gathered from all items
// that are generated: the result is computed without the database.
namespace stator::design {

struct ExpectedItem {
  GeneratedItem item;
  std::size_t partition = 0;  // which of the lookup's partition keys it has
};

struct Lookup {
  const Pattern* pattern = nullptr;
  FieldValues values;                       // of parameters
  std::vector<std::string> partition_keys;  // one, or one for each shard
  const KeyCondition* sort = nullptr;       // null: the whole collection
  std::string sort_value, sort_upper;
  std::vector<ExpectedItem> expected;  // in the order of the sort key, once sorted
};

// The values of a pattern's parameters: fixed ones, and those of attributes of one item. Names that the item has not
// are left out. `other` gives the second bound of a range.
[[nodiscard]] FieldValues parameter_values(const Pattern& pattern, const std::vector<std::string>& names,
                                           const GeneratedItem& item, const GeneratedItem* other);
// The wire form of a parameter's value: the type of the attribute that it is compared with.
[[nodiscard]] std::string parameter_json(const Model& model, const Pattern& pattern, std::string_view name,
                                         const std::string& value);

// So many uses of a pattern; equal ones are there once. Errors: parameters that no entity of the pattern has.
[[nodiscard]] Result<std::vector<Lookup>> choose_lookups(const Generator& generator, const Pattern& pattern,
                                                         std::size_t count, std::uint64_t seed);

// Collects what belongs to lookups. offer() may be called by many threads.
class Ledger {
 public:
  // The lookups have to outlive it and stay where they are.
  Ledger(const Model& model, std::vector<Lookup*> lookups);

  void offer(const GeneratedItem& item);
  // Puts every lookup's items in order. Call it once, after the last offer.
  void finish();

  // Items that an index holds.
  [[nodiscard]] std::uint64_t index_count(const std::string& index) const;

 private:
  struct Interest {
    const Lookup* lookup;
    std::size_t position;   // among the lookups
    std::size_t partition;  // among the lookup's partition keys
  };
  struct Target {
    std::string index;
    const KeyAttribute* partition_key;
    const KeyAttribute* sort_key;
    std::unordered_map<std::string, std::vector<Interest>> interests;
  };

  [[nodiscard]] static bool matches_sort(const Lookup& lookup, const KeyAttribute* sort_key, const GeneratedItem& item);

  const Model& model_;
  std::vector<Lookup*> lookups_;
  std::vector<Target> targets_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::uint64_t> index_counts_;  // guarded by mutex_, like what lookups expect
};

}  // namespace stator::design
