#pragma once

#include <optional>

#include "engine/admission.h"
#include "engine/engine.h"

namespace stator::engine {

// What a page of Query or Scan costs, charged as it is read, each part to the partition of the row that it was for. A Query reads one
// partition. A Scan reads one after the other, and what it read of each is rounded up by itself: one without items costs a
// read too. (A partition that begins inside of an item collection is not told from the one before it: rows come in the order of their
// sort keys, and the model divides collections by hash.) The first row is let in or refused like any request. When the capacity is used up further on, the page ends there (enforce), or the rest is metered
// and charged to nobody (observe).
class PageCharge {
 public:
  PageCharge(Engine& engine, const Table& table, const Index* index, AccessKind kind, bool consistent, store::Range range);

  // A row was read. False: the page ends behind it.
  [[nodiscard]] bool row(std::string_view row_key, std::size_t bytes) {
    if (kind_ == AccessKind::scan) go_to(row_hash(row_key));
    bytes_ += bytes;
    if (cost() == charged_ || !active_) return true;
    return charge(row_key, cost());
  }
  // Whether the range lies in one partition.
  [[nodiscard]] bool in_one_partition() const noexcept { return partition_end_ >= range_end_; }
  // Instead of row() for each: all rows of a range in one partition at once, `row_key` is the first. False if the page may have to
  // end at one of them: nothing was charged, and the rows have to be charged one by one.
  [[nodiscard]] bool whole(std::string_view row_key, std::size_t bytes);
  // All rows are read, up to the end of the range if `complete`; a page without any costs something too. The error is that of a
  // refused page.
  [[nodiscard]] Result<void> finish(bool complete);
  // Of the page up to now.
  [[nodiscard]] HalfUnits cost() const noexcept { return behind_ + read_cost(bytes_, consistent_); }
  // Items that a local index had to fetch from its table.
  void fetched(std::string_view row_key, HalfUnits cost);

 private:
  void go_to(std::uint32_t hash) {
    while (hash > partition_end_) leave_partition();
  }
  void leave_partition();
  [[nodiscard]] std::uint32_t end_of_partition(std::uint32_t hash) const;
  [[nodiscard]] bool charge(std::string_view row_key, HalfUnits cost);
  void overdraw(const Access& access, capacity::Limit limit);
  void settle(std::string_view row_key, HalfUnits cost, capacity::Ticks now);

  Engine& engine_;
  const Table& table_;
  const Index* index_;  // null: the table, or a local index, which draws on it
  const AccessKind kind_;
  const bool consistent_;
  const store::Range range_;
  const TableMeter& meter_;
  capacity::Resource* resource_ = nullptr;  // null: nothing is metered
  bool active_;
  bool overdrawn_ = false;
  std::uint32_t partition_end_ = UINT32_MAX;  // the last hash of the partition that is being read
  std::uint32_t range_end_ = UINT32_MAX;      // the last hash of the range
  HalfUnits behind_ = 0;                      // what the partitions before it have cost
  std::size_t bytes_ = 0;                     // of its items
  HalfUnits charged_ = 0;
  std::string first_row_;  // for the listener
  std::optional<Error> refusal_;
};

}  // namespace stator::engine
