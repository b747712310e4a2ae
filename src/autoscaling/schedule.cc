#include "autoscaling/schedule.h"

#include <array>
#include <charconv>
#include <ctime>
#include <string>
#include <vector>

#include "service/parameters.h"

namespace stator::autoscaling {
namespace {

constexpr int kDaysAhead = 366 * 8;  // a day of the week on the 29th of February comes back within these

struct Range {
  int low;
  int high;
  std::array<std::string_view, 12> names;
};
constexpr Range kMinutes = {0, 59, {}};
constexpr Range kHours = {0, 23, {}};
constexpr Range kDays = {1, 31, {}};
constexpr Range kMonths = {1, 12, {"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}};
constexpr Range kWeekdays = {1, 7, {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}};
constexpr Range kYears = {1970, 2199, {}};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<int> value_of(std::string_view text, const Range& range) {
  for (std::size_t i = 0; i < range.names.size(); ++i) {
    if (!text.empty() && range.names[i] == text) return range.low + static_cast<int>(i);
  }
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < range.low || value > range.high) {
    return std::nullopt;
  }
  return value;
}

// A field of a cron expression: a list of *, ?, values, ranges, each with a step where there is one.
std::optional<std::vector<bool>> parse_field(std::string_view text, const Range& range) {
  std::vector<bool> set(static_cast<std::size_t>(range.high) + 1, false);
  for (const std::string_view part : split(text, ',')) {
    const std::size_t slash = part.find('/');
    const std::string_view span = part.substr(0, slash);
    int low = range.low;
    int high = range.high;
    int step = 1;
    if (slash != std::string_view::npos) {
      const std::string_view number = part.substr(slash + 1);
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), step);
      if (error != std::errc() || end != number.data() + number.size() || step < 1) return std::nullopt;
    }
    if (span != "*" && span != "?") {
      const std::size_t dash = span.find('-');
      const auto first = value_of(span.substr(0, dash), range);
      if (!first) return std::nullopt;
      low = *first;
      if (dash != std::string_view::npos) {
        const auto last = value_of(span.substr(dash + 1), range);
        if (!last || *last < low) return std::nullopt;
        high = *last;
      } else if (slash == std::string_view::npos) {
        high = low;
      }
    }
    for (std::int64_t value = low; value <= high; value += step) set[static_cast<std::size_t>(value)] = true;
  }
  return set;
}

std::optional<std::int64_t> next_cron(std::string_view text, std::int64_t after_ms) {
  std::vector<std::string_view> fields;
  for (const std::string_view field : split(text, ' ')) {
    if (!field.empty()) fields.push_back(field);
  }
  if (fields.size() != 6) return std::nullopt;
  const auto minutes = parse_field(fields[0], kMinutes);
  const auto hours = parse_field(fields[1], kHours);
  const auto days = parse_field(fields[2], kDays);
  const auto months = parse_field(fields[3], kMonths);
  const auto weekdays = parse_field(fields[4], kWeekdays);
  const auto years = parse_field(fields[5], kYears);
  if (!minutes || !hours || !days || !months || !weekdays || !years) return std::nullopt;
  const auto has = [](const std::vector<bool>& set, int value) {
    return static_cast<std::size_t>(value) < set.size() && set[static_cast<std::size_t>(value)];
  };
  const std::time_t first_s = (after_ms / kMinuteMs + 1) * 60;
  const std::time_t day_s = first_s / 86'400 * 86'400;
  for (int day = 0; day < kDaysAhead; ++day) {
    const std::time_t begin_s = day_s + std::time_t{day} * 86'400;
    std::tm parts{};
    gmtime_r(&begin_s, &parts);
    if (!has(*days, parts.tm_mday) || !has(*months, parts.tm_mon + 1) || !has(*weekdays, parts.tm_wday + 1) ||
        !has(*years, parts.tm_year + 1900)) {
      continue;
    }
    for (int minute = 0; minute < 24 * 60; ++minute) {
      const std::time_t time_s = begin_s + std::time_t{minute} * 60;
      if (time_s >= first_s && has(*hours, minute / 60) && has(*minutes, minute % 60)) return time_s * 1000;
    }
  }
  return -1;
}

std::optional<std::int64_t> next_rate(std::string_view text, std::int64_t origin_ms, std::int64_t after_ms) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + space, count);
  if (error != std::errc() || end != text.data() + space || count < 1 || count > 1'000'000) return std::nullopt;
  const std::string_view unit = text.substr(space + 1);
  std::int64_t step_ms = 0;
  if (unit == "minute" || unit == "minutes") step_ms = kMinuteMs;
  if (unit == "hour" || unit == "hours") step_ms = 60 * kMinuteMs;
  if (unit == "day" || unit == "days") step_ms = 24 * 60 * kMinuteMs;
  if (step_ms == 0) return std::nullopt;
  step_ms *= count;
  return after_ms < origin_ms ? origin_ms : origin_ms + ((after_ms - origin_ms) / step_ms + 1) * step_ms;
}

}  // namespace

std::optional<std::int64_t> next_time(std::string_view schedule, std::int64_t origin_ms, std::int64_t after_ms) {
  const std::size_t open = schedule.find('(');
  if (open == std::string_view::npos || !schedule.ends_with(')')) return std::nullopt;
  const std::string_view kind = schedule.substr(0, open);
  const std::string_view content = schedule.substr(open + 1, schedule.size() - open - 2);
  if (kind == "rate") return next_rate(content, origin_ms, after_ms);
  if (kind == "cron") return next_cron(content, after_ms);
  if (kind != "at") return std::nullopt;
  const std::optional<std::int64_t> time = service::parse_iso_time(content);
  if (!time) return std::nullopt;
  return *time > after_ms ? *time : -1;
}

}  // namespace stator::autoscaling
