#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/stop.h"
#include "client/stream_source.h"
#include "trigger/checkpoint.h"
#include "trigger/failures.h"
#include "trigger/filter.h"
#include "trigger/handler.h"
#include "trigger/lane.h"
#include "trigger/options.h"
#include "trigger/progress.h"
#include "trigger/tracker.h"

namespace stator::trigger {

using base::Stop;
using client::RecordPage;
using client::StreamSource;

// What all workers of a trigger share; outlives them.
struct Shared {
  const Options& options;
  const Filters& filters;
  MakeHandler make_handler;
  Checkpoint& checkpoint;
  FailureFile& failures;
  const base::Clock& clock;
  Stop& stop;
  Progress& progress;

  std::mutex mutex;
  std::optional<Error> error;  // what the trigger cannot go on with; the first one. Guarded by mutex

  void give_up(const Error& reason) {
    {
      const std::lock_guard lock(mutex);
      if (!error) error = reason;
    }
    stop.request();
  }
};

// Reads one shard and brings its records to the function: one thread that reads and one for each lane. Records of one
// item go through one lane, so they stay in order.
class ShardWorker {
 public:
  // Begins at once. `iterator`: where to read from, or nothing to begin at the stored position.
  ShardWorker(Shared& shared, std::unique_ptr<StreamSource> source, std::string stream_arn, std::string shard,
              std::optional<std::string> iterator);
  // Waits for the threads; `abandon` makes them end.
  ~ShardWorker();
  ShardWorker(const ShardWorker&) = delete;
  ShardWorker& operator=(const ShardWorker&) = delete;

  // The threads are done: the shard has ended, which is then stored, or the trigger stops.
  [[nodiscard]] bool finished() const { return finished_; }
  // After the end is wished for: what waits in lanes is left for the next time.
  void abandon();

 private:
  void read_shard();
  void run_lane(Lane& lane);
  [[nodiscard]] Result<std::string> next_iterator();
  [[nodiscard]] Result<void> take_page(Json& records);
  [[nodiscard]] bool handle_read_error(const Error& error);
  [[nodiscard]] Result<void> done(std::span<const Record> records);
  void store_position();

  Shared& shared_;
  std::unique_ptr<StreamSource> source_;
  const std::string stream_arn_;
  const std::string shard_;
  std::optional<std::string> iterator_;
  Position position_;          // up to where the shard was read
  std::int64_t since_ms_ = 0;  // older records are none of ours
  int errors_ = 0;             // in a row
  bool gone_ = false;          // the stream is no longer there
  Tracker tracker_;
  std::mutex store_;  // positions are stored in order
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::atomic<bool> finished_ = false;
  std::vector<std::thread> threads_;
  std::thread reader_;
};

}  // namespace stator::trigger
