#include "engine/query.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/key_paths.h"
#include "engine/start_key.h"
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
    case not_indexable:
      CHECK(false);  // refused when the condition was resolved
  }
  return range;
}

// The key condition against the schema, and the start key with it: the service walks the schema and looks at the start key,
// then at the condition, of the partition key before it goes on to the sort key.
Result<expr::ResolvedKeyCondition> resolve_condition(const ReadTarget& target,
                                                     const expr::KeyCondition& condition,
                                                     const std::optional<item::Attributes>& start_key,
                                                     base::Arena& arena) {
  const KeySchema& key = target.key();
  const std::span<const expr::KeyAttribute> partition = key_attributes(key.partition, arena);
  if (start_key) {
    TRY_VOID(check_start_key_count(target, *start_key));
    TRY_VOID(check_start_key_part(key.partition, *start_key));
    const Result<void> sort = check_start_key_part(key.sort, *start_key);
    if (!sort) {
      std::vector<expr::KeyComparison> on_partition;
      for (const expr::KeyComparison& comparison : condition.comparisons) {
        const bool is_partition =
            std::any_of(key.partition.begin(), key.partition.end(),
                        [&](const KeyAttribute& attribute) { return attribute.name == comparison.attribute; });
        if (is_partition) on_partition.push_back(comparison);
      }
      TRY_VOID(expr::resolve_key_condition({on_partition, condition.parsed}, partition, {}, arena));
      return tl::unexpected(sort.error());
    }
  }
  return expr::resolve_key_condition(condition, partition, key_attributes(key.sort, arena), arena);
}

// Whether a row of any partition would satisfy the condition on the sort key.
bool in_sort_range(const KeyRange& range, const StartKey& start) {
  const std::string_view partition = range.from.view().substr(0, range.partition_bytes);
  const std::string_view sort = start.row_key.substr(start.partition_bytes);
  if (sort < range.from.view().substr(range.partition_bytes)) return false;
  // The end of an open range lies behind the partition.
  if (!range.to.view().starts_with(partition)) return true;
  return sort < range.to.view().substr(range.partition_bytes);
}

// A key without sort key names one item at most: there is no second page.
bool reads_one_item(const ReadTarget& target) { return target.index == nullptr && target.key().sort.empty(); }

// A page goes on behind the row of ExclusiveStartKey, which must lie inside what is queried.
Result<void> start_after(KeyRange& range, const StartKey& start, bool forward, bool has_sort_condition) {
  if (has_sort_condition && !in_sort_range(range, start)) {
    return invalid("The provided starting key does not match the range key predicate");
  }
  const std::string_view partition = range.from.view().substr(0, range.partition_bytes);
  if (start.row_key.substr(0, start.partition_bytes) != partition) {
    return invalid(has_sort_condition
                       ? "The query can return at most one row and cannot be restarted"
                       : "The provided starting key is outside query boundaries based on provided conditions");
  }
  base::Buffer& bound = forward ? range.from : range.to;
  bound.clear();
  bound.append(start.row_key);
  if (forward) bound.push_back('\0');
  return {};
}

Result<void> check_filter(const ReadTarget& target, const PageRequest& request,
                          const BoundExpressions& expressions) {
  if (!expressions.filter || request.filters_keys) return {};
  for (const std::string_view name : expressions.filter->attribute_names()) {
    if (target.key().contains(name)) {
      return invalid(
          fmt::format("{} can only contain non-primary key attributes: Primary key attribute: {}",
                      request.filter.text() != nullptr ? "Filter Expression" : "QueryFilter", name));
    }
  }
  if (target.index == nullptr) return {};
  std::vector<std::string_view> missing;
  for (const std::string_view name : expressions.filter->attribute_names()) {
    if (!is_projected(*target.index, name)) missing.push_back(name);
  }
  if (missing.empty()) return {};
  std::sort(missing.begin(), missing.end());
  return invalid(fmt::format("One or more parameter values were invalid: Secondary index {} does not project one or "
                             "more filter attributes: [{}]",
                             target.index->name, fmt::join(missing, ", ")));
}

}  // namespace

base::Task<Result<Page>> query(Engine& engine, const QueryRequest& request, base::Buffer& items,
                               base::Arena& arena) {
  const PageRequest& common = request.page;
  CO_TRY(const BoundExpressions expressions, bind_expressions({.key_condition = request.key_condition,
                                                               .filter = common.filter,
                                                               .projection = common.projection},
                                                              common.parameters, arena));
  // The classic layer knows how many keys a table has at most before it knows the table.
  const bool too_many = !common.index_name && expressions.key_condition->comparisons.size() > 2;
  if (too_many && expressions.key_condition->layer == expr::Layer::classic) {
    co_return invalid(std::string(expr::kTooManyConditions));
  }
  CO_TRY(const ReadTarget target, find_target(engine, common));
  CO_TRY(const expr::ResolvedKeyCondition condition,
         resolve_condition(target, *expressions.key_condition, common.start_key, arena));
  KeyRange range = key_range(target, condition);
  if (common.start_key) {
    if (reads_one_item(target)) co_return invalid("The provided exclusive start key is invalid");
    CO_TRY(const StartKey start, resolve_start_key(target, *common.start_key, arena));
    const bool has_sort_condition = condition.sort_range || !condition.sort_equal.empty();
    CO_TRY_VOID(start_after(range, start, request.forward, has_sort_condition));
  }
  if (expressions.projection) CO_TRY_VOID(check_key_paths(*target.table, *expressions.projection));
  CO_TRY_VOID(check_filter(target, common, expressions));
  CO_TRY_VOID(check_select(target, common, expressions));
  if (expressions.filter) CO_TRY_VOID(check_key_paths(*target.table, *expressions.filter));
  Result<Page> page = co_await read_page(
      engine, target, common, expressions, {range.from.view(), range.to.view()},
      request.forward ? store::Direction::ascending : store::Direction::descending, AccessKind::query, items, arena);
  if (page && reads_one_item(target)) page->last_key_text.clear();
  co_return page;
}

}  // namespace stator::engine
