#include "engine/batch_get_item.h"

#include <algorithm>

#include "base/turn.h"
#include "engine/expressions.h"
#include "engine/key_check.h"
#include "engine/key_paths.h"
#include "item/stored_item.h"

namespace stator::engine {
namespace {

// Keys are compared before the table is known: by their attributes in the order of the names.
Result<void> check_distinct(std::span<const item::Attributes> keys) {
  if (keys.size() < 2) return {};
  std::vector<std::string> texts;
  for (const item::Attributes key : keys) {
    std::vector<item::Attribute> sorted(key.begin(), key.end());
    std::sort(sorted.begin(), sorted.end(),
              [](const item::Attribute& a, const item::Attribute& b) { return a.name < b.name; });
    base::Buffer text;
    item::append_attributes(text, sorted);
    texts.emplace_back(text.view());
  }
  std::sort(texts.begin(), texts.end());
  if (std::adjacent_find(texts.begin(), texts.end()) == texts.end()) return {};
  return invalid("Provided list of item keys contains duplicates");
}

struct Lookup {
  TablePtr table;
  std::vector<std::string_view> row_keys;
  std::optional<expr::Projection> projection;
};

Result<Lookup> prepare_table(Engine& engine, const BatchGetTable& table,
                             std::optional<expr::Projection> projection, base::Arena& arena) {
  Lookup lookup;
  lookup.projection = std::move(projection);
  TRY(lookup.table, engine.catalog.find_usable(table.table_name));
  for (const item::Attributes key : table.keys) {
    TRY(const KeyValues values, check_key(*lookup.table, key, arena));
    lookup.row_keys.push_back(table_row_key(*lookup.table, values, arena));
  }
  if (lookup.projection) TRY_VOID(check_key_paths(*lookup.table, *lookup.projection));
  return lookup;
}

}  // namespace

base::Task<Result<std::vector<BatchGetTableResult>>> batch_get_item(Engine& engine,
                                                                    std::span<const BatchGetTable> tables,
                                                                    base::Arena& arena) {
  std::vector<std::optional<expr::Projection>> projections;
  for (const BatchGetTable& table : tables) {
    CO_TRY(BoundExpressions bound,
           bind_expressions({.projection = table.projection}, table.parameters, arena));
    projections.push_back(bound.projection);
    if (!table.invalid_key.empty()) co_return invalid(std::string(table.invalid_key));
    CO_TRY_VOID(check_distinct(table.keys));
  }
  std::vector<Lookup> lookups;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    CO_TRY(Lookup lookup, prepare_table(engine, tables[i], projections[i], arena));
    lookups.push_back(std::move(lookup));
  }

  std::vector<BatchGetTableResult> results(tables.size());
  std::size_t answer_bytes = 0;
  base::Arena scratch;
  base::Turn turn;
  bool done = false;
  std::optional<Error> throttled;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Lookup& lookup = lookups[i];
    BatchGetTableResult& result = results[i];
    result.consumed.table = lookup.table;
    const Result<std::vector<store::Row>> rows =
        co_await engine.reads(tables[i].consistent).get_many(lookup.row_keys, store::ReadMode::committed);
    CO_TRY_VOID(rows);
    // A throttled key is left out.
    const auto admit = [&](std::size_t k, std::size_t bytes) {
      const HalfUnits cost = read_cost(bytes, tables[i].consistent);
      const Result<void> admitted = engine.admission.admit_read(*lookup.table, lookup.row_keys[k], cost);
      if (admitted) {
        result.consumed.table_cost += cost;
        done = true;
      } else {
        result.unprocessed.push_back(k);
        result.throttled = true;
        throttled = admitted.error();
      }
      return admitted.has_value();
    };
    for (std::size_t k = 0; k < rows->size(); ++k) {
      const store::Row& row = (*rows)[k];
      if (!row.exists) {
        static_cast<void>(admit(k, 0));
        continue;
      }
      CO_TRY(const item::StoredItem item, item::StoredItem::open(row.value.view()));
      // The answer holds 16 MB of items, however small a projection makes them.
      if (answer_bytes + item.item_bytes() > kBatchGetBytesMax) {
        result.unprocessed.push_back(k);
        continue;
      }
      if (!admit(k, item.item_bytes())) continue;
      answer_bytes += item.item_bytes();
      if (!result.items.empty()) result.items.push_back(',');
      if (lookup.projection) {
        scratch.reset();
        lookup.projection->append(result.items, item, scratch);
        if (turn.is_over()) co_await turn.next();
      } else {
        result.items.append(item.text());
      }
    }
  }
  if (throttled && !done) co_return tl::unexpected(*throttled);
  co_return results;
}

}  // namespace stator::engine
