#pragma once

#include <cstdint>

namespace stator::simulate {

enum class Profile : std::uint8_t {
  flat,  // the average all the time
  peak,  // the peak all the time
  day,   // a quiet level and one hump in the evening that touches the peak; the day's mean is the average
};

// Requests per second at a second of the day (0 .. 86,399; later seconds start over).
[[nodiscard]] double rate_at(Profile profile, double average, double peak, std::int64_t second) noexcept;

}  // namespace stator::simulate
