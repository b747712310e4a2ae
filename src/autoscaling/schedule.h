#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stator::autoscaling {

inline constexpr std::int64_t kMinuteMs = 60'000;

// When a schedule is due next, after `after_ms`; -1: never again. Nothing where the text is no schedule:
//   at(2026-06-01T08:00:00)   rate(5 minutes)   cron(0 18 ? * MON-FRI *)
// A rate counts from `origin_ms`. Times are UTC.
[[nodiscard]] std::optional<std::int64_t> next_time(std::string_view schedule, std::int64_t origin_ms,
                                                    std::int64_t after_ms);

}  // namespace stator::autoscaling
