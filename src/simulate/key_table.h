#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "capacity/reason.h"
#include "capacity/units.h"
#include "simulate/request.h"

namespace stator::simulate {

// What is known of a partition key from its first throttle on.
struct KeyStory {
  std::uint32_t target = 0;
  std::uint64_t key_hash = 0;
  std::string name;
  std::array<std::uint64_t, capacity::kLimits> throttles{};
  std::uint64_t requests = 0;  // since the first throttle, that one included
  std::array<capacity::HalfUnits, capacity::kDirections> peak_second{};  // highest demand within a second
  std::int64_t first_us = 0;
  std::int64_t last_us = 0;

  [[nodiscard]] std::uint64_t throttled() const noexcept;
};

// The partition keys that were throttled, exactly, up to a limit; what comes after that is counted as `others`.
class KeyTable {
 public:
  static constexpr std::size_t kKeysMax = 100'000;

  [[nodiscard]] bool empty() const noexcept { return stories_.empty(); }
  // Counts the demand of a key that is known already.
  void ask(const Part& part, std::int64_t time_us) noexcept {
    const auto found = places_.find(id(part.target, part.key_hash));
    if (found != places_.end()) [[unlikely]]
      count(found->second, part, time_us);
  }
  // Before `ask` of the same request.
  void throttle(const Part& part, capacity::Limit limit, std::int64_t time_us, const Source& source);

  [[nodiscard]] const std::vector<KeyStory>& stories() const noexcept { return stories_; }
  [[nodiscard]] std::uint64_t others() const noexcept { return others_; }

 private:
  struct Second {
    std::int64_t number = -1;
    std::array<capacity::HalfUnits, capacity::kDirections> demand{};
  };

  static std::uint64_t id(std::uint32_t target, std::uint64_t key_hash) noexcept {
    return key_hash ^ (static_cast<std::uint64_t>(target) * 0x9e3779b97f4a7c15ULL);
  }
  void count(std::size_t place, const Part& part, std::int64_t time_us) noexcept;

  std::unordered_map<std::uint64_t, std::size_t> places_;
  std::vector<KeyStory> stories_;
  std::vector<Second> seconds_;  // beside stories_
  std::uint64_t others_ = 0;
};

}  // namespace stator::simulate
