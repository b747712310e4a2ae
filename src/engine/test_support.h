#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/sync_wait.h"
#include "engine/create_table.h"
#include "engine/delete_item.h"
#include "engine/engine.h"
#include "engine/get_item.h"
#include "engine/put_item.h"
#include "engine/query.h"
#include "engine/scan.h"
#include "engine/update_item.h"
#include "store/open.h"

// What the tests of this folder share: values and tables in few words, and a database in memory.
namespace stator::engine::testing {

// Attributes of an item, of a key or of ExpressionAttributeValues. Values are views: literals, or
// text that the test keeps.
using Item = std::vector<item::Attribute>;

inline item::Value S(std::string_view text) { return item::Value::string(text); }
inline item::Value N(std::string_view canonical) { return item::Value::number(canonical); }
inline item::Value B(std::string_view bytes) { return item::Value::binary(bytes); }

class ManualClock final : public base::Clock {
 public:
  [[nodiscard]] std::int64_t now_ms() const override { return now_ms_; }
  void advance(std::int64_t ms) { now_ms_ += ms; }

 private:
  std::atomic<std::int64_t> now_ms_ = 1'700'000'000'000;
};

// The first name is the partition key, the second one the sort key.
inline std::vector<KeyElement> key_of(std::initializer_list<std::string_view> names) {
  std::vector<KeyElement> key;
  for (const std::string_view name : names) key.push_back({name, key.empty()});
  return key;
}

inline CreateTableRequest table_request(
    std::string_view name, std::vector<std::pair<std::string_view, item::Type>> definitions,
    std::initializer_list<std::string_view> key) {
  CreateTableRequest request;
  request.name = name;
  request.definitions = std::move(definitions);
  request.key = key_of(key);
  request.billing = BillingMode::on_demand;
  return request;
}

inline IndexInput index_input(std::string_view name, std::initializer_list<std::string_view> key,
                              ProjectionKind projection = ProjectionKind::all,
                              std::vector<std::string_view> included = {}) {
  IndexInput index;
  index.name = name;
  index.key = key_of(key);
  index.projection = projection;
  if (projection == ProjectionKind::include) index.included = std::move(included);
  return index;
}

// pk:S
inline CreateTableRequest simple_request(std::string_view name) {
  return table_request(name, {{"pk", item::Type::string}}, {"pk"});
}
// pk:S sk:N
inline CreateTableRequest sorted_request(std::string_view name) {
  return table_request(name, {{"pk", item::Type::string}, {"sk", item::Type::number}},
                       {"pk", "sk"});
}
// pk:S sk:N with local indexes on l:S and global ones on g:S and h:N, one of each projection.
inline CreateTableRequest indexed_request(std::string_view name) {
  using item::Type;
  CreateTableRequest request = table_request(name,
                                             {{"pk", Type::string},
                                              {"sk", Type::number},
                                              {"l", Type::string},
                                              {"g", Type::string},
                                              {"h", Type::number}},
                                             {"pk", "sk"});
  request.local_indexes = {index_input("local_keys", {"pk", "l"}, ProjectionKind::keys_only),
                           index_input("local_all", {"pk", "l"})};
  request.global_indexes = {index_input("global_all", {"g", "h"}),
                            index_input("global_keys", {"g"}, ProjectionKind::keys_only),
                            index_input("global_some", {"g"}, ProjectionKind::include, {"a", "b"})};
  return request;
}

// The whole of indexed_request's table "t", or of an index of it, for pk = p or g = x. `values` is what the request refers to.
inline QueryRequest query_of(std::string_view index, Item& values) {
  const bool global = index.starts_with("global");
  values = {{":v", S(global ? "x" : "p")}};
  QueryRequest request;
  request.page.table_name = "t";
  if (!index.empty()) request.page.index_name = index;
  request.page.parameters.values = values;
  request.key_condition = global ? "g = :v" : "pk = :v";
  return request;
}

// The table of a request, as the catalog would hold it.
inline Table table_of(const CreateTableRequest& request, TableId id = 7) {
  Result<Table> table = build_table(request);
  EXPECT_TRUE(table.has_value()) << table.error().message;
  table->id = id;
  finish_table(*table);
  return std::move(*table);
}

template <class T>
std::string error_of(const Result<T>& result) {
  return result ? "no error" : result.error().message;
}

inline std::string hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

// The items of a page, each as wire text.
inline std::vector<std::string_view> split_items(std::string_view items) {
  std::vector<std::string_view> result;
  int depth = 0;
  bool in_string = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (in_string) {
      if (items[i] == '\\')
        ++i;
      else if (items[i] == '"')
        in_string = false;
    } else if (items[i] == '"') {
      in_string = true;
    } else if (items[i] == '{' && depth++ == 0) {
      start = i;
    } else if (items[i] == '}' && --depth == 0) {
      result.push_back(items.substr(start, i + 1 - start));
    }
  }
  return result;
}

