#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/clock.h"
#include "engine/catalog.h"
#include "engine/transaction_locks.h"
#include "store/store.h"

namespace stator::engine {

// Wakes the background thread when there is something for it to do.
class Wakeup {
 public:
  void notify() {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_one();
  }
  void wait(std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, at_most, [&] { return woken_; });
    woken_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;  // guarded by mutex_
};

struct EngineOptions {
  std::int64_t transition_ms = 0;  // how long CREATING, UPDATING and DELETING last; 0: until the answer is out
  std::int64_t ttl_interval_ms = 1000;  // between two looks for expired items
};

// What every operation works on. Borrowed parts: whoever builds the Engine owns the store and the clock.
struct Engine {
  Engine(store::Store& store_in, const base::Clock& clock_in, EngineOptions options_in = {})
      : store(store_in), clock(clock_in), catalog(store_in, clock_in), options(options_in) {}

  store::Store& store;
  const base::Clock& clock;
  Catalog catalog;
  TransactionLocks transactions;
  EngineOptions options;
  Wakeup background;
  std::atomic<bool> stopping{false};  // set when background work shall end
};

}  // namespace stator::engine
