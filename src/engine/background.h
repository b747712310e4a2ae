#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/engine.h"

namespace stator::engine {

// The thread that does what no request waits for: building and erasing indexes, deleting expired items, trimming streams,
// forgetting client tokens. Starts at construction; stops, after the step under way, at destruction.
class Background {
 public:
  explicit Background(Engine& engine);
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

 private:
  void run();
  // Whether something is waiting that should be looked at again soon.
  bool run_once(std::int64_t now_ms);

  Engine& engine_;
  std::int64_t next_sweep_ms_ = 0;
  std::int64_t next_trim_ms_ = 0;
  std::thread thread_;
};

}  // namespace stator::engine
