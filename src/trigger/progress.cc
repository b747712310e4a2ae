#include "trigger/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/clock.h"

namespace stator::trigger {
namespace {

constexpr std::int64_t kLineEveryMs = 5'000;     // where lines are kept, as in a log
constexpr std::int64_t kSameTroubleMs = 10'000;  // the same text is not said again so soon

}  // namespace

Progress::Progress(std::string name, bool quiet)
    : name_(std::move(name)), quiet_(quiet), terminal_(isatty(STDOUT_FILENO) != 0) {}

void Progress::read(std::size_t records, std::size_t filtered, std::int64_t newest_ms) {
  const std::lock_guard lock(mutex_);
  counts_.filtered += filtered;
  if (records > 0) newest_ms_ = std::max(newest_ms_, newest_ms);
}

void Progress::invoked(std::size_t records_taken, bool failed) {
  const std::lock_guard lock(mutex_);
  counts_.records += records_taken;
  ++counts_.invocations;
  if (failed) ++counts_.failed_invocations;
}

void Progress::discarded(std::size_t records, std::string_view condition) {
  {
    const std::lock_guard lock(mutex_);
    counts_.discarded += records;
  }
  say(fmt::format("gave up {} record{}: {}", records, records == 1 ? "" : "s", condition));
}

void Progress::trouble(const std::string& message) {
  const std::int64_t now_ms = base::SystemClock().now_ms();
  {
    const std::lock_guard lock(mutex_);
    if (message == trouble_ && now_ms - trouble_ms_ < kSameTroubleMs) return;
    trouble_ = message;
    trouble_ms_ = now_ms;
  }
  say(message);
}

void Progress::say(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (line_open_) std::fputs("\n", stdout);
  line_open_ = false;
  std::fflush(stdout);
  fmt::print(stderr, "stator trigger: {}\n", message);
}

Progress::Counts Progress::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::string Progress::line(std::int64_t now_ms) const {
  std::string text = fmt::format("{}: {} records in {} invocations", name_, counts_.records, counts_.invocations);
  if (counts_.filtered > 0) text += fmt::format(", {} filtered out", counts_.filtered);
  if (counts_.failed_invocations > 0) text += fmt::format(", {} failed", counts_.failed_invocations);
  if (counts_.discarded > 0) text += fmt::format(", {} records given up", counts_.discarded);
  if (newest_ms_ > 0) text += fmt::format(", newest {} s old", std::max<std::int64_t>(0, now_ms - newest_ms_) / 1000);
  return text;
}

void Progress::print(const std::string& text, bool in_place) {
  if (in_place) {
    fmt::print("\r\x1b[K{}", text);
  } else {
    fmt::print("{}{}\n", line_open_ ? "\r\x1b[K" : "", text);
  }
  line_open_ = in_place;
  std::fflush(stdout);
}

void Progress::show(std::int64_t now_ms, bool last) {
  const std::lock_guard lock(mutex_);
  if (quiet_) return;
  if (!last && !terminal_ && (counts_ == shown_ || now_ms - shown_ms_ < kLineEveryMs)) return;
  print(line(now_ms), terminal_ && !last);
  shown_ = counts_;
  shown_ms_ = now_ms;
}

}  // namespace stator::trigger
