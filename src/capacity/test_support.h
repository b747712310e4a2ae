#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "capacity/admission.h"

namespace stator::capacity {

inline constexpr Ticks kTestStart = 17 * kTicksPerMinute;

inline Ticks seconds(double count) { return static_cast<Ticks>(count * static_cast<double>(kTicksPerSecond)); }

// Plays requests against one resource at an even rate and counts what was let in.
struct Player {
  Resource& resource;
  Ticks now = kTestStart;
  std::int64_t admitted = 0;
  std::int64_t refused = 0;
  Decision last_refusal{};

  void wait(double count) { now += seconds(count); }

  // `place` gives the place of request n.
  void play(Direction direction, double per_second, double duration_seconds, HalfUnits cost,
            const std::function<Place(std::int64_t)>& place,
            const std::function<std::string(std::int64_t)>& sort_key = nullptr) {
    const auto count = static_cast<std::int64_t>(per_second * duration_seconds + 0.5);
    const Ticks start = now;
    for (std::int64_t i = 0; i < count; ++i) {
      now = start + seconds(static_cast<double>(i) / per_second);
      std::string sort;
      if (sort_key) sort = sort_key(i);
      const Charge charge{&resource, direction, cost, place(i), sort};
      const Decision decision = admit({&charge, 1}, Mode::enforce, now);
      decision.allowed ? ++admitted : ++refused;
      if (!decision.allowed) last_refusal = decision;
    }
    now = start + seconds(duration_seconds);
  }
};

// Keys in no order, all over the hash.
inline Place spread(std::int64_t n) {
  return make_place(hash_bytes(std::string_view(reinterpret_cast<const char*>(&n), sizeof n)), 7);
}
inline Place one_key(std::int64_t) { return make_place(hash_bytes("SHIPMENT#1"), 7); }
// One partition key, a new item each time.
inline Place one_collection(std::int64_t n) { return make_place(hash_bytes("SHIPMENT#1"), key_hash(spread(n))); }

inline Settings provisioned(std::int64_t read, std::int64_t write) {
  Settings settings;
  settings.billing = BillingMode::provisioned;
  settings.provisioned = {.read = read, .write = write};
  return settings;
}

}  // namespace stator::capacity