// An expression with the values of its placeholders.
struct Expression {
  std::string_view text;
  Item values;
};

// What a Query or Scan answered.
struct PageText {
  std::string items;  // wire text with commas between
  Page page;
};

// An engine over memory, with a clock that stands still. Answers point into its arena.
class Database {
 public:
  explicit Database(EngineOptions options = {}) : Database(store::open_memory(), options) {}
  explicit Database(std::unique_ptr<store::Store> store_in, EngineOptions options = {})
      : store(std::move(store_in)), engine(*store, clock, options) {}

  TablePtr create(const CreateTableRequest& request) {
    const Result<TablePtr> table = base::sync_wait(create_table(engine, request));
    EXPECT_TRUE(table.has_value()) << error_of(table);
    return table.value_or(nullptr);
  }

  Result<WriteOutcome> put(std::string_view table, const Item& item,
                           const Expression& condition = {}, bool collection_metrics = false) {
    PutItemRequest request;
    request.table_name = table;
    request.item = item;
    if (!condition.text.empty()) request.condition = condition.text;
    request.parameters.values = condition.values;
    request.return_item_on_failure = true;
    request.collection_metrics = collection_metrics;
    return base::sync_wait(put_item(engine, request, arena));
  }

  Result<WriteOutcome> remove(std::string_view table, const Item& key,
                              const Expression& condition = {}) {
    DeleteItemRequest request;
    request.table_name = table;
    request.key = key;
    if (!condition.text.empty()) request.condition = condition.text;
    request.parameters.values = condition.values;
    return base::sync_wait(delete_item(engine, request, arena));
  }

  // Values of both expressions come with `update`.
  Result<UpdateOutcome> update(std::string_view table, const Item& key, const Expression& update,
                               std::string_view condition = {}) {
    UpdateItemRequest request;
    request.table_name = table;
    request.key = key;
    if (!update.text.empty()) request.update = update.text;
    if (!condition.empty()) request.condition = condition;
    request.parameters.values = update.values;
    return base::sync_wait(update_item(engine, request, arena));
  }

  // The item's wire text; empty where there is none.
  std::string get(std::string_view table, const Item& key) {
    GetItemRequest request;
    request.table_name = table;
    request.key = key;
    const Result<GetItemResult> result = base::sync_wait(get_item(engine, request, arena));
    EXPECT_TRUE(result.has_value()) << error_of(result);
    return result && result->item ? std::string(result->item->text()) : std::string();
  }

  Result<PageText> query(const QueryRequest& request) {
    base::Buffer items;
    Result<Page> page = base::sync_wait(engine::query(engine, request, items, arena));
    if (!page) return tl::unexpected(page.error());
    return PageText{std::string(items.view()), std::move(*page)};
  }

  Result<PageText> scan(const ScanRequest& request) {
    base::Buffer items;
    Result<Page> page = base::sync_wait(engine::scan(engine, request, items, arena));
    if (!page) return tl::unexpected(page.error());
    return PageText{std::string(items.view()), std::move(*page)};
  }

  // Bytes that live as long as this.
  std::string_view keep(std::string_view text) { return arena.copy(text); }

  // Attributes of wire text such as a LastEvaluatedKey.
  Item attributes(std::string_view text) {
    const auto map =
        item::decode_value(keep(std::string(R"({"M":)").append(text).append("}")), arena);
    EXPECT_TRUE(map.has_value()) << text;
    return map ? Item(map->attributes().begin(), map->attributes().end()) : Item();
  }

  std::unique_ptr<store::Store> store;
  ManualClock clock;
  Engine engine;
  base::Arena arena;
};

// The rows of a store in a range, as keys and values.
class StoredRows final : public store::RowVisitor {
 public:
  StoredRows(store::Store& store, std::string_view from, std::string_view to) {
    const Result<void> done =
        base::sync_wait(store.scan({from, to}, store::Direction::ascending, *this));
    EXPECT_TRUE(done.has_value()) << error_of(done);
  }
  store::Visit row(std::string_view key, std::string_view value) override {
    rows.emplace_back(key, value);
    return store::Visit::next;
  }
  std::vector<std::pair<std::string, std::string>> rows;
};

// Rows of one table with all its indexes.
inline std::size_t count_rows(store::Store& store, TableId table) {
  base::Buffer from;
  append_space(from, table, 0);
  base::Buffer to;
  append_space(to, table + 1, 0);
  return StoredRows(store, from.view(), to.view()).rows.size();
}

}  // namespace stator::engine::testing
