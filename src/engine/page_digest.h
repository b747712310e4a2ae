#pragma once

#include <cstdint>
#include <string_view>

namespace stator::engine {

// What a page of whole items makes of all rows of a range. The store keeps it beside the rows (store::RowVisitor), so that a Query
// that comes again is answered by one copy.
struct PageDigest {
  std::int64_t rows = 0;
  std::uint64_t item_bytes = 0;
  std::string_view first_key;  // of the first row; empty where there is none
  std::string_view items;      // wire text, with commas between
};

inline constexpr std::uint8_t kPageDigestKind = 1;

// In a buffer of the thread, valid until the next call.
[[nodiscard]] std::string_view pack(const PageDigest& digest);
// Of bytes that pack() made.
[[nodiscard]] PageDigest unpack(std::string_view bytes) noexcept;

}  // namespace stator::engine
