#pragma once

#include <cstdint>

namespace stator::store {

// Counters wrap around instead of overflowing: a sum must not be able to stop a commit.
[[nodiscard]] inline std::int64_t add_wrapping(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

}  // namespace stator::store
