#pragma once

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <mutex>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "base/task.h"
#include "engine/engine.h"
#include "engine/outbox_queue.h"

namespace stator::engine {

// The thread that applies outbox rows (propagate.h), many at a time: those of this node as they come, and those that nodes have left
// which are gone. Does nothing where indexes are written together with their items and the store is not shared. Starts at
// construction. Stops at destruction, when everything that this node has queued is applied, or ten seconds later: no write may come any
// more by then.
class Propagator final : public base::Executor {
 public:
  explicit Propagator(Engine& engine);
  ~Propagator() override;
  Propagator(const Propagator&) = delete;
  Propagator& operator=(const Propagator&) = delete;

  void post(std::coroutine_handle<> work) noexcept override;

 private:
  using Moment = std::chrono::steady_clock::time_point;
  void run();
  // Starts what can be started; when to look again.
  [[nodiscard]] Moment start_work(Moment now, bool stopping);
  static base::Detached apply(Propagator& self, QueuedItem item);
  static base::Detached sweep(Propagator& self, Moment now);
  void wake();

  Engine& engine_;
  // Of the thread:
  int in_flight_ = 0;
  bool sweeping_ = false;
  bool complained_ = false;
  Moment next_sweep_;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  std::vector<std::coroutine_handle<>> posted_;
  bool woken_ = false;
  bool stopping_ = false;
  Moment stop_at_;
  std::thread thread_;
};

}  // namespace stator::engine
