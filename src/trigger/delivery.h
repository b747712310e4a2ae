#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop.h"
#include "trigger/failures.h"
#include "trigger/handler.h"
#include "trigger/progress.h"

namespace stator::trigger {

using base::Stop;

// How failures of the function are dealt with: the settings of an event source mapping.
struct RetryPolicy {
  std::int64_t retries_max = -1;       // of a batch; -1: until the records are too old
  std::int64_t record_age_max_s = -1;  // -1: a day, after which the stream has no longer got them
  bool bisect = false;                 // try the halves of a failed batch separately
  bool report_failures = false;        // read batchItemFailures from the response
};

// Brings batches to the function, in order, until each record is dealt with: taken by the function, or given up. One
// thread at a time; the parts that it shares with others allow for that.
class Delivery {
 public:
  // Told about records, in order, as soon as they are dealt with; a failure ends the delivery.
  using Done = std::function<Result<void>(std::span<const Record>)>;

  Delivery(Handler& handler, RetryPolicy policy, FailureFile& failures, const base::Clock& clock, Stop& stop,
           Progress& progress, std::string shard, std::string stream_arn)
      : handler_(handler),
        policy_(policy),
        failures_(failures),
        clock_(clock),
        stop_(stop),
        progress_(progress),
        shard_(std::move(shard)),
        stream_arn_(std::move(stream_arn)) {}

  // Comes back when all are dealt with (true) or the end is wished for (false). `batch` must not be empty.
  [[nodiscard]] Result<bool> deliver(std::span<const Record> batch, const Done& done);

 private:
  // A part of the batch that is tried as one.
  struct Part {
    std::span<const Record> records;
    std::int64_t retries = 0;  // that failed
    int invocations = 0;       // of its first record, for the failure file
    int waits = 0;             // since anything went well, for the next one's length
  };

  [[nodiscard]] Result<bool> drop_old(Part& part, const Done& done);
  [[nodiscard]] Result<void> give_up(std::span<const Record> records, std::string_view condition, int invocations,
                                     const std::string& message, const Done& done);
  void wait(int waits);

  Handler& handler_;
  RetryPolicy policy_;
  FailureFile& failures_;
  const base::Clock& clock_;
  Stop& stop_;
  Progress& progress_;
  std::string shard_;
  std::string stream_arn_;
};

}  // namespace stator::trigger
