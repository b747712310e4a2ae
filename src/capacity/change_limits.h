#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "capacity/settings.h"
#include "capacity/units.h"

// How often and how far throughput may be changed. Plain values on wall-clock time, for the table's description; one
// caller at a time. Errors are LimitExceeded or validation errors with the service's texts.
namespace stator::capacity {

// Decreases of one table or one index. Four in a UTC day, then one more whenever an hour has passed since the last:
// 4 + 23 = 27 a day at most. Increases are free.
struct DecreaseBudget {
  std::int64_t last_decrease_ms = 0;  // 0: never
  std::int64_t last_increase_ms = 0;
  int decreases = 0;  // in the UTC day of last_decrease_ms

  [[nodiscard]] int decreases_today(std::int64_t now_ms) const noexcept;
  // Notes the change, or says when it may be made. Lowering one direction while raising the other is a decrease, and
  // lowering both is one.
  [[nodiscard]] Result<void> change(const Throughput& before, const Throughput& after, std::int64_t now_ms);
};

// Switches to on-demand mode: four in any 24 hours. Switches back to provisioned mode are free.
struct ModeSwitches {
  static constexpr std::size_t kPerDay = 4;
  std::array<std::int64_t, kPerDay> to_on_demand_ms{};  // the latest, in no order; 0: none

  [[nodiscard]] Result<void> switch_to_on_demand(std::int64_t now_ms);
};

// The quotas of the account in one region, as DescribeLimits reports them.
struct AccountQuota {
  Throughput table{.read = 40000, .write = 40000};
  Throughput account{.read = 80000, .write = 80000};
};

// Provisioned throughput of a table (index_name empty) or index. `reserved` is what all other tables and indexes of
// the account have.
[[nodiscard]] Result<void> check_quota(const AccountQuota& quota, const Throughput& requested,
                                       const Throughput& reserved, std::string_view region,
                                       std::string_view index_name);

// A warm throughput to be set; a direction of 0 is not given. It may not be below what on-demand mode starts with,
// below what is provisioned, or below what it was. `current` is empty (zeros) for a new table.
[[nodiscard]] Result<void> check_warm(const Settings& settings, const Throughput& current,
                                      const Throughput& requested, const AccountQuota& quota, std::string_view region,
                                      std::string_view index_name);

// "Thursday, October 8, 2026 at 11:20:48 PM Coordinated Universal Time"
[[nodiscard]] std::string long_utc_time(std::int64_t ms);
// "Sat Feb 23 03:07:45 UTC 2019"
[[nodiscard]] std::string short_utc_time(std::int64_t ms);

}  // namespace stator::capacity
