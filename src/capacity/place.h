#pragma once

#include <cstdint>
#include <string_view>

namespace stator::capacity {

// Where an item lies in the key space of a table or index: the hash of its partition key, and below it the hash of
// its sort key. Real partitions divide an item collection by the order of its sort keys; a hash divides the load of
// keys that come in no order just as well, and keys that come in order are found by comparing them (heat_sketch.h).
__extension__ using Place = unsigned __int128;

[[nodiscard]] constexpr Place make_place(std::uint64_t key_hash, std::uint64_t item_hash) noexcept {
  return static_cast<Place>(key_hash) << 64 | item_hash;
}
[[nodiscard]] constexpr std::uint64_t key_hash(Place place) noexcept {
  return static_cast<std::uint64_t>(place >> 64);
}
[[nodiscard]] constexpr std::uint64_t item_hash(Place place) noexcept { return static_cast<std::uint64_t>(place); }

inline constexpr Place kLastPlace = ~Place{0};

// Both ends belong to it.
struct PlaceRange {
  Place first = 0;
  Place last = kLastPlace;

  [[nodiscard]] constexpr bool one_item() const noexcept { return first == last; }
  [[nodiscard]] constexpr bool one_key() const noexcept { return key_hash(first) == key_hash(last); }
  friend constexpr bool operator==(const PlaceRange&, const PlaceRange&) = default;
};

// A good 64-bit hash for callers that have key bytes only (the engine brings its own): FNV-1a and a final mix, the
// same in every version, so that a trace with hashed keys can be compared with one with names.
[[nodiscard]] constexpr std::uint64_t hash_bytes(std::string_view bytes) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
  return hash ^ (hash >> 31);
}

}  // namespace stator::capacity
