#include <fmt/format.h>

#include <algorithm>

#include "design/report/text_table.h"
#include "design/rules/rules.h"

// The service's ceilings: items, keys, collections, pages, batches.
namespace stator::design {
namespace {

constexpr double kItemBytesMax = 400.0 * 1024;
constexpr double kCollectionBytesMax = 10.0 * 1024 * 1024 * 1024;
constexpr double kPageBytesMax = 1024.0 * 1024;
constexpr double kPartitionKeyBytesMax = 2048;
constexpr double kSortKeyBytesMax = 1024;

bool has_local_index(const Model& model) {
  return std::any_of(model.indexes.begin(), model.indexes.end(),
                     [](const Index& index) { return index.kind == IndexKind::local; });
}

// Bytes of one item with its copies in the local indexes: all of it counts to the collection.
double bytes_in_collection(const Model& model, const Entity& entity) {
  double bytes = item_bytes(model, entity).typical;
  for (const Index& index : model.indexes) {
    if (index.kind != IndexKind::local) continue;
    bytes += index_share(model, entity, index) * index_item_bytes(model, entity, index).typical;
  }
  return bytes;
}

void check_local_collections(RuleContext& context) {
  const Model& model = context.model();
  for (const Entity& entity : model.entities) {
    const Template* key = entity.key(model.table.partition_key.name);
    if (key == nullptr) continue;
    const Collection collection = items_per_key(model, entity, *key);
    const double bytes = collection.maximum.value_or(collection.average) * bytes_in_collection(model, entity);
    if (!collection.unbounded && bytes <= kCollectionBytesMax) continue;
    context.report(
        Severity::error, place_of(entity),
        collection.unbounded
            ? fmt::format("items under one {} grow without a limit, and a table with a local index refuses writes to "
                          "a collection of 10 GB",
                          key->text())
            : fmt::format("the largest collection under {} takes {}; with a local index 10 GB is the limit",
                          key->text(), bytes_text(bytes)),
        "Make the local index a global one, or bound the collection: a time or shard component in the partition key.");
  }
}

}  // namespace

void find_unbounded_collections(RuleContext& context) {
  const Model& model = context.model();
  if (has_local_index(model)) check_local_collections(context);
  for (const Resolution& resolution : context.resolutions()) {
    const Pattern& pattern = *resolution.pattern;
    if (pattern.kind != PatternKind::query || pattern.limit || pattern.items) continue;
    const KeyAttribute* sort = model.sort_key(pattern.index);
    const KeyCondition* condition = sort == nullptr ? nullptr : pattern.condition(sort->name);
    if (condition != nullptr && condition->op == KeyOperator::equal) continue;
    for (const EntityReach& one : resolution.reached) {
      const Template* key = one.entity->key(model.partition_key(pattern.index).name);
      if (!items_per_key(model, *one.entity, *key).unbounded) continue;
      context.report(
          place_of(pattern),
          fmt::format("it reads all {} under one key, and their number grows without a limit", one.entity->name),
          "Give it a limit (and page on), or a time component in the key that bounds what one Query reads.");
    }
  }
}

void find_large_items(RuleContext& context) {
  const Model& model = context.model();
  for (const Entity& entity : model.entities) {
    const Bytes bytes = item_bytes(model, entity);
    if (bytes.unbounded) {
      const auto grows = std::find_if(entity.attributes.begin(), entity.attributes.end(),
                                      [](const Attribute& attribute) { return attribute.unbounded; });
      context.report(
          place_of(entity).at(grows->position),
          fmt::format("{} grows without a limit, so that the item passes 400 KB one day", grows->name),
          "Make each element an item of its own in the same item collection, and keep a small summary item.");
    } else if (bytes.maximum > kItemBytesMax) {
      context.report(
          place_of(entity), fmt::format("an item can have {}", bytes_text(bytes.maximum)),
          "Split it: large attributes into items of their own under the same partition key, or into an object store "
          "with the reference here; or compress them.");
    }
  }
}

void find_long_keys(RuleContext& context) {
  const Model& model = context.model();
  const auto check = [&](const Entity& entity, const KeyAttribute& key, double limit) {
    const Template* value = entity.key(key.name);
    if (value == nullptr || key.type == AttributeType::number) return;
    const double bytes = template_bytes(entity, *value).maximum;
    if (bytes <= limit) return;
    context.report(
        place_of(entity).at(value->position()),
        fmt::format("{}={} can have {}, and {:.0f} bytes are the limit", key.name, value->text(), bytes_text(bytes),
                    limit),
        "Declare the real maximum sizes of the fields (max_size), or put a hash of the long one into the key.");
  };
  for (const Entity& entity : model.entities) {
    check(entity, model.table.partition_key, kPartitionKeyBytesMax);
    if (model.table.sort_key) check(entity, *model.table.sort_key, kSortKeyBytesMax);
    for (const Index& index : model.indexes) {
      if (index.kind == IndexKind::global) check(entity, index.partition_key, kPartitionKeyBytesMax);
      if (index.sort_key) check(entity, *index.sort_key, kSortKeyBytesMax);
    }
  }
}

void find_large_batches(RuleContext& context) {
  for (const Pattern& pattern : context.model().patterns) {
    double items = 0;
    for (const Action& action : pattern.actions) items += action.count;
    const double limit = pattern.kind == PatternKind::batch_write ? 25 : 100;
    if (items <= limit) continue;
    context.report(place_of(pattern),
                   fmt::format("{} items in one call, and {:.0f} are the limit", count_text(items), limit),
                   "Cut it into several calls that each make sense alone, or write fewer, larger items.");
  }
}

void find_many_pages(RuleContext& context) {
  const Model& model = context.model();
  for (const Resolution& resolution : context.resolutions()) {
    if (resolution.pattern->kind != PatternKind::query || resolution.reached.empty()) continue;
    double bytes = 0;  // of an average item of those that are reached
    for (const EntityReach& one : resolution.reached) {
      bytes += resolution.index == nullptr ? item_bytes(model, *one.entity).typical
                                           : index_item_bytes(model, *one.entity, *resolution.index).typical;
    }
    bytes /= static_cast<double>(resolution.reached.size());
    const double page = bytes * resolution.items_average / resolution.shards;
    if (page <= kPageBytesMax) continue;
    context.report(
        place_of(*resolution.pattern),
        fmt::format("it reads {} items, {}, on average: {:.0f} calls", count_text(resolution.items_average),
                    bytes_text(page), page / kPageBytesMax + 0.999),
        "Give it a limit, read a smaller projection from an index, or keep the answer as an item of its own.");
  }
}

}  // namespace stator::design
