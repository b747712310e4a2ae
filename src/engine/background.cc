#include "engine/background.h"

#include <chrono>
#include <cstdio>

#include "base/sync_wait.h"
#include "engine/builder.h"
#include "engine/expiry.h"
#include "engine/idempotency.h"
#include "engine/stream_trim.h"

namespace stator::engine {
namespace {

constexpr std::int64_t kTrimIntervalMs = 60'000;
constexpr auto kIdle = std::chrono::milliseconds(1000);
constexpr auto kSoon = std::chrono::milliseconds(5);

// A job that fails is tried again at its next turn; what it stumbled over is written down.
template <class T>
void report(const char* job, const Result<T>& result) {
  if (result || result.error().code == ErrorCode::unavailable) return;
  std::fprintf(stderr, "stator: %s: %s\n", job, result.error().message.c_str());
}

}  // namespace

Background::Background(Engine& engine) : engine_(engine), thread_([this] { run(); }) {}

Background::~Background() {
  engine_.stopping.store(true);
  engine_.background.notify();
  thread_.join();
}

void Background::run() {
  while (!engine_.stopping.load()) {
    const bool soon = run_once(engine_.clock.now_ms());
    engine_.background.wait(soon ? kSoon : kIdle);
  }
}

bool Background::run_once(std::int64_t now_ms) {
  bool soon = false;
  const bool sweep = now_ms >= next_sweep_ms_;
  const bool trim = now_ms >= next_trim_ms_;
  const auto tables = engine_.catalog.tables();
  for (const auto& [name, table] : *tables) {
    if (engine_.stopping.load()) return false;
    if (needs_building(*table)) {
      const Result<bool> built = base::sync_wait(advance_building(engine_, table));
      report("building an index", built);
      if (!built || *built) soon = true;
    }
    if (sweep && table->ttl.state == TtlState::on) {
      report("deleting expired items", base::sync_wait(delete_expired(engine_, table)));
    }
    if (trim && !table->streams.empty()) {
      report("trimming a stream", base::sync_wait(trim_streams(engine_, table)));
    }
  }
  if (trim) {
    report("forgetting request tokens", base::sync_wait(forget_expired_tokens(engine_)));
    next_trim_ms_ = now_ms + kTrimIntervalMs;
  }
  if (sweep) next_sweep_ms_ = now_ms + engine_.options.ttl_interval_ms;
  return soon;
}

}  // namespace stator::engine
