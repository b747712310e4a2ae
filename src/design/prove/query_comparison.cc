#include "design/prove/query_comparison.h"

#include <fmt/format.h>

#include <map>
#include <numeric>

#include "design/prove/filter_check.h"
#include "design/prove/read_request.h"

namespace stator::design {

namespace {

using client::Json;

// What the calls have to read: the whole range, or as much as the limit lets each of them.
struct Reading {
  std::vector<const ExpectedItem*> items;
  std::vector<std::uint64_t> in_partition;  // by partition key of the lookup

  [[nodiscard]] std::uint64_t count() const {
    return std::accumulate(in_partition.begin(), in_partition.end(), std::uint64_t{0});
  }
};

Reading reading_of(const Lookup& lookup) {
  Reading reading;
  reading.in_partition.resize(lookup.partition_keys.size(), 0);
  const std::optional<double>& limit = lookup.pattern->limit;
  for (const ExpectedItem& expected : lookup.expected) {
    std::uint64_t& read = reading.in_partition[expected.partition];
    if (limit && static_cast<double>(read) >= *limit) continue;
    ++read;
    reading.items.push_back(&expected);
  }
  return reading;
}

// Every item as it has to look and where it has to stand.
void compare_items(const Model& model, const Lookup& lookup, const std::vector<const ExpectedItem*>& returned,
                   const QueryAnswer& answer, Outcome& outcome) {
  const std::string where = lookup_text(lookup);
  const Pattern& pattern = *lookup.pattern;
  const KeyAttribute* sort_key = model.sort_key(pattern.index);
  std::map<std::string, const GeneratedItem*> known;  // by table key
  for (const ExpectedItem& expected : lookup.expected)
    known[table_key_json(model, expected.item).dump()] = &expected.item;
  std::vector<std::vector<const ExpectedItem*>> by_partition(lookup.partition_keys.size());
  for (const ExpectedItem* expected : returned) by_partition[expected->partition].push_back(expected);
  std::vector<std::size_t> position(lookup.partition_keys.size(), 0);
  for (std::size_t at = 0; at < answer.items.size(); ++at) {
    const Json& item = answer.items[at];
    const std::string key = table_key_of(model, item).dump();
    const auto found = known.find(key);
    if (found == known.end()) return outcome.fail(fmt::format("{}: item {} does not belong to the result", where, key));
    const Json visible = visible_part(model, pattern, *found->second);
    if (!same_item(item, visible)) {
      return outcome.fail(fmt::format("{}: expected {}, found {}", where, visible.dump(), item.dump()));
    }
    const std::size_t partition = answer.partitions[at];
    const ExpectedItem* expected = by_partition[partition][position[partition]++];
    // Rows with equal sort keys may come in any order.
    if (sort_key == nullptr) continue;
    const GeneratedAttribute* wanted = expected->item.attribute(sort_key->name);
    if (wanted != nullptr && item.value(sort_key->name, Json()) != Json::parse(wanted->json)) {
      return outcome.fail(fmt::format("{}: item {} is out of order, {} was expected", where, key, wanted->text));
    }
  }
}

}  // namespace

std::string lookup_text(const Lookup& lookup) {
  std::string out = lookup.partition_keys.front();
  if (lookup.partition_keys.size() > 1) out += " and its shards";
  if (lookup.sort != nullptr) out += fmt::format(", {} {}", key_operator_text(lookup.sort->op), lookup.sort_value);
  return out;
}

void compare_query(const Model& model, const Lookup& lookup, const QueryAnswer& answer, Outcome& outcome) {
  const std::string where = lookup_text(lookup);
  const Pattern& pattern = *lookup.pattern;
  if (answer.more_pages && !allows(model, pattern, "needs-several-pages")) {
    outcome.fail(fmt::format("{}: one call is not enough, it took {} pages", where, answer.calls));
  }
  const Reading reading = reading_of(lookup);
  std::vector<const ExpectedItem*> returned = reading.items;
  if (pattern.filter) {
    const auto check = FilterCheck::create(*pattern.filter);
    if (!check) return outcome.fail(check.error().message);
    std::erase_if(returned, [&](const ExpectedItem* expected) { return !check->keeps(expected->item, lookup.values); });
  }
  if (answer.count != returned.size() || answer.scanned != reading.count()) {
    return outcome.fail(fmt::format("{}: expected {} items of {} read, found {} of {}", where, returned.size(),
                                    reading.count(), answer.count, answer.scanned));
  }
  if (answer.scanned != answer.count && !allows(model, pattern, "filter-selects")) {
    outcome.fail(fmt::format("{}: {} items were read to return {}; the rest was paid for and thrown away", where,
                             answer.scanned, answer.count));
  }
  if (!same_units(answer.units, answer.expected_units)) {
    outcome.fail(fmt::format("{}: expected {:g} RCU, consumed {:g}", where, answer.expected_units, answer.units));
  }
  if (!pattern.count_only) compare_items(model, lookup, returned, answer, outcome);
}

}  // namespace stator::design
