#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/client.h"
#include "design/generate/generator.h"

// What one use of a write pattern does to items: planned from generated data, before anything is sent.
namespace stator::design {

struct Change {
  const Action* action = nullptr;
  std::optional<GeneratedItem> before;  // as it was loaded; nothing for a new item
  std::optional<GeneratedItem> after;   // nothing for a deleted one
  client::Json request;  // what PutItem, UpdateItem, DeleteItem or ConditionCheck takes, without TableName
};

// Picks items that no plan has touched before, so that their loaded state is still what the table has.
class ChangePlanner {
 public:
  ChangePlanner(const Generator& generator, std::uint64_t seed)
      : generator_(generator), model_(generator.model()), seed_(seed) {}

  // Errors: a parameter without a value; no untouched item left.
  [[nodiscard]] Result<std::vector<Change>> plan(const Pattern& pattern);

 private:
  struct Existing {
    const Entity* entity;
    std::uint64_t number;
  };

  [[nodiscard]] Result<Existing> pick(const Entity& entity, const std::vector<Existing>& earlier);
  [[nodiscard]] Result<Change> change_existing(const Pattern& pattern, const Action& action,
                                               const GeneratedItem& before);
  [[nodiscard]] Result<Change> new_item(const Pattern& pattern, const Action& action, std::uint64_t local,
                                        const FieldValues& given);
  [[nodiscard]] Result<GeneratedItem> updated(const Pattern& pattern, const Action& action,
                                              const GeneratedItem& before);
  [[nodiscard]] Result<void> add_condition(const Pattern& pattern, const Action& action, const GeneratedItem& item,
                                           client::Json& request) const;
  [[nodiscard]] std::string new_value(const Entity& entity, const std::string& attribute, const std::string& current);

  const Generator& generator_;
  const Model& model_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;  // random draws so far
  std::uint64_t fresh_ = 0;  // new items so far
  std::set<std::pair<std::string, std::uint64_t>> touched_;
};

// Units that a change takes from the table and all its indexes.
[[nodiscard]] double predicted_units(const Model& model, const Change& change, bool transaction);

}  // namespace stator::design
