#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "metrics/histogram.h"

namespace stator::metrics {

using Minute = std::int64_t;  // since the epoch

// What happened to one series in one minute, in the metric's stored units. Points of the same minute add up, so that
// a minute may be written in parts: before and after a restart, or by several threads.
struct Point {
  Minute minute = 0;
  std::int64_t count = 0;
  std::int64_t sum = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
  SparseHistogram histogram;  // of latencies only

  void add(std::int64_t value) { merge({.count = 1, .sum = value, .min = value, .max = value}); }
  void merge(const Point& other) {
    if (other.count == 0) return;
    min = count == 0 ? other.min : std::min(min, other.min);
    max = count == 0 ? other.max : std::max(max, other.max);
    count += other.count;
    sum += other.sum;
    histogram.merge(other.histogram);
  }
};

// Stored form of points, one behind the other; see docs/formats/metrics.md.
//
//   point := minute_offset count sum min max buckets (gap count){buckets}
//
// Everything is a varint, `sum`, `min` and `max` zigzagged; `minute_offset` counts from the begin of the hour.
inline constexpr Minute kChunkMinutes = 60;
void append_point(std::string& out, const Point& point);
// Adds the points of a chunk that begins at `chunk_begin` to `points`; corruption where the bytes are none.
[[nodiscard]] Result<void> read_points(std::string_view bytes, Minute chunk_begin, std::vector<Point>& points);

// Varints, for those who store points among other things.
void append_varint(std::string& out, std::uint64_t value);
[[nodiscard]] bool read_varint(std::string_view& bytes, std::uint64_t& value);

}  // namespace stator::metrics
