#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "engine/engine.h"

namespace stator::engine {

// The thread that does what no request waits for: building and erasing indexes, deleting expired items, trimming streams,
// forgetting client tokens. Starts at construction; stops, after the step under way, at destruction.
class Background {
 public:
  // `expired` is told, on this thread, how many items of a table were deleted because their time had come.
  using Expired = std::function<void(const Table& table, std::size_t items)>;
  explicit Background(Engine& engine, Expired expired = {});
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

 private:
  void run();
  // Whether something is waiting that should be looked at again soon.
  bool run_once(std::int64_t now_ms);

  Engine& engine_;
  const Expired expired_;
  std::int64_t next_sweep_ms_ = 0;
  std::int64_t next_trim_ms_ = 0;
  std::int64_t next_roll_ms_ = 0;
  std::thread thread_;
};

}  // namespace stator::engine
