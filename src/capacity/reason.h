#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "capacity/units.h"

namespace stator::capacity {

enum class ResourceKind : std::uint8_t { table, index };
enum class BillingMode : std::uint8_t { provisioned, on_demand };

// Which limit a request ran into.
enum class Limit : std::uint8_t {
  provisioned,    // the table's or index's provisioned units, with its burst used up
  key_range,      // the ceiling of one partition
  account,        // the account's quota per table, on-demand mode
  max_on_demand,  // the maximum that the owner has set, on-demand mode
};
inline constexpr std::size_t kLimits = 4;
inline constexpr std::array<Limit, kLimits> kAllLimits{Limit::provisioned, Limit::key_range, Limit::account,
                                                       Limit::max_on_demand};

// Why a request was or would have been throttled; it has one of the service's sixteen names.
struct Reason {
  ResourceKind kind = ResourceKind::table;
  Direction direction = Direction::read;
  Limit limit = Limit::provisioned;

  friend constexpr bool operator==(const Reason&, const Reason&) = default;
};

// As in ThrottlingReasons: "TableWriteKeyRangeThroughputExceeded".
[[nodiscard]] std::string_view reason_name(const Reason& reason) noexcept;

// The text of the exception. Provisioned tables answer ProvisionedThroughputExceededException for any limit;
// on-demand tables ThrottlingException, and RequestLimitExceeded for the account's quota.
[[nodiscard]] std::string_view throttle_message(const Reason& reason, BillingMode billing) noexcept;

// What `resource` of a ThrottlingReason names. `index_name` is empty for the table.
[[nodiscard]] std::string resource_arn(std::string_view table_arn, std::string_view index_name);

}  // namespace stator::capacity
