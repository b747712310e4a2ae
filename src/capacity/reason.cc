#include "capacity/reason.h"

#include <fmt/format.h>

namespace stator::capacity {
namespace {

// By kind, direction and limit, in the order of the enumerations.
constexpr std::string_view kReasonNames[2][kDirections][kLimits] = {
    {{"TableReadProvisionedThroughputExceeded", "TableReadKeyRangeThroughputExceeded",
      "TableReadAccountLimitExceeded", "TableReadMaxOnDemandThroughputExceeded"},
     {"TableWriteProvisionedThroughputExceeded", "TableWriteKeyRangeThroughputExceeded",
      "TableWriteAccountLimitExceeded", "TableWriteMaxOnDemandThroughputExceeded"}},
    {{"IndexReadProvisionedThroughputExceeded", "IndexReadKeyRangeThroughputExceeded",
      "IndexReadAccountLimitExceeded", "IndexReadMaxOnDemandThroughputExceeded"},
     {"IndexWriteProvisionedThroughputExceeded", "IndexWriteKeyRangeThroughputExceeded",
      "IndexWriteAccountLimitExceeded", "IndexWriteMaxOnDemandThroughputExceeded"}},
};

constexpr std::string_view kTableExceeded =
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your "
    "provisioning "
    "level with the UpdateTable API.";
constexpr std::string_view kIndexExceeded =
    "The level of configured provisioned throughput for one or more global secondary indexes of the table was "
    "exceeded. "
    "Consider increasing your provisioning level for the under-provisioned global secondary indexes with the "
    "UpdateTable API";
constexpr std::string_view kCurrentCapacityExceeded =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or "
    "index so please try again shortly. If exceptions persist, check if you have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
constexpr std::string_view kMaximumExceeded =
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
constexpr std::string_view kAccountExceeded =
    "Throughput exceeds the current throughput limit for your account. Please contact AWS Support at "
    "https://aws.amazon.com/support request a limit increase";

}  // namespace

std::string_view reason_name(const Reason& reason) noexcept {
  return kReasonNames[static_cast<std::size_t>(reason.kind)][static_cast<std::size_t>(reason.direction)]
                     [static_cast<std::size_t>(reason.limit)];
}

std::string_view throttle_message(const Reason& reason, BillingMode billing) noexcept {
  if (billing == BillingMode::provisioned)
    return reason.kind == ResourceKind::index ? kIndexExceeded : kTableExceeded;
  switch (reason.limit) {
    case Limit::account: return kAccountExceeded;
    case Limit::max_on_demand: return kMaximumExceeded;
    default: return kCurrentCapacityExceeded;
  }
}

std::string resource_arn(std::string_view table_arn, std::string_view index_name) {
  return index_name.empty() ? std::string(table_arn) : fmt::format("{}/index/{}", table_arn, index_name);
}

}  // namespace stator::capacity
