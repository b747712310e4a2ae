#pragma once

#include <cstddef>
#include <cstdint>

namespace stator::capacity {

// Capacity in half units, because an eventually consistent read of 4 KB costs half a unit: exact integers, no
// doubles.
using HalfUnits = std::int64_t;

inline constexpr std::size_t kReadUnitBytes = 4096;
inline constexpr std::size_t kWriteUnitBytes = 1024;

enum class Direction : std::uint8_t { read, write };
inline constexpr std::size_t kDirections = 2;

enum class Consistency : std::uint8_t { eventual, strong, transactional };

// What a read of `bytes` costs: units of 4 KB, rounded up, at least one. Half of it when eventually consistent, twice
// when part of a transaction. A Query gives the sum of its rows, so it is rounded once; a BatchGetItem each item.
[[nodiscard]] constexpr HalfUnits read_cost(std::size_t bytes, Consistency consistency) noexcept {
  const auto units = static_cast<HalfUnits>(bytes == 0 ? 1 : (bytes + kReadUnitBytes - 1) / kReadUnitBytes);
  switch (consistency) {
    case Consistency::eventual: return units;
    case Consistency::strong: return units * 2;
    case Consistency::transactional: break;
  }
  return units * 4;
}

// What a write of `bytes` costs: units of 1 KB, rounded up, at least one; twice as much in a transaction.
[[nodiscard]] constexpr HalfUnits write_cost(std::size_t bytes, bool transactional = false) noexcept {
  const auto units = static_cast<HalfUnits>(bytes == 0 ? 1 : (bytes + kWriteUnitBytes - 1) / kWriteUnitBytes);
  return units * (transactional ? 4 : 2);
}

// Units per second, or any other pair of figures for the two directions.
struct Throughput {
  std::int64_t read = 0;
  std::int64_t write = 0;

  [[nodiscard]] constexpr std::int64_t of(Direction direction) const noexcept {
    return direction == Direction::read ? read : write;
  }
  friend constexpr bool operator==(const Throughput&, const Throughput&) = default;
};

// What the service is documented to do; a test or a simulation may change the figures (tuning.h).
inline constexpr Throughput kPartitionCeiling{.read = 3000, .write = 1000};
inline constexpr Throughput kOnDemandAtBirth{.read = 12000, .write = 4000};
inline constexpr std::uint64_t kPartitionBytes = 10ULL * 1024 * 1024 * 1024;
inline constexpr std::int64_t kBurstSeconds = 300;

}  // namespace stator::capacity
