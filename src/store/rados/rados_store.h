#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "store/open.h"
#include "store/rados/cluster.h"
#include "store/rados/leaf_map.h"
#include "store/rados/worker.h"

namespace stator::store::rados {

// Points at which a test may stop a node's work as a crash would. Returning true stops it there.
enum class Step : std::uint8_t {
  prepared,      // intents are written, nothing is decided
  decided,       // the record is written, nothing is settled
  settled,       // intents are settled, the record is still there
  split_frozen,  // steps of a split
  split_copied_page,
  split_copied,
  split_opened,
  split_switched,
};
using FaultHook = std::function<bool(Step)>;

// The store over RADOS (docs/design/rados.md). Any number of these, in any number of processes,
// share a pool.
class RadosStore final : public Store {
 public:
  RadosStore(std::unique_ptr<Cluster> cluster, Instance instance, const RadosOptions& options);
  ~RadosStore() override;

  base::Task<Result<Row>> get(std::string_view key, ReadMode mode) override;
  base::Task<Result<std::vector<Row>>> get_many(std::span<const std::string_view> keys,
                                                ReadMode mode) override;
  base::Task<Result<void>> scan(Range range, Direction direction, RowVisitor& visitor) override;
  base::Task<Result<void>> commit(const Batch& batch) override;
  base::Task<Result<std::vector<std::int64_t>>> counters(std::string_view key,
                                                         std::size_t count) override;
  base::Task<Result<void>> erase_range(Range range) override;
  [[nodiscard]] bool shared() const noexcept override { return true; }
  base::Task<Result<void>> raise_fence(std::string_view space, std::uint64_t number) override;
  base::Task<Result<void>> announce() override;
  void listen(Listener listener) override;
  Result<void> close() override;
  // See hasten_rados().
  void hasten(std::chrono::milliseconds grace) { cluster_->hasten(grace); }

  [[nodiscard]] base::Task<Result<void>> load() { return map_.load(); }
  // Splits the leaf of the key at its middle, if it has two rows or more, whatever its size.
  [[nodiscard]] base::Task<Result<void>> split_leaf_of(std::string_view key);
  [[nodiscard]] RadosStatistics statistics() const { return cluster_->statistics(); }
  void set_fault_hook(FaultHook hook) { fault_hook_ = std::move(hook); }

 private:
  using LeafPointer = std::shared_ptr<Leaf>;
  using Deadline = std::chrono::steady_clock::time_point;

  // commit.cc: what a batch does in one leaf.
  struct Part {
    LeafPointer leaf;
    std::vector<Guard> guards;
    std::vector<Write> puts;
    std::vector<std::string_view> erases;
    std::vector<Append> appends;
    std::vector<Fence> fences;
    [[nodiscard]] std::size_t writes() const {
      return puts.size() + erases.size() + appends.size();
    }
  };
  [[nodiscard]] static Error outdated();
  [[nodiscard]] std::vector<Part> divide(const Batch& batch);
  [[nodiscard]] base::Task<Result<void>> validate(const Batch& batch);
  void fill(LeafCommit& commit, const Part& part) const;
  void fill_adds(LeafCommit& commit, const Leaf& leaf, const Batch& batch) const;
  [[nodiscard]] base::Task<Result<void>> register_counters(const Batch& batch, LeafPointer home);
  // What has to be done before the commit is tried again; an error ends it.
  [[nodiscard]] base::Task<Result<void>> clear_the_way(LeafPointer leaf, const LeafCommit& refused);

  // transaction.cc
  struct Transaction;
  [[nodiscard]] base::Task<Result<void>> prepare(Transaction& transaction, bool rows, bool logs);
  [[nodiscard]] base::Task<Result<bool>> commit_across(const Batch& batch, std::vector<Part> parts);

  // intents.cc
  enum class Fate : std::uint8_t { committed, stopped, undecided };
  struct Verdict {
    Fate fate;
    std::vector<std::string> keys;  // with intents, of a committed transaction
  };
  [[nodiscard]] base::Task<Result<Verdict>> look_up(Stamp transaction, LeafNumber home);
  [[nodiscard]] base::Task<Result<void>> resolve(Blocker blocker);
  [[nodiscard]] base::Task<Result<bool>> stop_transaction(Stamp transaction, LeafNumber home);
  [[nodiscard]] base::Task<Result<void>> settle(Stamp transaction, std::vector<std::string> keys,
                                                bool committed);
  [[nodiscard]] base::Task<Result<void>> finish(Stamp transaction, LeafNumber home,
                                                std::vector<std::string> keys);
  [[nodiscard]] bool patience_is_over(Stamp transaction);
  static void settle_row(LeafCommit& commit, std::string_view key, const Intent& intent,
                         bool committed);

