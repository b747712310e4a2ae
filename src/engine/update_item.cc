#include "engine/update_item.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/expressions.h"
#include "engine/key_check.h"
#include "engine/key_paths.h"
#include "engine/update_check.h"
#include "expr/bound.h"
#include "engine/put_item.h"
#include "item/attribute_finder.h"
#include "item/size.h"

namespace stator::engine {
namespace {

using Changes = std::span<const expr::AttributeChange>;

// Whether an attribute is among the changes. Only AttributeUpdates can have many.
class ChangedNames {
 public:
  explicit ChangedNames(Changes changes) : changes_(changes) {
    if (changes.size() < kMany) return;
    for (const expr::AttributeChange& change : changes) names_.push_back(change.name);
    std::ranges::sort(names_);
  }
  [[nodiscard]] bool contains(std::string_view name) const {
    if (!names_.empty()) return std::ranges::binary_search(names_, name);
    return std::any_of(changes_.begin(), changes_.end(),
                       [&](const expr::AttributeChange& change) { return change.name == name; });
  }

 private:
  static constexpr std::size_t kMany = 64;
  Changes changes_;
  std::vector<std::string_view> names_;  // in order, where they are many
};

// The size of the item with its changes; `bytes` is what it was.
std::size_t changed_bytes(std::size_t bytes, Changes changes) {
  for (const expr::AttributeChange& change : changes) {
    if (change.before) bytes -= change.name.size() + item::value_bytes(*change.before);
    if (change.after) bytes += change.name.size() + item::value_bytes(*change.after);
  }
  return bytes;
}

// The item with its changes, without decoding what stays as it is.
std::string_view merge(const item::StoredItem& before, Changes changes, std::size_t bytes, base::Arena& arena) {
  item::StoredItemBuilder builder(arena);
  builder.reserve(before.attribute_count() + changes.size());
  const ChangedNames changed(changes);
  before.for_each([&](std::string_view escaped_name, std::string_view text) {
    if (!changed.contains(item::unescape(escaped_name, arena))) builder.add_text(escaped_name, text);
  });
  for (const expr::AttributeChange& change : changes) {
    if (change.after) builder.add(change.name, *change.after);
  }
  return builder.finish(bytes);
}

std::string_view create(item::Attributes key, Changes changes, std::size_t bytes, base::Arena& arena) {
  item::StoredItemBuilder builder(arena);
  builder.reserve(key.size() + changes.size());
  for (const item::Attribute& attribute : key) builder.add(attribute.name, attribute.value);
  for (const expr::AttributeChange& change : changes) {
    if (change.after) builder.add(change.name, *change.after);
  }
  return builder.finish(bytes);
}

// The bytes of a request that UpdateItem measures: what is written, and a bit for every clause. A clause counts as one that
// sets if there is something at its path afterwards.
constexpr std::size_t kRequestBytes = 3;
constexpr std::size_t kSetClauseBytes = 19;
constexpr std::size_t kSetElementClauseBytes = 20;
constexpr std::size_t kRemoveClauseBytes = 2;

std::size_t written_bytes(const expr::Projection& targets, const item::StoredItem& after, base::Arena& arena) {
  std::size_t bytes = kRequestBytes;
  const item::AttributeFinder finder(&after, targets.paths().size(), arena);
  for (const std::string_view name : targets.attribute_names()) {
    if (const auto value = finder.find(name)) bytes += name.size() + item::value_bytes(*value);
  }
  for (const expr::Path path : targets.paths()) {
    const auto top = finder.find(path.front().name);
    const bool is_set = top && expr::descend(&*top, path) != nullptr;
    bytes += !is_set                 ? kRemoveClauseBytes
             : path.back().is_index ? kSetElementClauseBytes
                                     : kSetClauseBytes;
  }
  return bytes;
}

// The largest difference that written_bytes() can make, so that few updates have to be measured.
std::size_t written_bytes_max(const expr::Projection& targets, std::size_t item_bytes) {
  return item_bytes + kRequestBytes + targets.paths().size() * kSetElementClauseBytes;
}

}  // namespace

Result<std::optional<std::string_view>> UpdateDecision::decide(const item::StoredItem* before,
                                                               base::Arena& arena) const {
  TRY_VOID(check_condition(condition_, before, return_item_, arena));
  Result<std::optional<std::string_view>> after = change(before, arena);
  if (!after && after.error().code == ErrorCode::validation) {
    after.error().detail = std::make_shared<UpdateFailedDetail>();
  }
  return after;
}

Result<std::optional<std::string_view>> UpdateDecision::change(const item::StoredItem* before,
                                                               base::Arena& arena) const {
  expr::UpdateChanges update;
  if (update_) {
    TRY(update, update_->apply(before, kItemBytesMax, arena, key_));
  }
  const Changes changes = update.changes;
  // What is only taken away from an item that is not there leaves none.
  if (before == nullptr && update_ && changes.empty()) return std::nullopt;
  for (const expr::AttributeChange& change : changes) {
    if (!change.after) continue;
    TRY_VOID(check_updated_index_key(table_, change.name, *change.after));
    if (item::nesting_levels(*change.after) >= kNestingLevelsMax) return invalid(std::string(kResultNestedTooDeep));
  }
  // Nothing is built that has no place.
  const auto too_large = [] { return invalid("Item size to update has exceeded the maximum allowed size"); };
  if (update.too_large) return too_large();
  const std::size_t bytes = changed_bytes(before != nullptr ? before->item_bytes() : item::item_bytes(key_), changes);
  if (bytes > kItemBytesMax) return too_large();
  const std::string_view after =
      before != nullptr ? merge(*before, changes, bytes, arena) : create(key_, changes, bytes, arena);
  if (update_ && measure_ == UpdateMeasure::request &&
      written_bytes_max(update_->targets(), bytes) > kItemBytesMax) {
    TRY(const item::StoredItem stored, item::StoredItem::open(after));
    if (written_bytes(update_->targets(), stored, arena) > kItemBytesMax) return too_large();
  }
  return after;
}

base::Task<Result<UpdateOutcome>> update_item(Engine& engine, const UpdateItemRequest& request,
                                              base::Arena& arena) {
  CO_TRY(const BoundExpressions expressions,
         bind_expressions({.update = request.update, .condition = request.condition}, request.parameters,
                          arena));
  CO_TRY(const WriteTable table, engine.catalog.begin_write(request.table_name));
  CO_TRY(const KeyValues key, check_key(*table, request.key, arena));
  if (expressions.update) CO_TRY_VOID(check_update(*table, *expressions.update));
  if (expressions.condition) CO_TRY_VOID(check_key_paths(*table, *expressions.condition));
  const UpdateDecision decision(*table, request.key, expressions.update, expressions.condition,
                                request.return_item_on_failure, request.measure);
  Result<WriteOutcome> outcome =
      co_await write_item(engine, table.pointer(), key, decision, request.collection_metrics, arena);
  CO_TRY_VOID(outcome);
  UpdateOutcome result;
  result.write = std::move(*outcome);
  if (expressions.update) result.targets = expressions.update->targets();
  co_return result;
}

}  // namespace stator::engine
