#pragma once

#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trigger/event.h"

namespace stator::trigger {

// Why records were given up.
inline constexpr std::string_view kRetriesExhausted = "RetryAttemptsExhausted";
inline constexpr std::string_view kTooOld = "RecordAgeExceeded";

struct DiscardedBatch {
  std::string_view condition;
  int invocations = 0;
  std::string message;  // of the last failure
  std::string shard;
  std::string stream_arn;
  std::span<const Record> records;
  std::int64_t now_ms = 0;
};

// The invocation record that Lambda sends to an on-failure destination, with the event as its payload.
[[nodiscard]] Json invocation_record(const DiscardedBatch& batch);

// The on-failure destination: a file that gets one line for each batch that is given up. May be used by many threads.
class FailureFile {
 public:
  explicit FailureFile(std::string path) : path_(std::move(path)) {}  // empty: nothing is kept
  // Returns when the line is on disk.
  [[nodiscard]] Result<void> append(const DiscardedBatch& batch);

 private:
  std::string path_;
  std::mutex mutex_;
};

}  // namespace stator::trigger
