#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stator::metrics {

// The operations that have series of their own; `none` has not.
enum class Operation : std::uint8_t {
  get_item,
  put_item,
  update_item,
  delete_item,
  query,
  scan,
  batch_get_item,
  batch_write_item,
  transact_get_items,
  transact_write_items,
  execute_statement,
  batch_execute_statement,
  execute_transaction,
  get_records,
  none,
};
inline constexpr std::size_t kOperationCount = static_cast<std::size_t>(Operation::none);

inline constexpr std::array<std::string_view, kOperationCount> kOperationNames = {
    "GetItem",        "PutItem",          "UpdateItem",         "DeleteItem",
    "Query",          "Scan",             "BatchGetItem",       "BatchWriteItem",
    "TransactGetItems", "TransactWriteItems", "ExecuteStatement", "BatchExecuteStatement",
    "ExecuteTransaction", "GetRecords"};

[[nodiscard]] constexpr std::string_view operation_name(Operation operation) {
  return operation == Operation::none ? "" : kOperationNames[static_cast<std::size_t>(operation)];
}

// The series of an operation's name; `none` for the operations that work on tables as such.
[[nodiscard]] constexpr Operation operation_named(std::string_view name) {
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    if (kOperationNames[i] == name) return static_cast<Operation>(i);
  }
  return Operation::none;
}

// How a request ended, as far as metrics tell it apart.
enum class Outcome : std::uint8_t { success, user_error, condition_failed, transaction_conflict, throttled, system_error };

enum class Units : std::uint8_t { read, write };

// Why something was throttled, or would have been.
enum class ThrottleReason : std::uint8_t { provisioned, key_range, on_demand_maximum, account };
inline constexpr std::size_t kThrottleReasonCount = 4;

}  // namespace stator::metrics
