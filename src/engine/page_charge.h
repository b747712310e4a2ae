#pragma once

#include <optional>

#include "engine/admission.h"
#include "engine/engine.h"

namespace stator::engine {

// Charges a page of Query or Scan as it is read, each part to the partition of the row that it was for. The first row is let in
// or refused like any request. When the capacity is used up further on, the page ends there (enforce), or the rest is metered
// and charged to nobody (observe).
class PageCharge {
 public:
  PageCharge(Engine& engine, const Table& table, const Index* index, AccessKind kind);

  // A row was read and the page has cost so much up to now. False: the page ends behind this row.
  [[nodiscard]] bool row(std::string_view row_key, HalfUnits cost) {
    if (cost == charged_ || !active_) return true;
    return charge(row_key, cost);
  }
  // Instead of row() for each: all rows of one partition at once, `row_key` is the first. False if the page may have to end at one
  // of them: nothing was charged, and the rows have to be charged one by one.
  [[nodiscard]] bool whole(std::string_view row_key, HalfUnits cost);
  // All rows are read; a page without any costs something too. The error is that of a refused page.
  [[nodiscard]] Result<void> finish(std::string_view start_key, HalfUnits cost);
  // Items that a local index had to fetch from its table.
  void fetched(std::string_view row_key, HalfUnits cost);

 private:
  [[nodiscard]] bool charge(std::string_view row_key, HalfUnits cost);
  void overdraw(const Access& access, capacity::Limit limit);
  void settle(std::string_view row_key, HalfUnits cost, capacity::Ticks now);

  Engine& engine_;
  const Table& table_;
  const Index* index_;  // null: the table, or a local index, which draws on it
  const AccessKind kind_;
  const TableMeter& meter_;
  capacity::Resource* resource_ = nullptr;  // null: nothing is metered
  bool active_;
  bool overdrawn_ = false;
  HalfUnits charged_ = 0;
  std::string first_row_;  // for the listener
  std::optional<Error> refusal_;
};

}  // namespace stator::engine
