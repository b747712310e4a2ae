#include "engine/heartbeat.h"

#include <chrono>
#include <cstdio>

#include "base/log_text.h"
#include "base/sync_wait.h"
#include "base/thread_name.h"

namespace stator::engine {
namespace {

constexpr std::chrono::milliseconds kInterval{1000};

// Told when it begins and when it is over, not every second.
void report(bool& failing, const Result<void>& result) {
  if (result.has_value() != failing) return;
  failing = !failing;
  if (failing) {
    std::fprintf(stderr, "stator: heartbeat: %s\n", base::log_text(result.error()).c_str());
  } else {
    std::fprintf(stderr, "stator: heartbeat: the cluster answers again\n");
  }
}

}  // namespace

base::Task<Result<void>> learn_of_changes(Engine& engine) {
  const Result<bool> refreshed = co_await engine.catalog.refresh();
  CO_TRY_VOID(refreshed);
  if (*refreshed) engine.background.notify();
  co_return Result<void>();
}

Heartbeat::Heartbeat(Engine& engine) : engine_(engine) {
  if (engine_.store.shared()) thread_ = std::thread([this] { run(); });
}

Heartbeat::~Heartbeat() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    stop_.notify_one();
  }
  thread_.join();
  // Where the cluster is gone, others will find that this node is.
  static_cast<void>(base::sync_wait(engine_.leases.release()));
}

void Heartbeat::run() {
  base::name_thread("stator-beat");
  bool failing = false;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    Result<void> done = base::sync_wait(engine_.leases.tick(std::chrono::steady_clock::now()));
    if (done) done = base::sync_wait(learn_of_changes(engine_));
    report(failing, done);
    lock.lock();
    stop_.wait_for(lock, kInterval, [&] { return stopping_; });
  }
}

}  // namespace stator::engine
