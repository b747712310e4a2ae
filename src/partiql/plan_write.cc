#include <fmt/format.h>

#include "base/buffer.h"
#include "item/stored_item.h"
#include "partiql/plan.h"
#include "partiql/sort_range.h"
#include "partiql/where.h"

namespace stator::partiql {
namespace {

using expr::BoundNode;
using expr::ConditionKind;

// Takes the equality on one key attribute out of `nodes`, and what only repeats it.
std::optional<item::Value> take_equality(std::vector<BoundNode>& nodes, std::string_view attribute, bool reads) {
  const auto value_of = [&](const BoundNode& node) {
    const item::Value* value = equal_value(node, attribute);
    return value == nullptr && reads ? only_value(node, attribute) : value;
  };
  std::optional<item::Value> taken;
  for (auto node = nodes.begin(); node != nodes.end();) {
    const item::Value* value = value_of(*node);
    if (value == nullptr || (taken && !item::equal(*taken, *value))) {
      ++node;
      continue;
    }
    taken = *value;
    node = nodes.erase(node);
  }
  return taken;
}

Result<void> check_single(std::span<const BoundNode> rest, item::Attributes key) {
  for (const item::Attribute& attribute : key) {
    for (const BoundNode& node : rest) {
      if (equal_value(node, attribute.name) == nullptr) continue;
      return invalid(fmt::format(
          "Multiple conditions on same key {}. Only single item Update/Insert/Delete are supported", attribute.name));
    }
  }
  return {};
}

}  // namespace

Result<std::optional<KeyMatch>> match_key(const BoundNode* where, const engine::Table& table, base::Arena& arena,
                                          bool reads) {
  KeyMatch match;
  match.rest = conjuncts(where);
  const auto key = expr::make_array<item::Attribute>(arena, table.key.partition.size() + table.key.sort.size());
  std::size_t count = 0;
  Result<void> types;  // an incomplete key comes before a wrong one
  for (const auto* part : {&table.key.partition, &table.key.sort}) {
    for (const engine::KeyAttribute& attribute : *part) {
      const std::optional<item::Value> value = take_equality(match.rest, attribute.name, reads);
      if (!value) return std::nullopt;
      if (types) types = check_key_type(attribute, *value);
      key[count++] = {arena.copy(attribute.name), *value};
    }
  }
  TRY_VOID(types);
  match.key = key;
  return match;
}

std::string item_identity(const BoundStatement& statement, const engine::Table& table, base::Arena& arena) {
  item::Attributes attributes = statement.item;
  if (statement.kind != StatementKind::insert) {
    const bool reads = statement.kind == StatementKind::select;
    const Result<std::optional<KeyMatch>> match = match_key(statement.where, table, arena, reads);
    if (!match || !*match || (reads && !(*match)->rest.empty())) return {};
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
  if (statement.kind != StatementKind::exists) TRY_VOID(check_single(match->rest, match->key));
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
