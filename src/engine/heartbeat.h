#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/engine.h"

namespace stator::engine {

// What a node does when another has announced a change.
[[nodiscard]] base::Task<Result<void>> learn_of_changes(Engine& engine);

// What a node of several does once a second, whatever else is under way: it tells that it is alive, looks which background
// work is its own, and looks whether another node has changed a table. Does nothing where the store is not shared. Starts at
// construction; stops at destruction, and gives its work back.
class Heartbeat {
 public:
  explicit Heartbeat(Engine& engine);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  void run();

  Engine& engine_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace stator::engine
