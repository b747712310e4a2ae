#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace stator::trigger {

// What has been done so far, and its one line for people: rewritten in place on a terminal, otherwise printed now and
// then when it has changed. May be used by many threads.
class Progress {
 public:
  Progress(std::string name, bool quiet);

  void read(std::size_t records, std::size_t filtered, std::int64_t newest_ms);
  void invoked(std::size_t records_taken, bool failed);
  void discarded(std::size_t records, std::string_view condition);
  // Why something is tried again; a line of its own, unless it was the last one said a moment ago.
  void trouble(const std::string& message);
  // A line of its own.
  void say(const std::string& message);

  // Shows the line where it is time to; called about every second. `last` shows it in any case.
  void show(std::int64_t now_ms, bool last = false);

  struct Counts {
    std::uint64_t records = 0;
    std::uint64_t filtered = 0;
    std::uint64_t invocations = 0;
    std::uint64_t failed_invocations = 0;
    std::uint64_t discarded = 0;
    bool operator==(const Counts&) const = default;
  };
  [[nodiscard]] Counts counts() const;

 private:
  [[nodiscard]] std::string line(std::int64_t now_ms) const;
  void print(const std::string& text, bool in_place);

  const std::string name_;
  const bool quiet_;
  const bool terminal_;
  mutable std::mutex mutex_;
  Counts counts_;
  Counts shown_;
  std::int64_t newest_ms_ = 0;
  std::int64_t shown_ms_ = 0;
  bool line_open_ = false;
  std::string trouble_;
  std::int64_t trouble_ms_ = 0;
};

}  // namespace stator::trigger
