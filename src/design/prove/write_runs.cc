#include "design/prove/write_runs.h"

#include <fmt/format.h>

namespace stator::design {

namespace {

using client::Json;

std::string call_of(const Pattern& pattern) {
  switch (pattern.kind) {
    case PatternKind::put:
      return "PutItem";
    case PatternKind::update:
      return "UpdateItem";
    case PatternKind::erase:
      return "DeleteItem";
    case PatternKind::batch_write:
      return "BatchWriteItem";
    default:
      return "TransactWriteItems";
  }
}

std::string_view transact_member(ActionKind kind) {
  switch (kind) {
    case ActionKind::put:
      return "Put";
    case ActionKind::update:
      return "Update";
    case ActionKind::erase:
      return "Delete";
    default:
      return "ConditionCheck";
  }
}

}  // namespace

Result<Json> WriteRuns::stored(const GeneratedItem& item) {
  TRY(const Json answer,
      client_.call("DynamoDB_20120810.GetItem",
                   {{"TableName", table_}, {"Key", table_key_json(model_, item)}, {"ConsistentRead", true}}));
  return answer.value("Item", Json());
}

// A plan whose new items have keys of their own: where one is taken, the next plan is tried.
Result<std::vector<Change>> WriteRuns::plan(const Pattern& pattern) {
  for (int attempt = 0; attempt < 50; ++attempt) {
    TRY(std::vector<Change> changes, planner_.plan(pattern));
    bool taken = false;
    for (const Change& change : changes) {
      if (change.before) continue;
      TRY(const Json there, stored(*change.after));
      taken = taken || !there.is_null();
    }
    if (!taken) return changes;
  }
  return invalid(fmt::format("pattern {}: no key is left for a new item", pattern.name));
}

Json WriteRuns::request_of(const Pattern& pattern, const std::vector<Change>& changes) const {
  Json request = {{"ReturnConsumedCapacity", "TOTAL"}};
  if (pattern.kind == PatternKind::transact_write) {
    for (const Change& change : changes) {
      Json one = change.request;
      one["TableName"] = table_;
      request["TransactItems"].push_back({{std::string(transact_member(change.action->kind)), std::move(one)}});
    }
  } else if (pattern.kind == PatternKind::batch_write) {
    for (const Change& change : changes) {
      request["RequestItems"][table_].push_back({{change.after ? "PutRequest" : "DeleteRequest", change.request}});
    }
  } else {
    request.update(changes.front().request);
    request["TableName"] = table_;
  }
  return request;
}

void WriteRuns::run_once(const Pattern& pattern, const std::vector<Change>& changes, Outcome& outcome) {
  const auto answer = timed_call(client_, call_of(pattern), request_of(pattern, changes), outcome);
  const std::string where =
      table_key_json(model_, changes.front().after ? *changes.front().after : *changes.front().before).dump();
  if (!answer) return outcome.fail(fmt::format("{}: {}", where, answer.error().message));
  outcome.calls += 1;
  outcome.items += static_cast<double>(changes.size());
  const double units = consumed_units(*answer);
  outcome.units += units;
  double predicted = 0;
  for (const Change& change : changes)
    predicted += predicted_units(model_, change, pattern.kind == PatternKind::transact_write);
  if (!same_units(units, predicted)) {
    outcome.fail(fmt::format("{}: expected {:g} WCU, consumed {:g}", where, predicted, units));
  }
  for (const Change& change : changes) {
    const auto there = stored(change.after ? *change.after : *change.before);
    if (!there) return outcome.fail(fmt::format("{}: {}", where, there.error().message));
    const Json expected = change.after ? Json::parse(change.after->json()) : Json();
    if (!same_item(*there, expected)) {
      return outcome.fail(fmt::format("{}: expected {} afterwards, found {}", where, expected.dump(), there->dump()));
    }
  }
}

Outcome WriteRuns::run(const Pattern& pattern, std::size_t runs) {
  Outcome outcome;
  outcome.name = pattern.name;
  outcome.call = call_of(pattern);
  for (std::size_t at = 0; at < runs; ++at) {
    const auto changes = plan(pattern);
    if (!changes) {
      // A small table runs out of untouched items; what was shown until then stands.
      if (outcome.runs == 0) outcome.fail(changes.error().message);
      break;
    }
    ++outcome.runs;
    run_once(pattern, *changes, outcome);
  }
  outcome.average();
  return outcome;
}

}  // namespace stator::design
