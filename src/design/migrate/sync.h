#pragma once

#include <atomic>

#include "design/migrate/migration.h"

namespace stator::design {

enum class SyncUntil : std::uint8_t {
  stopped,    // by the wish to end
  caught_up,  // everything that was in the streams when it began is dealt with
};

struct SyncReport {
  std::uint64_t records = 0;
  std::uint64_t written = 0;    // items of the target
  std::uint64_t unchanged = 0;  // the target was as it should be already
};

// The dual write: follows the streams of the sources and brings each changed item to the new model, by the state that
// the source has then (reconcile.h), so records may come twice or late. The position in each shard is stored when all
// records before it are dealt with. Parents are read before their children.
class Sync {
 public:
  explicit Sync(Migration& migration) : migration_(migration) {}

  // Errors: no stream, a position that is older than what the stream keeps, an item that cannot be migrated.
  // Ends by the migration's wish to end, too, or by `over`, where given.
  [[nodiscard]] Result<SyncReport> run(SyncUntil until, const base::Stop* over = nullptr);

  // For a thread beside the one that runs: how often all streams were read to their end as it was when a round began.
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  [[nodiscard]] Result<SyncReport> follow(SyncUntil until, const base::Stop* over);

  Migration& migration_;
  std::atomic<std::uint64_t> rounds_{0};
  std::atomic<bool> ended_{false};
};

}  // namespace stator::design
