#include "design/prove/read_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "design/filter_text.h"
#include "design/generate/random.h"
#include "design/prove/filter_check.h"
#include "design/report/text_table.h"

namespace stator::design {

namespace {

using client::Json;

std::string lookup_text(const Lookup& lookup) {
  std::string out = lookup.partition_keys.front();
  if (lookup.partition_keys.size() > 1) out += " and its shards";
  if (lookup.sort != nullptr) out += fmt::format(", {} {}", key_operator_text(lookup.sort->op), lookup.sort_value);
  return out;
}

// The names that the application needs, and the keys by which rows are told apart.
std::set<std::string> asked_names(const Model& model, const Pattern& pattern) {
  std::set<std::string> names(pattern.projection.begin(), pattern.projection.end());
  if (names.empty()) return names;
  for (const std::string& index : {std::string(), pattern.index}) {
    names.insert(model.partition_key(index).name);
    if (const KeyAttribute* sort = model.sort_key(index)) names.insert(sort->name);
  }
  return names;
}

void add_projection(const Model& model, const Pattern& pattern, Json& request) {
  std::string expression;
  for (const std::string& name : asked_names(model, pattern)) {
    const std::string placeholder = fmt::format("#p{}", request["ExpressionAttributeNames"].size());
    request["ExpressionAttributeNames"][placeholder] = name;
    expression += (expression.empty() ? "" : ", ") + placeholder;
  }
  if (!expression.empty()) request["ProjectionExpression"] = expression;
}

std::string key_expression(const KeyCondition& condition, std::string_view name, std::string_view value,
                           std::string_view upper) {
  switch (condition.op) {
    case KeyOperator::equal:
      return fmt::format("{} = {}", name, value);
    case KeyOperator::begins_with:
      return fmt::format("begins_with({}, {})", name, value);
    case KeyOperator::less:
      return fmt::format("{} < {}", name, value);
    case KeyOperator::less_or_equal:
      return fmt::format("{} <= {}", name, value);
    case KeyOperator::greater:
      return fmt::format("{} > {}", name, value);
    case KeyOperator::greater_or_equal:
      return fmt::format("{} >= {}", name, value);
    case KeyOperator::between:
      break;
  }
  return fmt::format("{} BETWEEN {} AND {}", name, value, upper);
}

Json wire_key(const KeyAttribute& key, const std::string& text) {
  return Json::parse(make_attribute(key.name, key.type, text, 0, 0).json);
}

bool near(double a, double b) { return std::abs(a - b) < 1e-6; }

std::string units_text(double units) { return fmt::format("{:g}", units); }

}  // namespace

Result<Json> ReadRuns::timed_call(std::string_view operation, const Json& request, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  auto answer = client_.call(fmt::format("DynamoDB_20120810.{}", operation), request);
  outcome.latencies_ms.push_back(
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  return answer;
}

std::size_t ReadRuns::row_bytes(const Pattern& pattern, const GeneratedItem& item) const {
  const Index* index = pattern.index.empty() ? nullptr : model_.index(pattern.index);
  return index == nullptr ? item.bytes() : projected_bytes(model_, *index, item);
}

// What the pattern sees of an item: the index's part of it, and of that what it asks for.
Json ReadRuns::visible(const Pattern& pattern, const GeneratedItem& item) const {
  const Index* index = pattern.index.empty() ? nullptr : model_.index(pattern.index);
  std::vector<std::string> names;
  if (index != nullptr) {
    names = projected_names(model_, *index, item);
  } else {
    for (const GeneratedAttribute& attribute : item.attributes) names.push_back(attribute.name);
  }
  const std::set<std::string> asked = asked_names(model_, pattern);
  if (!asked.empty()) std::erase_if(names, [&](const std::string& name) { return !asked.contains(name); });
  return Json::parse(item.json(names));
}

Outcome ReadRuns::run(const Pattern& pattern, const std::vector<Lookup>& lookups, std::size_t runs) {
  Outcome outcome;
  outcome.name = pattern.name;
  outcome.call = pattern.kind == PatternKind::get ? "GetItem" : "Query";
  if (!pattern.index.empty()) outcome.call += " " + pattern.index;
  for (std::size_t at = 0; at < std::max(runs, lookups.size()); ++at) {
    const Lookup& lookup = lookups[at % lookups.size()];
    ++outcome.runs;
    if (pattern.kind == PatternKind::get) {
      run_get(pattern, lookup, outcome);
    } else {
      run_query(pattern, lookup, outcome);
    }
  }
  if (outcome.runs > 0) {
    const auto count = static_cast<double>(outcome.runs);
    outcome.calls /= count;
    outcome.items /= count;
    outcome.units /= count;
  }
  return outcome;
}

// One GetItem, or one for each shard.
void ReadRuns::run_get(const Pattern& pattern, const Lookup& lookup, Outcome& outcome) {
  for (std::size_t partition = 0; partition < lookup.partition_keys.size(); ++partition)
    get_one(pattern, lookup, partition, outcome);
}

void ReadRuns::get_one(const Pattern& pattern, const Lookup& lookup, std::size_t partition, Outcome& outcome) {
  std::vector<const GeneratedItem*> expected;
  for (const ExpectedItem& one : lookup.expected)
    if (one.partition == partition) expected.push_back(&one.item);
  std::string where = lookup.partition_keys[partition];
  Json request = {{"TableName", table_}, {"ReturnConsumedCapacity", "TOTAL"}};
  request["Key"][model_.table.partition_key.name] =
      wire_key(model_.table.partition_key, lookup.partition_keys[partition]);
  if (lookup.sort != nullptr) {
    where += ", " + lookup.sort_value;
    request["Key"][model_.table.sort_key->name] = wire_key(*model_.table.sort_key, lookup.sort_value);
  }
  if (pattern.consistency == Consistency::strong) request["ConsistentRead"] = true;
  add_projection(model_, pattern, request);
  const auto answer = timed_call("GetItem", request, outcome);
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
  if (there && !same_item((*answer)["Item"], visible(pattern, *expected.front()))) {
    return outcome.fail(fmt::format("{}: expected {}, found {}", where, visible(pattern, *expected.front()).dump(),
                                    (*answer)["Item"].dump()));
  }
  const double predicted = exact_read_units(there ? expected.front()->bytes() : 0, pattern.consistency);
  if (!near(units, predicted)) {
    outcome.fail(fmt::format("{}: expected {} RCU, consumed {}", where, units_text(predicted), units_text(units)));
  }
}

Json ReadRuns::query_request(const Pattern& pattern, const Lookup& lookup, std::size_t partition) const {
  const KeyAttribute& partition_key = model_.partition_key(pattern.index);
  const KeyAttribute* sort_key = model_.sort_key(pattern.index);
  Json request = {{"TableName", table_}, {"ReturnConsumedCapacity", "TOTAL"}};
  if (!pattern.index.empty()) request["IndexName"] = pattern.index;
  request["ExpressionAttributeNames"]["#partition"] = partition_key.name;
  request["ExpressionAttributeValues"][":partition"] = wire_key(partition_key, lookup.partition_keys[partition]);
  std::string expression = "#partition = :partition";
  if (lookup.sort != nullptr) {
    request["ExpressionAttributeNames"]["#sort"] = sort_key->name;
    request["ExpressionAttributeValues"][":sort"] = wire_key(*sort_key, lookup.sort_value);
    if (lookup.sort->op == KeyOperator::between) {
      request["ExpressionAttributeValues"][":upper"] = wire_key(*sort_key, lookup.sort_upper);
    }
    expression += " AND " + key_expression(*lookup.sort, "#sort", ":sort", ":upper");
  }
  request["KeyConditionExpression"] = expression;
  if (pattern.order == Order::descending) request["ScanIndexForward"] = false;
  if (pattern.consistency == Consistency::strong) request["ConsistentRead"] = true;
  if (pattern.limit) request["Limit"] = static_cast<std::int64_t>(*pattern.limit);
  if (pattern.count_only) request["Select"] = "COUNT";
  if (pattern.filter) {
    request["FilterExpression"] = with_name_placeholders(*pattern.filter);
    for (const std::string& name : pattern.filter->attributes) request["ExpressionAttributeNames"]["#" + name] = name;
    for (const std::string& name : pattern.filter->parameters) {
      const auto value = lookup.values.find(name);
      if (value != lookup.values.end()) {
        request["ExpressionAttributeValues"][":" + name] =
            Json::parse(parameter_json(model_, pattern, name, value->second));
      }
    }
  }
  if (!pattern.count_only) add_projection(model_, pattern, request);
  return request;
}

Result<ReadRuns::Answer> ReadRuns::query_all(const Pattern& pattern, const Lookup& lookup, Outcome& outcome) {
  Answer all;
  for (std::size_t partition = 0; partition < lookup.partition_keys.size(); ++partition) {
    std::vector<std::size_t> rows;  // bytes of what the call reads, in order
    for (const ExpectedItem& expected : lookup.expected)
      if (expected.partition == partition) rows.push_back(row_bytes(pattern, expected.item));
    std::size_t read = 0;
    Json request = query_request(pattern, lookup, partition);
    while (true) {
      TRY(const Json answer, timed_call("Query", request, outcome));
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

void ReadRuns::run_query(const Pattern& pattern, const Lookup& lookup, Outcome& outcome) {
  const auto answer = query_all(pattern, lookup, outcome);
  if (!answer) return outcome.fail(fmt::format("{}: {}", lookup_text(lookup), answer.error().message));
  outcome.calls += answer->calls;
  outcome.items += static_cast<double>(answer->count);
  outcome.units += answer->units;
  compare(pattern, lookup, *answer, outcome);
}

void ReadRuns::compare(const Pattern& pattern, const Lookup& lookup, const Answer& answer, Outcome& outcome) const {
  const std::string where = lookup_text(lookup);
  if (answer.more_pages && !allows(model_, pattern, "needs-several-pages")) {
    outcome.fail(fmt::format("{}: one call is not enough, it took {} pages", where, answer.calls));
  }
  // What each call has to read: the whole range, or as much as the limit lets it.
  std::vector<std::uint64_t> in_partition(lookup.partition_keys.size(), 0);
  std::vector<const ExpectedItem*> evaluated;
  for (const ExpectedItem& expected : lookup.expected) {
    if (pattern.limit && static_cast<double>(in_partition[expected.partition]) >= *pattern.limit) continue;
    ++in_partition[expected.partition];
    evaluated.push_back(&expected);
  }
  std::map<std::string, const GeneratedItem*> kept;  // by table key
  std::size_t kept_count = 0;
  if (pattern.filter) {
    const auto check = FilterCheck::create(*pattern.filter);
    if (!check) return outcome.fail(check.error().message);
    std::erase_if(evaluated,
                  [&](const ExpectedItem* expected) { return !check->keeps(expected->item, lookup.values); });
  }
  kept_count = evaluated.size();
  for (const ExpectedItem& expected : lookup.expected)
    kept[table_key_json(model_, expected.item).dump()] = &expected.item;
  std::uint64_t must_read = 0;
  for (const std::uint64_t one : in_partition) must_read += one;
  if (answer.count != kept_count || answer.scanned != must_read) {
    return outcome.fail(fmt::format("{}: expected {} items of {} read, found {} of {}", where, kept_count, must_read,
                                    answer.count, answer.scanned));
  }
  if (answer.scanned != answer.count && !allows(model_, pattern, "filter-selects")) {
    outcome.fail(fmt::format("{}: {} items were read to return {}; the rest was paid for and thrown away", where,
                             answer.scanned, answer.count));
  }
  if (!near(answer.units, answer.expected_units)) {
    outcome.fail(fmt::format("{}: expected {} RCU, consumed {}", where, units_text(answer.expected_units),
                             units_text(answer.units)));
  }
  if (pattern.count_only) return;
  const KeyAttribute* sort_key = model_.sort_key(pattern.index);
  std::vector<std::vector<const ExpectedItem*>> by_partition(lookup.partition_keys.size());
  for (const ExpectedItem* expected : evaluated) by_partition[expected->partition].push_back(expected);
  std::vector<std::size_t> position(lookup.partition_keys.size(), 0);
  for (std::size_t at = 0; at < answer.items.size(); ++at) {
    const Json& item = answer.items[at];
    Json key = Json::object();
    key[model_.table.partition_key.name] = item.value(model_.table.partition_key.name, Json());
    if (model_.table.sort_key) key[model_.table.sort_key->name] = item.value(model_.table.sort_key->name, Json());
    const auto known = kept.find(key.dump());
    if (known == kept.end())
      return outcome.fail(fmt::format("{}: item {} does not belong to the result", where, key.dump()));
    if (!same_item(item, visible(pattern, *known->second))) {
      return outcome.fail(
          fmt::format("{}: expected {}, found {}", where, visible(pattern, *known->second).dump(), item.dump()));
    }
    const std::size_t partition = answer.partitions[at];
    const ExpectedItem* expected = by_partition[partition][position[partition]++];
    // Rows with equal sort keys may come in any order.
    if (sort_key == nullptr) continue;
    const GeneratedAttribute* wanted = expected->item.attribute(sort_key->name);
    if (wanted != nullptr && item.value(sort_key->name, Json()) != Json::parse(wanted->json)) {
      return outcome.fail(fmt::format("{}: item {} is out of order, {} was expected", where, key.dump(), wanted->text));
    }
  }
}

Outcome ReadRuns::run_group(const Pattern& pattern, std::size_t runs, std::uint64_t seed) {
  Outcome outcome;
  outcome.name = pattern.name;
  const bool transaction = pattern.kind == PatternKind::transact_get;
  outcome.call = transaction ? "TransactGetItems" : "BatchGetItem";
  RandomBits random(mix(seed, hash_text(pattern.name)));
  for (std::size_t run_number = 0; run_number < runs; ++run_number) {
    std::map<std::string, GeneratedItem> items;  // by key: a batch must not name one twice
    for (const Action& action : pattern.actions) {
      const Entity* entity = model_.entity(action.entity);
      const std::uint64_t count = entity == nullptr ? 0 : generator_.count(*entity);
      for (double at = 0; at < action.count && count > 0; ++at) {
        const auto item = generator_.item(*entity, random.below(count));
        if (item) items.emplace(table_key_json(model_, *item).dump(), *item);
      }
    }
    Json request = {{"ReturnConsumedCapacity", "TOTAL"}};
    double predicted = 0;
    for (const auto& [key, item] : items) {
      const double strong = exact_read_units(item.bytes(), Consistency::strong);
      predicted += transaction ? 2 * strong : pattern.consistency == Consistency::strong ? strong : strong / 2;
      if (transaction) {
        request["TransactItems"].push_back({{"Get", {{"TableName", table_}, {"Key", Json::parse(key)}}}});
      } else {
        request["RequestItems"][table_]["Keys"].push_back(Json::parse(key));
      }
    }
    if (!transaction && pattern.consistency == Consistency::strong)
      request["RequestItems"][table_]["ConsistentRead"] = true;
    ++outcome.runs;
    const auto answer = timed_call(outcome.call, request, outcome);
    if (!answer) {
      outcome.fail(answer.error().message);
      continue;
    }
    outcome.calls += 1;
    outcome.items += static_cast<double>(items.size());
    const double units = consumed_units(*answer);
    outcome.units += units;
    std::size_t found = 0;
    const Json empty = Json::array();
    const Json& responses = (*answer)["Responses"];
    for (const Json& one : transaction ? responses : responses.contains(table_) ? responses[table_] : empty) {
      const Json& item = transaction ? one.at("Item") : one;
      Json key = Json::object();
      key[model_.table.partition_key.name] = item.value(model_.table.partition_key.name, Json());
      if (model_.table.sort_key) key[model_.table.sort_key->name] = item.value(model_.table.sort_key->name, Json());
      const auto known = items.find(key.dump());
      if (known != items.end() && same_item(item, Json::parse(known->second.json()))) ++found;
    }
    if (found != items.size())
      outcome.fail(fmt::format("expected {} items, {} came back as they were written", items.size(), found));
    if (!near(units, predicted)) {
      outcome.fail(fmt::format("expected {} RCU for {} items, consumed {}", units_text(predicted), items.size(),
                               units_text(units)));
    }
  }
  if (outcome.runs > 0) {
    outcome.calls /= static_cast<double>(outcome.runs);
    outcome.items /= static_cast<double>(outcome.runs);
    outcome.units /= static_cast<double>(outcome.runs);
  }
  return outcome;
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
    const auto answer = timed_call("Scan", request, outcome);
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
