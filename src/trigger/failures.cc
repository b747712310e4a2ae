#include "trigger/failures.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

namespace stator::trigger {
namespace {

std::tm utc(std::int64_t time_ms) {
  const std::time_t seconds = time_ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return parts;
}

// "2026-11-14T00:13:19Z"
std::string seconds_text(std::int64_t time_ms) {
  const std::tm parts = utc(time_ms);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

// "2026-11-14T00:13:49.717Z"
std::string milliseconds_text(std::int64_t time_ms) {
  std::string text = seconds_text(time_ms);
  text.insert(text.size() - 1, fmt::format(".{:03}", time_ms % 1000));
  return text;
}

}  // namespace

Json invocation_record(const DiscardedBatch& batch) {
  Json record;
  record["version"] = "1.0";
  record["timestamp"] = milliseconds_text(batch.now_ms);
  record["requestContext"] = {{"condition", batch.condition}, {"approximateInvokeCount", batch.invocations}};
  if (batch.invocations > 0) {
    record["responseContext"] = {{"statusCode", 200},
                                 {"executedVersion", "$LATEST"},
                                 {"functionError", "Unhandled"},
                                 {"message", batch.message}};
  }
  record["DDBStreamBatchInfo"] = {
      {"shardId", batch.shard},
      {"startSequenceNumber", batch.records.front().sequence_number},
      {"endSequenceNumber", batch.records.back().sequence_number},
      {"approximateArrivalOfFirstRecord", seconds_text(batch.records.front().created_ms)},
      {"approximateArrivalOfLastRecord", seconds_text(batch.records.back().created_ms)},
      {"batchSize", batch.records.size()},
      {"streamArn", batch.stream_arn},
  };
  // As a string, like in the objects that Lambda writes to a bucket.
  record["payload"] = lambda_event(batch.records);
  return record;
}

Result<void> FailureFile::append(const DiscardedBatch& batch) {
  if (path_.empty()) return {};
  const std::string line = invocation_record(batch).dump() + "\n";
  const std::lock_guard lock(mutex_);
  const int file = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  bool written = file >= 0;
  std::string_view left = line;
  while (written && !left.empty()) {
    const ssize_t count = ::write(file, left.data(), left.size());
    written = count >= 0 || errno == EINTR;
    if (count > 0) left.remove_prefix(static_cast<std::size_t>(count));
  }
  written = written && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (written) return {};
  return fail(ErrorCode::out_of_space, fmt::format("cannot write {}: {}", path_, std::strerror(error)));
}

}  // namespace stator::trigger
