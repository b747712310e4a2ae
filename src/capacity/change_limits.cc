#include "capacity/change_limits.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace stator::capacity {
namespace {

constexpr std::int64_t kHour_ms = 3'600'000;
constexpr std::int64_t kDay_ms = 24 * kHour_ms;
constexpr int kFreeDecreases = 4;
constexpr std::string_view kReferToGuide =
    "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.";

std::int64_t day_of(std::int64_t ms) noexcept { return ms / kDay_ms; }

std::tm utc(std::int64_t ms) {
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return parts;
}

std::string of_what(std::string_view index_name) {
  return index_name.empty() ? std::string("table") : fmt::format("index {}", index_name);
}

Result<void> check_quota_of(std::string_view member, std::int64_t requested, std::int64_t reserved,
                            std::int64_t per_table, std::int64_t per_account, std::string_view region,
                            std::string_view index_name) {
  if (requested > per_table) {
    const std::string of_index = index_name.empty() ? "" : fmt::format(" for index {}", index_name);
    const std::string_view what = index_name.empty() ? "table" : "index";
    return fail(
        ErrorCode::limit_exceeded,
        fmt::format(
            "The requested {}{}, {}, is above the per {} maximum for the account in {}. Per {} maximum: {}. {}",
            member, of_index, requested, what, region, what, per_table, kReferToGuide));
  }
  if (requested > per_account - reserved) {
    return fail(
        ErrorCode::limit_exceeded,
        fmt::format("This request would have caused the {} limit to be exceeded for the account in {}. Current {} "
                    "reserved by the account: {}. Limit: {}. Requested: {}. {}",
                    member, region, member, reserved, per_account, requested, kReferToGuide));
  }
  return {};
}

Result<void> check_warm_of(std::string_view member, std::string_view capacity_member, Direction direction,
                           const Settings& settings, const Throughput& current, const Throughput& requested,
                           const AccountQuota& quota, std::string_view region, std::string_view index_name) {
  const std::int64_t wanted = requested.of(direction);
  if (wanted == 0) return {};
  const std::string prefix = fmt::format("Requested {} for WarmThroughput for {}", member, of_what(index_name));
  const std::string invalid_prefix = "One or more parameter values were invalid: " + prefix;
  if (current.of(direction) > 0) {
    if (wanted < current.of(direction)) {
      return invalid(invalid_prefix +
                     " is lower than current WarmThroughput, decreasing WarmThroughput is not supported");
    }
  } else if (settings.billing == BillingMode::on_demand && wanted < kOnDemandAtBirth.of(direction)) {
    return invalid(
        invalid_prefix +
        " is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/"
        "developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial");
  } else if (settings.billing == BillingMode::provisioned && wanted < settings.provisioned.of(direction)) {
    return invalid(fmt::format("{} is lower than {} of ProvisionedThroughput", invalid_prefix, capacity_member));
  }
  if (wanted > quota.table.of(direction)) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("Subscriber limit exceeded: {} exceeds TableMax{} of the account in region {}", prefix,
                            capacity_member, region));
  }
  return {};
}

}  // namespace

std::string long_utc_time(std::int64_t ms) {
  const std::tm parts = utc(ms);
  // No leading zero on day and hour, which strftime cannot say portably.
  return fmt::format("{:%A, %B} {}, {:%Y} at {}:{:%M:%S %p} Coordinated Universal Time", parts, parts.tm_mday, parts,
                     (parts.tm_hour + 11) % 12 + 1, parts);
}

std::string short_utc_time(std::int64_t ms) { return fmt::format("{:%a %b %d %H:%M:%S UTC %Y}", utc(ms)); }

int DecreaseBudget::decreases_today(std::int64_t now_ms) const noexcept {
  return last_decrease_ms > 0 && day_of(last_decrease_ms) == day_of(now_ms) ? decreases : 0;
}

Result<void> DecreaseBudget::change(const Throughput& before, const Throughput& after, std::int64_t now_ms) {
  if (after.read >= before.read && after.write >= before.write) {
    last_increase_ms = now_ms;
    return {};
  }
  const int today = decreases_today(now_ms);
  // A clock that was set back must not make the wait longer than the hour.
  const bool rested = now_ms - last_decrease_ms >= kHour_ms || now_ms < last_decrease_ms - kHour_ms;
  if (today >= kFreeDecreases && !rested) {
    const std::int64_t next = std::min(last_decrease_ms + kHour_ms, (day_of(now_ms) + 1) * kDay_ms);
    return fail(
        ErrorCode::limit_exceeded,
        fmt::format("Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. "
                    "After the first {} decreases, each subsequent decrease in the same UTC day can be performed at "
                    "most once every 3600 seconds. Number of decreases today: {}. Last decrease at {}. Next decrease "
                    "can be made at {}.",
                    kFreeDecreases, today, long_utc_time(last_decrease_ms), long_utc_time(next)));
  }
  if (after.read > before.read || after.write > before.write) last_increase_ms = now_ms;
  decreases = today + 1;
  last_decrease_ms = now_ms;
  return {};
}

Result<void> ModeSwitches::switch_to_on_demand(std::int64_t now_ms) {
  const auto oldest = std::min_element(to_on_demand_ms.begin(), to_on_demand_ms.end());
  const bool within_day = *oldest > 0 && now_ms - *oldest < kDay_ms && now_ms >= *oldest;
  if (within_day) {
    const std::int64_t last = *std::max_element(to_on_demand_ms.begin(), to_on_demand_ms.end());
    return fail(
        ErrorCode::limit_exceeded,
        fmt::format(
            "Subscriber limit exceeded: Update to PayPerRequest mode are limited to {} times in 1 day(s). Last "
            "update at {}. Next update can be made at {}",
            kPerDay, short_utc_time(last), short_utc_time(*oldest + kDay_ms)));
  }
  *oldest = now_ms;
  return {};
}

Result<void> check_quota(const AccountQuota& quota, const Throughput& requested, const Throughput& reserved,
                         std::string_view region, std::string_view index_name) {
  TRY_VOID(check_quota_of("ReadCapacityUnits", requested.read, reserved.read, quota.table.read, quota.account.read,
                          region, index_name));
  return check_quota_of("WriteCapacityUnits", requested.write, reserved.write, quota.table.write, quota.account.write,
                        region, index_name);
}

Result<void> check_warm(const Settings& settings, const Throughput& current, const Throughput& requested,
                        const AccountQuota& quota, std::string_view region, std::string_view index_name) {
  TRY_VOID(check_warm_of("ReadUnitsPerSecond", "ReadCapacityUnits", Direction::read, settings, current, requested,
                         quota, region, index_name));
  return check_warm_of("WriteUnitsPerSecond", "WriteCapacityUnits", Direction::write, settings, current, requested,
                       quota, region, index_name);
}

}  // namespace stator::capacity
