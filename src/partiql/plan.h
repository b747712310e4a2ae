#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "engine/table.h"
#include "partiql/bind.h"

// How a bound statement reaches its items: the WHERE clause against the key schema of what it names.
namespace stator::partiql {

enum class Access : std::uint8_t { get, query, scan };

// One range of keys, and what they do not say already.
struct ReadPart {
  expr::KeyCondition key;
  std::optional<expr::Condition> filter;
};

struct ReadPlan {
  Access access = Access::scan;
  item::Attributes key;                   // of get
  std::vector<ReadPart> parts;            // of query, read in this order
  bool forward = true;                    // of query
  std::optional<expr::Condition> filter;  // of get and scan
};

// Errors: an index that is not there, ORDER BY that the plan cannot give, keys of a wrong type.
[[nodiscard]] Result<ReadPlan> plan_read(const BoundStatement& statement, const engine::Table& table, bool consistent,
                                         base::Arena& arena);

// Whether two branches of a SELECT find the same item; whatever else is wrong with it is left to others.
[[nodiscard]] Result<void> check_overlap(const BoundStatement& statement, const engine::Table& table,
                                         base::Arena& arena);

struct WritePlan {
  item::Attributes key;                      // nothing for INSERT
  std::optional<expr::Condition> condition;  // with what the statement itself asks of the item
};

// UPDATE, DELETE and EXISTS need every key attribute by equality; INSERT needs that there is no such item.
[[nodiscard]] Result<WritePlan> plan_write(const BoundStatement& statement, const engine::Table& table,
                                           base::Arena& arena);

// Both for one item: the key, and the conditions that are left. Nothing where the key is not complete.
struct KeyMatch {
  item::Attributes key;
  std::vector<expr::BoundNode> rest;
};
// `reads`: an IN of one value is an equality.
[[nodiscard]] Result<std::optional<KeyMatch>> match_key(const expr::BoundNode* where, const engine::Table& table,
                                                        base::Arena& arena, bool reads = false);

// Names the one item that a statement is about, so that two statements on the same item are seen; empty where it is about
// none or several, or wrong.
[[nodiscard]] std::string item_identity(const BoundStatement& statement, const engine::Table& table,
                                        base::Arena& arena);

}  // namespace stator::partiql
