#include "partiql/sort_range.h"

#include <fmt/format.h>

#include "partiql/where.h"

namespace stator::partiql {
namespace {

using expr::BoundNode;
using expr::KeyComparison;
using expr::KeyOperator;

struct Found {
  std::size_t node = 0;
  KeyComparison comparison;
};

// An empty range or prefix is left to the filter, which finds nothing or everything.
bool is_servable(const KeyComparison& comparison) {
  const bool is_number = comparison.low.is(item::Type::number);
  if (!is_number && comparison.low.text().empty()) return false;
  if (comparison.op == KeyOperator::begins_with && is_number) return false;
  return comparison.op != KeyOperator::between || item::compare(comparison.low, comparison.high) <= 0;
}

// One end of a range.
struct Bound {
  std::optional<item::Value> value;
  bool strict = false;

  // Keeps the tighter one; `sign` is 1 for a lower bound, -1 for an upper one.
  void tighten(const item::Value& other, bool other_strict, int sign) {
    const int compared = value ? item::compare(other, *value).value_or(0) * sign : 1;
    if (compared < 0) return;
    strict = other_strict || (compared == 0 && strict);
    value = other;
  }
};

void tighten(Bound& low, Bound& high, const KeyComparison& comparison) {
  switch (comparison.op) {
    case KeyOperator::greater:
    case KeyOperator::greater_or_equal:
      low.tighten(comparison.low, comparison.op == KeyOperator::greater, 1);
      return;
    case KeyOperator::less:
    case KeyOperator::less_or_equal:
      high.tighten(comparison.low, comparison.op == KeyOperator::less, -1);
      return;
    case KeyOperator::between:
      low.tighten(comparison.low, false, 1);
      high.tighten(comparison.high, false, -1);
      return;
    default:
      return;
  }
}

void erase_nodes(std::vector<BoundNode>& nodes, const std::vector<Found>& found) {
  for (auto each = found.rbegin(); each != found.rend(); ++each) {
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(each->node));
  }
}

bool is_strict(const Found& found) {
  return found.comparison.op == KeyOperator::greater || found.comparison.op == KeyOperator::less;
}

}  // namespace

Result<void> check_key_type(const engine::KeyAttribute& attribute, const item::Value& value) {
  if (value.is(attribute.type)) return {};
  const bool can_be_key =
      value.is(item::Type::string) || value.is(item::Type::number) || value.is(item::Type::binary);
  if (!can_be_key) {
    return invalid(fmt::format("Key value must be of type S, N, or B. Key name: {}, Key type: {}", attribute.name,
                               item::type_name(value.type())));
  }
  return invalid(
      fmt::format("Key attribute's data type should match its data type in table's schema: Key {}", attribute.name));
}

Result<std::optional<KeyComparison>> take_sort_range(const engine::KeyAttribute& sort_key,
                                                     std::vector<BoundNode>& nodes) {
  std::vector<Found> found;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::optional<KeyComparison> comparison = key_comparison(nodes[i], sort_key.name);
    if (!comparison) continue;
    TRY_VOID(check_key_type(sort_key, comparison->low));
    if (comparison->op == KeyOperator::between) TRY_VOID(check_key_type(sort_key, comparison->high));
    if (is_servable(*comparison)) found.push_back({i, *comparison});
  }
  if (found.empty()) return std::nullopt;
  for (const Found& each : found) {
    if (each.comparison.op != KeyOperator::equal && each.comparison.op != KeyOperator::begins_with) continue;
    erase_nodes(nodes, {each});
    return each.comparison;
  }
  Bound low;
  Bound high;
  for (const Found& each : found) tighten(low, high, each.comparison);
  KeyComparison range = found.front().comparison;
  if (!low.value || !high.value) {
    const Bound& bound = low.value ? low : high;
    range.op = low.value ? (bound.strict ? KeyOperator::greater : KeyOperator::greater_or_equal)
                         : (bound.strict ? KeyOperator::less : KeyOperator::less_or_equal);
    range.low = *bound.value;
    erase_nodes(nodes, found);
    return range;
  }
  if (item::compare(*low.value, *high.value) > 0) {  // nothing can match: the filter sees to it
    range.op = KeyOperator::greater_or_equal;
    range.low = *low.value;
    return range;
  }
  range.op = KeyOperator::between;
  range.low = *low.value;
  range.high = *high.value;
  std::erase_if(found, is_strict);  // the ends of BETWEEN are inside, so these have something left to say
  erase_nodes(nodes, found);
  return range;
}

bool overlap(const std::optional<KeyComparison>& a, const std::optional<KeyComparison>& b) {
  if (!a || !b) return true;
  const auto ends_before = [](const KeyComparison& first, const KeyComparison& second) {
    const bool has_start = second.op != KeyOperator::less && second.op != KeyOperator::less_or_equal;
    const bool has_end = first.op != KeyOperator::greater && first.op != KeyOperator::greater_or_equal;
    if (!has_end || !has_start) return false;
    const item::Value& end = first.op == KeyOperator::between ? first.high : first.low;
    const int order = item::compare(end, second.low).value_or(0);
    if (first.op == KeyOperator::begins_with) return order < 0 && !second.low.text().starts_with(end.text());
    return order < 0 || (order == 0 && (first.op == KeyOperator::less || second.op == KeyOperator::greater));
  };
  return !ends_before(*a, *b) && !ends_before(*b, *a);
}

}  // namespace stator::partiql
