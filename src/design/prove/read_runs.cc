#include "design/prove/read_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/prove/query_comparison.h"
#include "design/prove/read_request.h"
#include "design/report/text_table.h"

namespace stator::design {

namespace {

using client::Json;

}  // namespace

Outcome ReadRuns::run(const Pattern& pattern, const std::vector<Lookup>& lookups, std::size_t runs) {
  Outcome outcome;
  outcome.name = pattern.name;
  outcome.call = pattern.kind == PatternKind::get ? "GetItem" : "Query";
  if (!pattern.index.empty()) outcome.call += " " + pattern.index;
  for (std::size_t at = 0; at < std::max(runs, lookups.size()); ++at) {
    const Lookup& lookup = lookups[at % lookups.size()];
    ++outcome.runs;
    if (pattern.kind == PatternKind::get) {
      run_get(lookup, outcome);
    } else {
      run_query(lookup, outcome);
    }
  }
  outcome.average();
  return outcome;
}

// One GetItem, or one for each shard.
void ReadRuns::run_get(const Lookup& lookup, Outcome& outcome) {
  for (std::size_t partition = 0; partition < lookup.partition_keys.size(); ++partition)
    get_one(lookup, partition, outcome);
}

void ReadRuns::get_one(const Lookup& lookup, std::size_t partition, Outcome& outcome) {
  std::vector<const GeneratedItem*> expected;
  for (const ExpectedItem& one : lookup.expected)
    if (one.partition == partition) expected.push_back(&one.item);
  std::string where = lookup.partition_keys[partition];
  if (lookup.sort != nullptr) where += ", " + lookup.sort_value;
  const auto answer = timed_call(client_, "GetItem", get_request(model_, table_, lookup, partition), outcome);
  if (!answer) return outcome.fail(fmt::format("{}: {}", where, answer.error().message));
  outcome.calls += 1;
  const double units = consumed_units(*answer);
  outcome.units += units;
  if (expected.size() > 1)
    return outcome.fail(fmt::format("{}: {} items have this key; a GetItem returns one", where, expected.size()));
  const bool there = answer->contains("Item");
  outcome.items += there ? 1 : 0;
  if (there != !expected.empty()) {
    return outcome.fail(fmt::format("{}: expected {}, found {}", where, expected.empty() ? "no item" : "an item",
                                    there ? "one" : "none"));
  }
  if (there) {
    const Json visible = visible_part(model_, *lookup.pattern, *expected.front());
    const Json& item = answer->at("Item");
    if (!same_item(item, visible)) {
      return outcome.fail(fmt::format("{}: expected {}, found {}", where, visible.dump(), item.dump()));
    }
  }
  const double predicted = exact_read_units(there ? expected.front()->bytes() : 0, lookup.pattern->consistency);
  if (!same_units(units, predicted)) {
    outcome.fail(fmt::format("{}: expected {:g} RCU, consumed {:g}", where, predicted, units));
  }
}

Result<QueryAnswer> ReadRuns::query_all(const Lookup& lookup, Outcome& outcome) {
  const Pattern& pattern = *lookup.pattern;
  QueryAnswer all;
  for (std::size_t partition = 0; partition < lookup.partition_keys.size(); ++partition) {
    std::vector<std::size_t> rows;  // bytes of what the call reads, in order
    for (const ExpectedItem& expected : lookup.expected)
      if (expected.partition == partition) rows.push_back(bytes_read(model_, pattern, expected.item));
    std::size_t read = 0;
    Json request = query_request(model_, table_, lookup, partition);
    while (true) {
      TRY(const Json answer, timed_call(client_, "Query", request, outcome));
      all.calls += 1;
      all.count += answer.value("Count", std::uint64_t{0});
      const auto scanned = answer.value("ScannedCount", std::uint64_t{0});
      all.scanned += scanned;
      all.units += consumed_units(answer);
      std::size_t bytes = 0;
      for (std::uint64_t at = 0; at < scanned && read < rows.size(); ++at) bytes += rows[read++];
      all.expected_units += exact_read_units(bytes, pattern.consistency);
      for (const Json& item : answer.value("Items", Json::array())) {
        all.items.push_back(item);
        all.partitions.push_back(partition);
      }
      const bool full = pattern.limit && static_cast<double>(read) >= *pattern.limit;
      if (!answer.contains("LastEvaluatedKey") || full || scanned == 0) break;
      request["ExclusiveStartKey"] = answer["LastEvaluatedKey"];
      if (pattern.limit) request["Limit"] = static_cast<std::int64_t>(*pattern.limit) - static_cast<std::int64_t>(read);
      all.more_pages = true;
    }
  }
  return all;
}

void ReadRuns::run_query(const Lookup& lookup, Outcome& outcome) {
  const auto answer = query_all(lookup, outcome);
  if (!answer) return outcome.fail(fmt::format("{}: {}", lookup_text(lookup), answer.error().message));
  outcome.calls += answer->calls;
  outcome.items += static_cast<double>(answer->count);
  outcome.units += answer->units;
  compare_query(model_, lookup, *answer, outcome);
}

Outcome ReadRuns::run_index_count(const Index& index, std::uint64_t expected, std::uint64_t items) {
  Outcome outcome;
  outcome.name = index.name + " is sparse";
  outcome.call = "Scan " + index.name;
  outcome.runs = 1;
  Json request = {
      {"TableName", table_}, {"IndexName", index.name}, {"Select", "COUNT"}, {"ReturnConsumedCapacity", "TOTAL"}};
  std::uint64_t found = 0;
  while (true) {
    const auto answer = timed_call(client_, "Scan", request, outcome);
    if (!answer) {
      outcome.fail(answer.error().message);
      return outcome;
    }
    outcome.calls += 1;
    outcome.units += consumed_units(*answer);
    found += answer->value("Count", std::uint64_t{0});
    if (!answer->contains("LastEvaluatedKey")) break;
    request["ExclusiveStartKey"] = (*answer)["LastEvaluatedKey"];
  }
  outcome.items = static_cast<double>(found);
  outcome.notes.push_back(fmt::format("the index holds {} of {} items", figure(static_cast<double>(found)),
                                      figure(static_cast<double>(items))));
  if (found != expected) outcome.fail(fmt::format("expected {} items in the index, found {}", expected, found));
  return outcome;
}

}  // namespace stator::design
