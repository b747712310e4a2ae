#include "engine/update_item.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/expressions.h"
#include "engine/key_check.h"
#include "engine/put_item.h"
#include "item/size.h"

namespace stator::engine {
namespace {

using Changes = std::span<const expr::AttributeChange>;

bool is_changed(Changes changes, std::string_view name) {
  return std::any_of(changes.begin(), changes.end(),
                     [&](const expr::AttributeChange& change) { return change.name == name; });
}

// The item with its changes, without decoding what stays as it is.
std::string_view merge(const item::StoredItem& before, Changes changes, base::Arena& arena,
                       std::size_t& bytes) {
  item::StoredItemBuilder builder(arena);
  builder.reserve(before.attribute_count() + changes.size());
  before.for_each([&](std::string_view escaped_name, std::string_view text) {
    if (!is_changed(changes, item::unescape(escaped_name, arena))) builder.add_text(escaped_name, text);
  });
  bytes = before.item_bytes();
  for (const expr::AttributeChange& change : changes) {
    if (change.before) bytes -= change.name.size() + item::value_bytes(*change.before);
    if (change.after) {
      bytes += change.name.size() + item::value_bytes(*change.after);
      builder.add(change.name, *change.after);
    }
  }
  return builder.finish(bytes);
}

std::string_view create(item::Attributes key, Changes changes, base::Arena& arena, std::size_t& bytes) {
  item::StoredItemBuilder builder(arena);
  builder.reserve(key.size() + changes.size());
  bytes = item::item_bytes(key);
  for (const item::Attribute& attribute : key) builder.add(attribute.name, attribute.value);
  for (const expr::AttributeChange& change : changes) {
    if (!change.after) continue;
    bytes += change.name.size() + item::value_bytes(*change.after);
    builder.add(change.name, *change.after);
  }
  return builder.finish(bytes);
}

}  // namespace

Result<std::optional<std::string_view>> UpdateDecision::decide(const item::StoredItem* before,
                                                               base::Arena& arena) const {
  TRY_VOID(check_condition(condition_, before, return_item_, arena));
  Changes changes;
  if (update_) {
    TRY(changes, update_->apply(before, arena));
  }
  for (const expr::AttributeChange& change : changes) {
    if (change.after) TRY_VOID(check_index_key(table_, change.name, *change.after));
  }
  std::size_t bytes = 0;
  const std::string_view after =
      before != nullptr ? merge(*before, changes, arena, bytes) : create(key_, changes, arena, bytes);
  if (bytes > kItemBytesMax) {
    return invalid("Item size to update has exceeded the maximum allowed size");
  }
  return after;
}

Result<void> check_update_targets(const Table& table, const expr::Update& update) {
  for (const expr::Path path : update.targets().paths()) {
    const std::string_view name = path.front().name;
    if (table.key.contains(name)) {
      return invalid(fmt::format("One or more parameter values were invalid: Cannot update attribute {}. This "
                                 "attribute is part of the key",
                                 name));
    }
    if (path.size() == 1) continue;
    for (const Index& index : table.indexes) {
      if (index.key.contains(name)) {
        return invalid(fmt::format("Key attributes must be scalars; list random access '[]' and map lookup '.' "
                                   "are not allowed: IndexKey: {}",
                                   name));
      }
    }
  }
  return {};
}

base::Task<Result<UpdateOutcome>> update_item(Engine& engine, const UpdateItemRequest& request,
                                              base::Arena& arena) {
  CO_TRY(const BoundExpressions expressions,
         bind_expressions({.update = request.update, .condition = request.condition}, request.parameters,
                          arena));
  CO_TRY(const TablePtr table, engine.catalog.find_usable(request.table_name));
  CO_TRY(const KeyValues key, check_key(*table, request.key, arena));
  if (expressions.update) CO_TRY_VOID(check_update_targets(*table, *expressions.update));
  const UpdateDecision decision(*table, request.key, expressions.update, expressions.condition,
                                request.return_item_on_failure);
  Result<WriteOutcome> outcome =
      co_await write_item(engine, table, key, decision, request.collection_metrics, arena);
  CO_TRY_VOID(outcome);
  UpdateOutcome result;
  result.write = std::move(*outcome);
  if (expressions.update) result.targets = expressions.update->targets();
  co_return result;
}

}  // namespace stator::engine
