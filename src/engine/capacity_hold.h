#pragma once

#include <span>

#include "base/arena.h"
#include "engine/engine.h"
#include "engine/write_plan.h"

namespace stator::engine {

// Capacity that was taken for work on one item and is given back unless the work was done. Lives in the request; `engine`,
// `table` and `arena` outlive it.
class CapacityHold {
 public:
  CapacityHold(Engine& engine, const Table& table, base::Arena& arena)
      : engine_(engine), table_(table), arena_(arena) {}
  ~CapacityHold();
  CapacityHold(CapacityHold&& other) noexcept;
  CapacityHold& operator=(CapacityHold&&) = delete;

  // What a write costs: the table's part, and the rows of its global indexes. The first call is let in or refused; another
  // one, when the item has changed in between, corrects what was taken.
  [[nodiscard]] Result<void> take_write(std::string_view row_key, HalfUnits table_cost,
                                        std::span<const IndexCost> index_costs);
  [[nodiscard]] Result<void> take_read(std::string_view row_key, HalfUnits cost);
  // The work was done.
  void keep();

 private:
  [[nodiscard]] Result<void> take(std::span<const Access> accesses);
  void give_back() noexcept;

  Engine& engine_;
  const Table& table_;
  base::Arena& arena_;
  std::span<Access> accesses_;           // for the listener
  std::span<capacity::Charge> charges_;  // taken and not yet kept
  bool admitted_ = false;
  bool overdrawn_ = false;  // let in beyond a limit (observe): charged to nobody
};

}  // namespace stator::engine
