#include "engine/background.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/log_text.h"
#include "base/sync_wait.h"
#include "base/thread_name.h"
#include "base/thread_urgency.h"
#include "engine/builder.h"
#include "engine/expiry.h"
#include "engine/idempotency.h"
#include "engine/shards.h"
#include "engine/stream_trim.h"

namespace stator::engine {
namespace {

constexpr std::int64_t kTrimIntervalMs = 60'000;
constexpr std::int64_t kRollIntervalMs = 60'000;  // at most, between two looks for shards that are old enough
constexpr std::int64_t kIdleMs = 1000;
constexpr TableId kCommonWork = 0;  // what belongs to no table
constexpr std::int64_t kSoonMs = 5;
constexpr int kNiceness = 10;  // about a tenth of a processor that requests keep busy, all of one that is idle

// A job that fails is tried again at its next turn; what it stumbled over is written down.
template <class T>
void report(const char* job, const Result<T>& result) {
  if (result || result.error().code == ErrorCode::unavailable) return;
  std::fprintf(stderr, "stator: %s: %s\n", job, base::log_text(result.error()).c_str());
}

std::int64_t roll_interval_ms(const EngineOptions& options) {
  return std::min(kRollIntervalMs, options.shard_lifetime_ms / 4);
}

std::int64_t trim_interval_ms(const EngineOptions& options) {
  return std::min(kTrimIntervalMs, options.stream_retention_ms / 4);
}

}  // namespace

Background::Background(Engine& engine, Expired expired)
    : engine_(engine), expired_(std::move(expired)), thread_([this] { run(); }) {}

Background::~Background() {
  engine_.stopping.store(true);
  engine_.background.notify();
  thread_.join();
}

void Background::run() {
  base::name_thread("stator-back");
  base::give_way_to_requests(kNiceness);
  while (!engine_.stopping.load()) {
    const bool soon = run_once(engine_.clock.now_ms());
    const std::int64_t idle_ms =
        std::min({kIdleMs, engine_.options.ttl_interval_ms, roll_interval_ms(engine_.options),
                  trim_interval_ms(engine_.options)});
    engine_.background.wait(std::chrono::milliseconds(soon ? kSoonMs : idle_ms));
  }
}

bool Background::run_once(std::int64_t now_ms) {
  bool soon = false;
  const bool sweep = now_ms >= next_sweep_ms_;
  const bool trim = now_ms >= next_trim_ms_;
  const bool roll = now_ms >= next_roll_ms_;
  const auto tables = engine_.catalog.tables();
  for (const auto& [name, table] : *tables) {
    if (engine_.stopping.load()) return false;
    if (!engine_.leases.holds(table->id)) continue;  // another node's work
    if (needs_building(*table)) {
      const Result<bool> built = base::sync_wait(advance_building(engine_, table));
      report("building an index", built);
      if (!built || *built) soon = true;
    }
    if (sweep && table->ttl.state == TtlState::on) {
      const Result<std::size_t> deleted = base::sync_wait(delete_expired(engine_, table));
      report("deleting expired items", deleted);
      if (expired_ && deleted && *deleted > 0) expired_(*table, *deleted);
    }
    if (roll && table->stream() != nullptr) {
      report("closing the shards of a stream", base::sync_wait(roll_shards(engine_, table)));
    }
    if (trim && !table->streams.empty()) {
      report("trimming a stream", base::sync_wait(trim_streams(engine_, table)));
    }
  }
  if (roll) next_roll_ms_ = now_ms + roll_interval_ms(engine_.options);
  if (trim && engine_.leases.holds(kCommonWork)) {
    // In a process of its own the next start does it; of several nodes the one that began it may never come back.
    if (engine_.store.shared()) {
      report("erasing dropped tables", base::sync_wait(engine_.catalog.finish_drops()));
    }
    report("trimming a stream", base::sync_wait(trim_retired_streams(engine_)));
    report("forgetting request tokens", base::sync_wait(forget_expired_tokens(engine_)));
  }
  if (trim) next_trim_ms_ = now_ms + trim_interval_ms(engine_.options);
  if (sweep) next_sweep_ms_ = now_ms + engine_.options.ttl_interval_ms;
  return soon;
}

}  // namespace stator::engine
