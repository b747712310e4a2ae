#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "metrics/metric.h"
#include "metrics/point.h"

// Keys of the rows that hold metrics. They are in the system space of the store (table 0), in kinds of their own; see
// docs/formats/metrics.md.
namespace stator::metrics {

// Kinds below 0x20 are the engine's.
enum class RowKind : std::uint8_t { chunk = 0x20, frame = 0x21, series = 0x22, document = 0x23 };

[[nodiscard]] std::string row_prefix(RowKind kind);
// The first key behind all keys that begin with `prefix`.
[[nodiscard]] std::string end_of(std::string prefix);

// series := metric:u8 table 00 detail 00 detail2
[[nodiscard]] std::string encode_series(const SeriesKey& key);
[[nodiscard]] std::optional<SeriesKey> decode_series(std::string_view bytes);

// chunk row := prefix hour:u32 series; `chunk_begin` is the first minute of its hour. Hours come first, so that what is too
// old is one range.
[[nodiscard]] std::string chunk_row_key(Minute chunk_begin, std::string_view series = {});
// frame row := prefix minute:u64 part:u32; `part` tells apart the frames that two runs of the server wrote for one minute.
[[nodiscard]] std::string frame_row_key(Minute minute, std::uint32_t part);
[[nodiscard]] Minute minute_of_frame(std::string_view row_key);
[[nodiscard]] std::uint32_t part_of_frame(std::string_view row_key);

}  // namespace stator::metrics
