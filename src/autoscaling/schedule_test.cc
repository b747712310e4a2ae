#include "autoscaling/schedule.h"

#include <gtest/gtest.h>

#include "service/parameters.h"

namespace stator::autoscaling {
namespace {

std::string next(std::string_view schedule, std::string_view after) {
  const std::int64_t after_ms = *service::parse_iso_time(after);
  const auto found = next_time(schedule, *service::parse_iso_time("2026-06-01T00:00:00Z"), after_ms);
  if (!found) return "none";
  return *found < 0 ? "never" : service::format_iso_time(*found);
}

TEST(Schedule, KnowsItsNextTime) {
  struct Case {
    const char *schedule, *after, *next;
  };
  constexpr Case kCases[] = {
      {"at(2026-06-01T08:00:00)", "2026-06-01T07:00:00Z", "2026-06-01T08:00:00Z"},
      {"at(2026-06-01T08:00:00)", "2026-06-01T08:00:00Z", "never"},
      {"rate(5 minutes)", "2026-06-01T00:05:00Z", "2026-06-01T00:10:00Z"},
      {"rate(1 day)", "2026-06-01T00:00:01Z", "2026-06-02T00:00:00Z"},
      {"cron(0 18 ? * MON-FRI *)", "2026-06-05T18:00:00Z", "2026-06-08T18:00:00Z"},  // Friday to Monday
      {"cron(0/15 * * * ? *)", "2026-06-01T10:16:30Z", "2026-06-01T10:30:00Z"},
      {"cron(30 9 29 FEB ? *)", "2026-06-01T00:00:00Z", "2028-02-29T09:30:00Z"},
      {"cron(1/2147483647 * * * ? *)", "2026-06-01T10:16:30Z", "2026-06-01T11:01:00Z"},
      {"cron(0 0 1 1 ? 2020)", "2026-06-01T00:00:00Z", "never"},
  };
  for (const auto& [schedule, after, expected] : kCases) EXPECT_EQ(next(schedule, after), expected) << schedule;
}

TEST(Schedule, RefusesWhatIsNone) {
  for (const char* schedule : {"", "at()", "at(tomorrow)", "rate(5)", "rate(0 minutes)", "rate(5 weeks)", "cron(0 0)",
                               "cron(60 * * * ? *)", "cron(* * * * ? * *)", "cron(x * * * ? *)", "every(5 minutes)",
                               "rate(5 minutes", "cron(5-1 * * * ? *)", "cron(*/0 * * * ? *)"}) {
    EXPECT_EQ(next(schedule, "2026-06-01T00:00:00Z"), "none") << schedule;
  }
}

}  // namespace
}  // namespace stator::autoscaling
