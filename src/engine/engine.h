#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/clock.h"
#include "engine/admission.h"
#include "engine/catalog.h"
#include "engine/delayed_store.h"
#include "engine/lease.h"
#include "engine/outbox_store.h"
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

inline constexpr std::int64_t kShardLifetimeMs = 4LL * 60 * 60 * 1000;
inline constexpr std::int64_t kStreamRetentionMs = 24LL * 60 * 60 * 1000;

// How global indexes are kept: their rows in the commit of the item, or by an outbox row in it and applied right behind it
// (docs/design/rados.md, Indexes).
enum class IndexWrites : std::uint8_t { together, outbox };

struct EngineOptions {
  std::int64_t transition_ms = 0;  // how long CREATING, UPDATING and DELETING last; 0: until the answer is out
  std::int64_t ttl_interval_ms = 1000;  // between two looks for expired items
  std::int64_t index_delay_ms = 0;      // how far eventually consistent reads lag behind; 0: not at all
  std::int64_t stream_retention_ms = kStreamRetentionMs;     // how long the records of a stream are kept
  std::int64_t shard_lifetime_ms = kShardLifetimeMs;         // when a shard of a stream is closed and followed by a child
  std::int64_t collection_bytes_max = kCollectionBytesMax;  // of one item collection of a table with local indexes
  IndexWrites index_writes = IndexWrites::together;
  Admission::Options capacity = {};                          // whether requests are metered and throttled
};

// What every operation works on. Borrowed parts: whoever builds the Engine owns the store and the clock.
struct Engine {
  Engine(store::Store& store_in, const base::Clock& clock_in, EngineOptions options_in = {})
      : options(options_in),
        base_store(store_in),
        outbox(store_in.shared() || options.index_writes == IndexWrites::outbox
                   ? std::make_unique<OutboxStore>(store_in, random_node_name())
                   : nullptr),
        delayed(options.index_delay_ms > 0 ? std::make_unique<DelayedStore>(outbox ? *outbox : store_in, clock_in,
                                                                            options.index_delay_ms)
                                           : nullptr),
        store(delayed ? static_cast<store::Store&>(*delayed) : outbox ? *outbox : store_in),
        clock(clock_in),
        catalog(store, clock_in),
        admission(clock_in, options.capacity),
        leases(store, outbox ? outbox->marks().node() : std::string()) {}

  // Where an item read looks. Eventually consistent ones lag behind where that was asked for.
  [[nodiscard]] store::Store& reads(bool consistent) {
    return delayed == nullptr || consistent ? store : delayed->lagging();
  }

  // Null where the rows of global indexes are in the commit of the item.
  [[nodiscard]] std::atomic<std::uint64_t>* outbox_numbers() const {
    return options.index_writes == IndexWrites::outbox ? &outbox->numbers() : nullptr;
  }

  const EngineOptions options;
  store::Store& base_store;
  // On a shared store always: another node may put outbox rows, or have left some.
  const std::unique_ptr<OutboxStore> outbox;
  const std::unique_ptr<DelayedStore> delayed;  // null: nothing lags
  store::Store& store;
  const base::Clock& clock;
  Catalog catalog;
  Admission admission;
  TransactionLocks transactions;
  Leases leases;
  Wakeup background;
  std::atomic<bool> stopping{false};  // set when background work shall end
};

}  // namespace stator::engine
