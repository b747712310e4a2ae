// BatchGetItem and TransactGetItems: calls that name their items one by one.

#include <fmt/format.h>

#include <map>

#include "design/generate/random.h"
#include "design/prove/read_runs.h"

namespace stator::design {

namespace {

using client::Json;
using ItemsByKey = std::map<std::string, GeneratedItem>;  // by wire key: a batch must not name one twice

ItemsByKey choose_items(const Generator& generator, const Pattern& pattern, RandomBits& random) {
  const Model& model = generator.model();
  ItemsByKey items;
  for (const Action& action : pattern.actions) {
    const Entity* entity = model.entity(action.entity);
    const std::uint64_t count = entity == nullptr ? 0 : generator.count(*entity);
    for (double at = 0; at < action.count && count > 0; ++at) {
      const auto item = generator.item(*entity, random.below(count));
      if (item) items.emplace(table_key_json(model, *item).dump(), *item);
    }
  }
  return items;
}

Json group_request(const Pattern& pattern, const std::string& table, const ItemsByKey& items) {
  Json request = {{"ReturnConsumedCapacity", "TOTAL"}};
  if (pattern.is_transaction()) {
    for (const auto& [key, item] : items)
      request["TransactItems"].push_back({{"Get", {{"TableName", table}, {"Key", Json::parse(key)}}}});
    return request;
  }
  for (const auto& [key, item] : items) request["RequestItems"][table]["Keys"].push_back(Json::parse(key));
  if (pattern.consistency == Consistency::strong) request["RequestItems"][table]["ConsistentRead"] = true;
  return request;
}

double group_units(const Pattern& pattern, const ItemsByKey& items) {
  double units = 0;
  for (const auto& [key, item] : items) {
    // A transaction reads every item twice, strongly.
    units += pattern.is_transaction() ? 2 * exact_read_units(item.bytes(), Consistency::strong)
                                      : exact_read_units(item.bytes(), pattern.consistency);
  }
  return units;
}

// How many of the items came back as they were written.
std::size_t count_found(const Model& model, const Pattern& pattern, const std::string& table, const ItemsByKey& items,
                        const Json& answer) {
  const bool transaction = pattern.is_transaction();
  Json responses = answer.value("Responses", Json());
  if (!transaction && responses.is_object()) responses = responses.value(table, Json());
  std::size_t found = 0;
  for (const Json& one : responses) {
    const Json& item = transaction ? one.at("Item") : one;
    const auto known = items.find(table_key_of(model, item).dump());
    if (known != items.end() && same_item(item, Json::parse(known->second.json()))) ++found;
  }
  return found;
}

}  // namespace

Outcome ReadRuns::run_group(const Pattern& pattern, std::size_t runs, std::uint64_t seed) {
  Outcome outcome;
  outcome.name = pattern.name;
  outcome.call = pattern.is_transaction() ? "TransactGetItems" : "BatchGetItem";
  RandomBits random(mix(seed, hash_text(pattern.name)));
  for (std::size_t run_number = 0; run_number < runs; ++run_number) {
    const ItemsByKey items = choose_items(generator_, pattern, random);
    ++outcome.runs;
    const auto answer = timed_call(client_, outcome.call, group_request(pattern, table_, items), outcome);
    if (!answer) {
      outcome.fail(answer.error().message);
      continue;
    }
    outcome.calls += 1;
    outcome.items += static_cast<double>(items.size());
    const double units = consumed_units(*answer);
    outcome.units += units;
    const std::size_t found = count_found(model_, pattern, table_, items, *answer);
    if (found != items.size())
      outcome.fail(fmt::format("expected {} items, {} came back as they were written", items.size(), found));
    const double predicted = group_units(pattern, items);
    if (!same_units(units, predicted)) {
      outcome.fail(fmt::format("expected {:g} RCU for {} items, consumed {:g}", predicted, items.size(), units));
    }
  }
  outcome.average();
  return outcome;
}

}  // namespace stator::design
