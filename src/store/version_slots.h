#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string_view>

#include "store/store.h"

namespace stator::store {

// The versions of all keys, of those too that do not exist, in a fixed amount of memory.
//
// A slot holds the sequence number of the last commit that wrote one of the keys which hash to it.
// One process owns the map, so nothing of this needs to be on disk: after a restart every slot is
// zero and no version from before the restart is in use. Keys that share a slot can only cause a
// conflict without reason, which the contract allows (S3).
//
// Loads may run on any thread. Stores are serialized by the owner's commit lock.
class VersionSlots {
 public:
  VersionSlots() : slots_(std::make_unique<std::atomic<Version>[]>(kSlots)) {
    std::random_device entropy;  // seeded, so that nobody can choose keys which share a slot
    seed_ = (static_cast<std::uint64_t>(entropy()) << 32) ^ entropy();
  }

  [[nodiscard]] std::uint64_t hash(std::string_view key) const noexcept {
    const char* at = key.data();
    std::size_t left = key.size();
    std::uint64_t state = seed_ ^ (left * kMultiplier1);
    for (; left > 8; left -= 8, at += 8) state = fold(state ^ word(at, 8), kMultiplier1);
    return fold(state ^ word(at, left), kMultiplier2);
  }

  [[nodiscard]] Version load(std::uint64_t hash) const noexcept {
    return slots_[index(hash)].load(std::memory_order_acquire);
  }
  void store(std::uint64_t hash, Version version) noexcept {
    slots_[index(hash)].store(version, std::memory_order_release);
  }

  // Sets every slot above `floor` to `version`: the writes behind those versions were lost.
  void replace_above(Version floor, Version version) noexcept {
    for (std::size_t i = 0; i < kSlots; ++i) {
      if (slots_[i].load(std::memory_order_relaxed) > floor) {
        slots_[i].store(version, std::memory_order_release);
      }
    }
  }
  // Sets every slot: any key may have been written.
  void replace_all(Version version) noexcept {
    for (std::size_t i = 0; i < kSlots; ++i) slots_[i].store(version, std::memory_order_release);
  }

  // A version that no guard will ever find again, and that no other read gets. For a read which
  // raced with a write of its slot: the value is good, but nothing may be decided from it.
  [[nodiscard]] Version unmatched() noexcept {
    return kUnmatchedBit | unmatched_.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  __extension__ using Uint128 = unsigned __int128;
  static constexpr std::size_t kSlots = std::size_t{1} << 17;  // 1 MiB
  static constexpr Version kUnmatchedBit = Version{1} << 63;
  static constexpr std::uint64_t kMultiplier1 = 0xd6e8feb86659fd93;
  static constexpr std::uint64_t kMultiplier2 = 0xa3b195354a39b70d;

  static std::size_t index(std::uint64_t hash) noexcept { return hash & (kSlots - 1); }
  static std::uint64_t word(const char* from, std::size_t bytes) noexcept {
    std::uint64_t value = 0;
    if (bytes != 0) std::memcpy(&value, from, bytes);
    return value;
  }
  static std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
    const Uint128 product = static_cast<Uint128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  std::unique_ptr<std::atomic<Version>[]> slots_;
  std::uint64_t seed_ = 0;
  std::atomic<Version> unmatched_{0};
};

}  // namespace stator::store
