#include "engine/query.h"

#include <fmt/format.h>

#include "item/key_encoding.h"

namespace stator::engine {
namespace {

std::span<const expr::KeyAttribute> key_attributes(const std::vector<KeyAttribute>& attributes,
                                                   base::Arena& arena) {
  const std::span<expr::KeyAttribute> result = arena.array<expr::KeyAttribute>(attributes.size());
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    result[i] = {attributes[i].name, attributes[i].type};
  }
  return result;
}

// The store's half-open range of keys for a key condition.
struct KeyRange {
  base::Buffer from;
  base::Buffer to;
  std::size_t partition_bytes = 0;  // length of the part that names the partition
};

void copy(base::Buffer& to, const base::Buffer& from) {
  to.clear();
  to.append(from.view());
}

// `bound` := `prefix` with an encoded value behind it, and the bytes above all that start with that if `after`.
void set_bound(base::Buffer& bound, const base::Buffer& prefix, const item::Value& value, bool after) {
  copy(bound, prefix);
  item::append_key_part(bound, value);
  if (after) item::increment_prefix(bound);
}

KeyRange key_range(const ReadTarget& target, const expr::ResolvedKeyCondition& condition) {
  base::Buffer prefix;
  append_space(prefix, target.table->id, target.space());
  append_partition(prefix, condition.partition);
  KeyRange range;
  range.partition_bytes = prefix.size();
  for (const item::Value& value : condition.sort_equal) item::append_key_part(prefix, value);
  copy(range.from, prefix);
  copy(range.to, prefix);
  item::increment_prefix(range.to);
  if (!condition.sort_range) return range;

  const expr::KeyComparison& sort = *condition.sort_range;
  using enum expr::KeyOperator;
  switch (sort.op) {
    case less:
      set_bound(range.to, prefix, sort.low, false);
      break;
    case less_or_equal:
      set_bound(range.to, prefix, sort.low, true);
      break;
    case greater:
      set_bound(range.from, prefix, sort.low, true);
      break;
    case greater_or_equal:
      set_bound(range.from, prefix, sort.low, false);
      break;
    case equal:
      set_bound(range.from, prefix, sort.low, false);
      set_bound(range.to, prefix, sort.low, true);
      break;
    case between:
      set_bound(range.from, prefix, sort.low, false);
      set_bound(range.to, prefix, sort.high, true);
      break;
    case begins_with:
      copy(range.from, prefix);
      item::append_key_prefix(range.from, sort.low.text());
      copy(range.to, range.from);
      item::increment_prefix(range.to);
      break;
  }
  return range;
}

// A page goes on behind the row of ExclusiveStartKey, which must lie inside what is queried.
Result<void> start_after(KeyRange& range, std::string_view start, bool forward, bool has_sort_condition) {
  const std::string_view partition = range.from.view().substr(0, range.partition_bytes);
  if (start.substr(0, range.partition_bytes) != partition) {
    return invalid(has_sort_condition
                       ? "The query can return at most one row and cannot be restarted"
                       : "The provided starting key is outside query boundaries based on provided conditions");
  }
  const bool inside = start >= range.from.view() && (range.to.empty() || start < range.to.view());
  if (!inside) return invalid("The provided starting key does not match the range key predicate");
  base::Buffer& bound = forward ? range.from : range.to;
  bound.clear();
  bound.append(start);
  if (forward) bound.push_back('\0');
  return {};
}

Result<void> check_filter(const ReadTarget& target, const BoundExpressions& expressions) {
  if (!expressions.filter) return {};
  for (const std::string_view name : expressions.filter->attribute_names()) {
    if (target.key().contains(name)) {
      return invalid(fmt::format(
          "Filter Expression can only contain non-primary key attributes: Primary key attribute: {}", name));
    }
  }
  return {};
}

}  // namespace

base::Task<Result<Page>> query(Engine& engine, const QueryRequest& request, base::Buffer& items,
                               base::Arena& arena) {
  const PageRequest& common = request.page;
  CO_TRY(const BoundExpressions expressions, bind_expressions({.key_condition = request.key_condition,
                                                               .filter = common.filter,
                                                               .projection = common.projection},
                                                              common.parameters, arena));
  CO_TRY(const ReadTarget target, find_target(engine, common));
  std::optional<std::string_view> start;
  if (common.start_key) {
    CO_TRY(start, start_row_key(target, *common.start_key, false, arena));
  }
  CO_TRY(const expr::ResolvedKeyCondition condition,
         expr::resolve_key_condition(*expressions.key_condition,
                                     key_attributes(target.key().partition, arena),
                                     key_attributes(target.key().sort, arena), arena));
  CO_TRY_VOID(check_filter(target, expressions));
  CO_TRY_VOID(check_select(target, common, expressions));
  KeyRange range = key_range(target, condition);
  if (start) {
    const bool has_sort_condition = condition.sort_range || !condition.sort_equal.empty();
    CO_TRY_VOID(start_after(range, *start, request.forward, has_sort_condition));
  }
  Result<Page> page = co_await read_page(
      engine, target, common, expressions, {range.from.view(), range.to.view()},
      request.forward ? store::Direction::ascending : store::Direction::descending, items, arena);
  co_return page;
}

}  // namespace stator::engine
