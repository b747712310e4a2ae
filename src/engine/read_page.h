#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/task.h"
#include "engine/engine.h"
#include "engine/expressions.h"
#include "engine/request.h"
#include "engine/row_key.h"

namespace stator::engine {

inline constexpr std::size_t kPageBytesMax = 1024 * 1024;

enum class Select : std::uint8_t { all_attributes, all_projected, specific, count };

// What Query and Scan have in common.
struct PageRequest {
  std::string_view table_name;
  std::optional<std::string_view> index_name;
  ExpressionSource<expr::Condition> filter;
  ExpressionSource<expr::Projection> projection;
  ExpressionParameters parameters;
  std::optional<Select> select;
  std::optional<std::int64_t> limit;
  std::optional<item::Attributes> start_key;
  bool consistent = false;
  bool filters_keys = false;  // whether the filter of a query may look at the key: PartiQL's may
  bool restarts = false;      // whether a query of one item may be gone on with behind it: PartiQL's, which has several parts, may
};

// One page. The items themselves have been appended to the buffer that the caller gave, as wire text with commas between.
struct Page {
  std::int64_t count = 0;
  std::int64_t scanned_count = 0;
  std::string last_key_text;  // wire text of LastEvaluatedKey; empty where the range is at its end
  bool has_items = true;      // false for Select COUNT
  ConsumedCapacity consumed;
};

// A table or one of its indexes as the target of a read.
struct ReadTarget {
  TablePtr table;
  const Index* index = nullptr;  // null: the table itself

  [[nodiscard]] const KeySchema& key() const { return index != nullptr ? index->key : table->key; }
  [[nodiscard]] IndexId space() const { return index != nullptr ? index->id : IndexId{0}; }
};

[[nodiscard]] Result<ReadTarget> find_target(const Engine& engine, const PageRequest& request);

// Whether the rows of an index hold an attribute.
[[nodiscard]] bool is_projected(const Index& index, std::string_view name);

// The rules of Select, projection and index that need the table.
[[nodiscard]] Result<void> check_select(const ReadTarget& target, const PageRequest& request,
                                        const BoundExpressions& expressions);

// Reads rows of [from, to) until the page is full. `items` gets the page's items appended.
[[nodiscard]] base::Task<Result<Page>> read_page(Engine& engine, const ReadTarget& target,
                                                 const PageRequest& request,
                                                 const BoundExpressions& expressions, store::Range range,
                                                 store::Direction direction, AccessKind kind,
                                                 base::Buffer& items, base::Arena& arena);

}  // namespace stator::engine
