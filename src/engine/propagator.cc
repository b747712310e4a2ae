#include "engine/propagator.h"

#include <algorithm>
#include <cstdio>

#include "base/log_text.h"
#include "base/sync_wait.h"
#include "base/thread_name.h"
#include "engine/outbox_sweep.h"
#include "engine/propagate.h"

namespace stator::engine {
namespace {

constexpr int kInFlightMax = 64;
constexpr std::chrono::milliseconds kSweepInterval{2000};
constexpr std::chrono::milliseconds kMarkIdle{30'000};  // a mark costs nothing while it is there
constexpr std::chrono::milliseconds kDrain{10'000};
constexpr std::chrono::milliseconds kRetry{2};
constexpr int kRetryDoublings = 8;

// Conflicts are for a few milliseconds; a cluster that does not answer is left in peace for half a second.
std::chrono::milliseconds retry_after(int failures) { return kRetry * (1 << std::min(failures, kRetryDoublings)); }

}  // namespace

Propagator::Propagator(Engine& engine) : engine_(engine) {
  if (engine_.outbox == nullptr) return;
  engine_.outbox->queue().set_worker([this] { wake(); });
  thread_ = std::thread([this] { run(); });
}

Propagator::~Propagator() {
  if (!thread_.joinable()) return;
  engine_.stopping.store(true);
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    stop_at_ = std::chrono::steady_clock::now() + kDrain;
    changed_.notify_one();
  }
  thread_.join();
  OutboxQueue& queue = engine_.outbox->queue();
  queue.set_worker(nullptr);
  queue.release_waiters();
  // A mark that stays makes another node look through a table.
  static_cast<void>(base::sync_wait(engine_.outbox->marks().clear(std::chrono::steady_clock::now())));
}

void Propagator::post(std::coroutine_handle<> work) noexcept {
  const std::lock_guard lock(mutex_);
  posted_.push_back(work);
  changed_.notify_one();
}

void Propagator::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_one();
}

void Propagator::run() {
  base::name_thread("stator-index");
  set_current(this);
  for (;;) {
    bool stopping = false;
    {
      const std::lock_guard lock(mutex_);
      stopping = stopping_;
      woken_ = false;
    }
    const Moment next = start_work(std::chrono::steady_clock::now(), stopping);
    std::vector<std::coroutine_handle<>> work;
    const bool drained = engine_.outbox->queue().rows() == 0;  // asked first: the queue calls wake() with its own lock held
    {
      std::unique_lock lock(mutex_);
      if (stopping && in_flight_ == 0 && !sweeping_ && posted_.empty() &&
          (drained || std::chrono::steady_clock::now() >= stop_at_)) {
        break;
      }
      changed_.wait_until(lock, next, [&] { return woken_ || !posted_.empty() || stopping_ != stopping; });
      work.swap(posted_);
    }
    for (const std::coroutine_handle<> handle : work) handle.resume();
  }
  set_current(nullptr);
}

Propagator::Moment Propagator::start_work(Moment now, bool stopping) {
  OutboxQueue& queue = engine_.outbox->queue();
  const auto drains = [&] {
    const std::lock_guard lock(mutex_);
    return !stopping_ || now < stop_at_;
  };
  while (in_flight_ < kInFlightMax && drains()) {
    std::optional<QueuedItem> item = queue.take(now);
    if (!item) break;
    apply(*this, std::move(*item));
  }
  if (!sweeping_ && !stopping && now >= next_sweep_) {
    next_sweep_ = now + kSweepInterval;
    sweep(*this, now);
  }
  return std::min(queue.tick(now), stopping ? now + kRetry : next_sweep_);
}

base::Detached Propagator::apply(Propagator& self, QueuedItem item) {
  ++self.in_flight_;
  const Result<void> done = co_await propagate(self.engine_, item);
  --self.in_flight_;
  OutboxQueue& queue = self.engine_.outbox->queue();
  const Moment now = std::chrono::steady_clock::now();
  if (done) {
    queue.done(item, now);
    co_return;
  }
  const ErrorCode code = done.error().code;
  if (code != ErrorCode::conflict && code != ErrorCode::unavailable && item.failures == 0) {
    std::fprintf(stderr, "stator: bringing an index up to date: %s\n", base::log_text(done.error()).c_str());
  }
  const Moment not_before = now + retry_after(item.failures);
  queue.again(std::move(item), not_before);
}

base::Detached Propagator::sweep(Propagator& self, Moment now) {
  self.sweeping_ = true;
  Result<void> swept = co_await sweep_outbox(self.engine_);
  if (swept) swept = co_await self.engine_.outbox->marks().clear(now - kMarkIdle);
  self.sweeping_ = false;
  const bool wrong = !swept && swept.error().code != ErrorCode::unavailable;
  if (wrong && !self.complained_) {
    std::fprintf(stderr, "stator: finishing the index writes of a node that is gone: %s\n",
                 base::log_text(swept.error()).c_str());
  }
  self.complained_ = wrong;
}

}  // namespace stator::engine
