#pragma once

#include <cstdint>
#include <string_view>

// Random bits as a pure function of what they are for, so that any item can be made at any time, in any order, and is
// the same on every machine and in every run with the same seed.
namespace stator::design {

[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept { return mix(mix(a) ^ b); }

[[nodiscard]] constexpr std::uint64_t hash_text(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(hash);
}

// A sequence of bits from one start; cheap to make.
class RandomBits {
 public:
  explicit constexpr RandomBits(std::uint64_t start) : state_(start) {}
  constexpr std::uint64_t next() noexcept { return mix(state_ += 0x9e3779b97f4a7c15ULL); }
  constexpr std::uint64_t below(std::uint64_t bound) noexcept { return bound == 0 ? 0 : next() % bound; }
  constexpr double unit() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // 0 <= x < 1

 private:
  std::uint64_t state_;
};

}  // namespace stator::design
