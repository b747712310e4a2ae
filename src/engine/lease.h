#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "base/task.h"
#include "engine/table.h"
#include "store/store.h"

// Who does the background work of which tables, where several nodes share a store.
//
//   node row  := counter        changed once a second by the node that it names: its heartbeat
//   lease row := node           who does the work of one share of all tables; changes when that changes and only then
//
// Tables are divided into shares by their id. Each share has one node that should have it (the highest hash of share and node
// among those alive), which takes it when it is free, or when its owner's heartbeat has not changed for the length of a
// lease, watched with the own monotonic clock: no clocks are compared. An owner gives a share back when another should
// have it, so that a node that joins gets its part.
//
// A lease is for economy. A node that was paused may go on with work that another has taken over meanwhile; everything that is
// done under a lease is right with two workers, because each step is guarded by the rows that it was decided on.
namespace stator::engine {

// A name that no other node has.
[[nodiscard]] std::string random_node_name();

class Leases {
 public:
  using Moment = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kLength{5000};
  static constexpr std::size_t kShares = 64;

  // `node` must be unique among all nodes that ever run at the same time; empty: chosen at random.
  explicit Leases(store::Store& store, std::string node = {});

  // Whether this node does the background work of the table. Always, where it is the only one. Any thread.
  [[nodiscard]] bool holds(TableId table) const { return holds_share(table % kShares); }
  [[nodiscard]] std::size_t held() const;
  // Nodes whose heartbeat was seen, this one included.
  [[nodiscard]] std::size_t nodes() const { return nodes_.load(); }

  // Whether the node has been heard of lately, as of the last tick. Any thread.
  [[nodiscard]] bool is_alive(std::string_view node) const;

  // Heartbeat, then a look at all shares. Called about once a second, by one thread.
  [[nodiscard]] base::Task<Result<void>> tick(Moment now);
  // Gives everything back, so that others need not wait. Called at most once, after the last tick.
  [[nodiscard]] base::Task<Result<void>> release();

 private:
  struct Seen {
    std::string beat;
    Moment changed;
  };
  [[nodiscard]] bool holds_share(std::size_t share) const;
  [[nodiscard]] base::Task<Result<void>> read_rows(Moment now);
  [[nodiscard]] bool alive(std::string_view node, Moment now) const;
  [[nodiscard]] std::string_view preferred(std::size_t share, Moment now) const;
  [[nodiscard]] base::Task<Result<void>> take(std::size_t share);
  [[nodiscard]] base::Task<Result<void>> give_back(std::size_t share);
  [[nodiscard]] base::Task<Result<void>> forget_dead(Moment now);

  store::Store& store_;
  const bool shared_;
  const std::string node_;
  std::uint64_t beats_ = 0;
  // Of the thread that ticks:
  std::map<std::string, Seen, std::less<>> others_;
  std::array<std::string, kShares> owners_;  // of the shares; empty: nobody's

  std::array<std::atomic<bool>, kShares> held_{};
  std::atomic<std::int64_t> valid_until_ms_{0};  // of the steady clock: without a heartbeat others take over
  std::atomic<std::size_t> nodes_{1};
  mutable std::mutex mutex_;
  std::set<std::string, std::less<>> alive_;  // other nodes; guarded by mutex_
};

}  // namespace stator::engine
