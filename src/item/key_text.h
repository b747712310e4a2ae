#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// How values are written into keys. The studio's key templates (design/template.h) and the typed
// models of libstator (include/stator/model.h) must give the same bytes, so both call this.
namespace stator::item {

// The write shard of a value: md5 as a big-endian number, modulo count. Code that the studio
// generates for other languages computes the same. `count` is 1 at least.
[[nodiscard]] int shard_of(std::string_view value, int count);

// A decimal in exactly `width` characters, filled with zeros on the left, with exactly `decimals`
// digits after the point. Errors: not a plain decimal, too many decimals, too long.
[[nodiscard]] Result<std::string> padded_number(std::string_view decimal, int width, int decimals);

enum class TimeUnit : std::uint8_t { year, month, day, hour, minute, second };
[[nodiscard]] std::string_view time_unit_text(TimeUnit unit) noexcept;

// An ISO 8601 time up to the unit: "2026-06-01" of 2026-06-01T12:00:00Z and day.
[[nodiscard]] Result<std::string> cut_time(std::string_view time, TimeUnit unit);

}  // namespace stator::item
