#include "server/outcome.h"

#include "engine/transact_write_items.h"

namespace stator::server {
namespace {

void touch(metrics::RequestUsage& usage, const engine::Engine& engine, std::string_view name) {
  constexpr std::string_view kArnTable = ":table/";
  if (const std::size_t arn = name.find(kArnTable); arn != std::string_view::npos) {
    name.remove_prefix(arn + kArnTable.size());
  }
  const Result<engine::TablePtr> table = engine.catalog.find(name);
  if (table) usage.touch({(*table)->id, (*table)->name});
}

// {"Put": {"TableName": ...}}
std::string_view table_of_action(api::Json item) {
  simdjson::dom::object actions;
  if (item.get(actions) != simdjson::SUCCESS) return {};
  for (const auto action : actions) {
    std::string_view name;
    if (action.value["TableName"].get(name) == simdjson::SUCCESS) return name;
  }
  return {};
}

}  // namespace

metrics::Outcome outcome_of(const Error& error, int status) {
  using enum metrics::Outcome;
  if (status >= 500) return system_error;
  switch (error.code) {
    case ErrorCode::condition_failed:
      return condition_failed;
    case ErrorCode::transaction_conflict:
      return transaction_conflict;
    case ErrorCode::throughput_exceeded:
    case ErrorCode::throttled:
      return throttled;
    default:
      return user_error;
  }
}

void touch_tables(metrics::RequestUsage& usage, const engine::Engine& engine, api::Json body) {
  std::string_view name;
  if (body["TableName"].get(name) == simdjson::SUCCESS) touch(usage, engine, name);
  simdjson::dom::object tables;
  if (body["RequestItems"].get(tables) == simdjson::SUCCESS) {
    for (const auto table : tables) touch(usage, engine, table.key);
  }
  simdjson::dom::array items;
  if (body["TransactItems"].get(items) == simdjson::SUCCESS) {
    for (const api::Json item : items) touch(usage, engine, table_of_action(item));
  }
}

void count_cancellation(metrics::RequestUsage& usage, const engine::Engine& engine, api::Json body, const Error& error) {
  const auto* canceled = dynamic_cast<const engine::TransactionCanceledDetail*>(error.detail.get());
  simdjson::dom::array items;
  if (canceled == nullptr || body["TransactItems"].get(items) != simdjson::SUCCESS) return;
  std::size_t i = 0;
  for (const api::Json item : items) {
    if (i >= canceled->reasons.size()) return;
    const std::string& code = canceled->reasons[i++].code;
    const bool conflict = code == "TransactionConflict";
    if (!conflict && code != "ConditionalCheckFailed") continue;
    const Result<engine::TablePtr> table = engine.catalog.find(table_of_action(item));
    if (!table) continue;
    metrics::TableCounters& counters = usage.recorder().table({(*table)->id, (*table)->name});
    (conflict ? counters.transaction_conflict : counters.conditional_check_failed).add(1);
  }
}

}  // namespace stator::server
