#pragma once

#include <cstdint>
#include <string>

#include "design/model.h"

// Texts of generated values.
namespace stator::design {

// The last day of generated dates: values are the same whenever they are made.
inline constexpr std::int64_t kGeneratedUntil_s = 1'780'272'000;  // 2026-06-01T00:00:00Z
inline constexpr std::int64_t kGeneratedFrom_s = kGeneratedUntil_s - 730 * 86'400;
// When generated items expire: far enough that nothing expires while it is looked at.
inline constexpr std::int64_t kGeneratedExpiry_s = 4'102'444'800;  // 2100-01-01

[[nodiscard]] std::string date_text(std::int64_t epoch_s);      // 2026-06-01
[[nodiscard]] std::string datetime_text(std::int64_t epoch_s);  // 2026-06-01T12:00:00Z

// The n-th of all values that the attribute could have: different for different numbers, in the attribute's format and,
// where it can, of its typical length. Times and numbers grow with n.
[[nodiscard]] std::string nth_value(const Attribute& attribute, std::uint64_t number, std::uint64_t seed);
// Any value, as the bits say: one of the listed, a number in its range, a text of about its typical length.
[[nodiscard]] std::string random_value(const Attribute& attribute, std::uint64_t bits, bool expiry = false);
// How many different values nth_value has; 0: as many as one likes.
[[nodiscard]] std::uint64_t value_limit(const Attribute& attribute);

// Letters of about that many bytes that look like words; no delimiter in them.
[[nodiscard]] std::string words(std::uint64_t bits, std::size_t bytes);

}  // namespace stator::design
