#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/table.h"

namespace stator::engine {

inline constexpr std::size_t kReadUnitBytes = 4096;
inline constexpr std::size_t kWriteUnitBytes = 1024;

// Capacity in half units, because an eventually consistent read of 4 KB costs half a unit: exact integers, no doubles.
using HalfUnits = std::int64_t;

[[nodiscard]] constexpr HalfUnits read_cost(std::size_t bytes, bool consistent) noexcept {
  const auto units = static_cast<HalfUnits>(bytes == 0 ? 1 : (bytes + kReadUnitBytes - 1) / kReadUnitBytes);
  return consistent ? units * 2 : units;
}
[[nodiscard]] constexpr HalfUnits write_cost(std::size_t bytes) noexcept {
  return 2 * static_cast<HalfUnits>(bytes == 0 ? 1 : (bytes + kWriteUnitBytes - 1) / kWriteUnitBytes);
}

// What one operation consumed of one table and its indexes.
struct ConsumedCapacity {
  struct OfIndex {
    const Index* index;  // of `table`
    HalfUnits cost;
  };
  TablePtr table;
  HalfUnits table_cost = 0;
  std::vector<OfIndex> indexes;  // only those that cost something

  void add_index(const Index& index, HalfUnits cost) {
    if (cost == 0) return;
    for (OfIndex& entry : indexes) {
      if (entry.index == &index) {
        entry.cost += cost;
        return;
      }
    }
    indexes.push_back({&index, cost});
  }
  [[nodiscard]] HalfUnits total() const noexcept {
    HalfUnits sum = table_cost;
    for (const OfIndex& entry : indexes) sum += entry.cost;
    return sum;
  }
};

}  // namespace stator::engine