  // scan.cc
  struct Page;
  [[nodiscard]] base::Task<Result<void>> read_page(Page& page);
  [[nodiscard]] base::Task<Result<bool>> find_page_begin(Page& page);
  [[nodiscard]] base::Task<Result<bool>> read_rows(Page& page);
  [[nodiscard]] base::Task<Result<bool>> resolve_page(Page& page);

  // measure.cc
  struct Measure;
  void measure_if_due(const LeafPointer& leaf);
  [[nodiscard]] base::Task<Result<Measure>> measure(LeafPointer leaf);
  [[nodiscard]] base::Task<Result<void>> measure_and_split(LeafPointer leaf, bool force);

  // split.cc. `header` is the frozen leaf's: it says where it is split, and into which leaf.
  [[nodiscard]] static tl::unexpected<Error> stopped_by_test();
  [[nodiscard]] base::Task<Result<void>> read_header(LeafPointer leaf);
  [[nodiscard]] base::Task<Result<void>> begin_split(LeafPointer leaf, std::string at);
  [[nodiscard]] base::Task<Result<void>> continue_split(LeafPointer leaf);
  [[nodiscard]] base::Task<Result<void>> create_right(const Header& header, std::string floor);
  [[nodiscard]] base::Task<Result<void>> open_right(LeafPointer leaf, const Header& header);
  [[nodiscard]] base::Task<Result<void>> switch_left(LeafPointer leaf, const Header& header);
  [[nodiscard]] base::Task<Result<void>> enter_in_map(const Split& split);
  [[nodiscard]] base::Task<Result<void>> wait_for_split(LeafPointer leaf);

  // split_copy.cc
  [[nodiscard]] base::Task<Result<void>> copy_upper_part(LeafPointer leaf, const Header& header);
  [[nodiscard]] base::Task<Result<void>> copy_counters(LeafPointer leaf, const Header& header);

  // spaces.cc
  [[nodiscard]] base::Task<Result<bool>> raise_in_leaf(LeafPointer leaf, std::string_view from,
                                                       Fence fence);
  [[nodiscard]] base::Task<Result<void>> end_intents(LeafPointer leaf, std::string_view space);

  // listen.cc
  [[nodiscard]] base::Task<Result<void>> keep_watching();
  [[nodiscard]] base::Task<Result<void>> hear(Connection::Announcement announcement);

  // counters.cc
  [[nodiscard]] base::Task<Result<void>> fold_sums(
      LeafPointer leaf, std::vector<std::pair<std::string, std::string>> sums);
  [[nodiscard]] base::Task<Result<void>> erase_parts(LeafPointer leaf, Range range);

  // A page of a leaf's entries that begin with `prefix`, those behind `after`.
  [[nodiscard]] base::Task<Result<Reply::Entries>> read_entries(LeafPointer leaf, std::string after,
                                                                std::string prefix,
                                                                std::uint64_t entries_max);
  [[nodiscard]] base::Task<Result<Row>> read_row(std::string_view key, Reply first,
                                                 LeafPointer leaf);
  [[nodiscard]] Stamp next_stamp();
  [[nodiscard]] bool stop_here(Step step) const { return fault_hook_ && fault_hook_(step); }
  [[nodiscard]] Deadline deadline() const {
    return std::chrono::steady_clock::now() + 2 * options_.timeout;
  }

  const RadosOptions options_;
  const Instance instance_;
  std::unique_ptr<Cluster> cluster_;
  Worker worker_;
  LeafMap map_;
  std::atomic<std::uint64_t> counter_{0};
  FaultHook fault_hook_;
  Listener listener_;
  Connection::Watcher watcher_;
  std::atomic<bool> closed_{false};

  std::mutex mutex_;
  // Guarded by mutex_:
  std::map<Stamp, std::chrono::steady_clock::time_point>
      first_seen_;                                           // undecided transactions of others
  std::set<std::pair<std::string, LeafNumber>> registered_;  // counters with a part in a leaf
};

// What open_rados() opens, with the doors for tests.
[[nodiscard]] Result<std::unique_ptr<RadosStore>> open(const RadosOptions& options);

}  // namespace stator::store::rados
