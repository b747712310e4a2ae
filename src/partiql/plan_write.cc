#include <algorithm>

#include "base/buffer.h"
#include "item/stored_item.h"
#include "partiql/plan.h"
#include "partiql/where.h"

namespace stator::partiql {
namespace {

using expr::BoundNode;
using expr::ConditionKind;

// Takes the equality on one key attribute out of `nodes`.
std::optional<item::Value> take_equality(std::vector<BoundNode>& nodes, std::string_view attribute) {
  for (auto node = nodes.begin(); node != nodes.end(); ++node) {
    const item::Value* value = equal_value(*node, attribute);
    if (value == nullptr) continue;
    const item::Value taken = *value;
    nodes.erase(node);
    return taken;
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<KeyMatch>> match_key(const BoundNode* where, const engine::Table& table, base::Arena& arena) {
  KeyMatch match;
  match.rest = conjuncts(where);
  const auto key = expr::make_array<item::Attribute>(arena, table.key.partition.size() + table.key.sort.size());
  std::size_t count = 0;
  bool typed = true;
  for (const auto* part : {&table.key.partition, &table.key.sort}) {
    for (const engine::KeyAttribute& attribute : *part) {
      const std::optional<item::Value> value = take_equality(match.rest, attribute.name);
      if (!value) return std::nullopt;
      typed = typed && value->is(attribute.type);
      key[count++] = {arena.copy(attribute.name), *value};
    }
  }
  if (!typed) return invalid("Key attribute's data type should match its data type in table's schema");
  match.key = key;
  return match;
}

std::string item_identity(const BoundStatement& statement, const engine::Table& table, base::Arena& arena) {
  item::Attributes attributes = statement.item;
  if (statement.kind != StatementKind::insert) {
    const Result<std::optional<KeyMatch>> match = match_key(statement.where, table, arena);
    if (!match || !*match) return {};
    attributes = (*match)->key;
  }
  base::Buffer out;
  out.append(table.name);
  for (const auto* part : {&table.key.partition, &table.key.sort}) {
    for (const engine::KeyAttribute& attribute : *part) {
      const item::Value* value = item::find(attributes, attribute.name);
      if (value == nullptr) return {};
      item::append_value(out, *value);
    }
  }
  return std::string(out.view());
}

Result<WritePlan> plan_write(const BoundStatement& statement, const engine::Table& table, base::Arena& arena) {
  const std::string_view partition_key = table.key.partition.front().name;
  WritePlan plan;
  const auto set_condition = [&](const BoundNode* root) {
    if (root != nullptr) plan.condition = expr::Condition::from_bound(root, arena);
  };
  if (statement.kind == StatementKind::insert) {
    const BoundNode absent = attribute_test(ConditionKind::attribute_not_exists, partition_key, arena);
    set_condition(arena.make<BoundNode>(absent));
    return plan;
  }
  TRY(std::optional<KeyMatch> match, match_key(statement.where, table, arena));
  if (!match) return invalid("Where clause does not contain a mandatory equality on all key attributes");
  plan.key = match->key;
  if (statement.kind != StatementKind::remove) {
    match->rest.insert(match->rest.begin(), attribute_test(ConditionKind::attribute_exists, partition_key, arena));
    set_condition(join_all(match->rest, arena));
  } else if (const BoundNode* rest = join_all(match->rest, arena)) {
    // What is not there need not be deleted, whatever is asked of it.
    const auto either = expr::make_array<BoundNode>(arena, 2);
    either[0] = attribute_test(ConditionKind::attribute_not_exists, partition_key, arena);
    either[1] = *rest;
    auto* root = arena.make<BoundNode>();
    root->kind = ConditionKind::any;
    root->children = either;
    set_condition(root);
  }
  return plan;
}

}  // namespace stator::partiql
