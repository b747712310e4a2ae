#include "metrics/point.h"

namespace stator::metrics {
namespace {

constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

bool read_signed(std::string_view& bytes, std::int64_t& value) {
  std::uint64_t coded = 0;
  if (!read_varint(bytes, coded)) return false;
  value = unzigzag(coded);
  return true;
}

bool read_histogram(std::string_view& bytes, SparseHistogram& histogram) {
  std::uint64_t buckets = 0;
  if (!read_varint(bytes, buckets) || buckets > kBucketCount) return false;
  std::uint64_t bucket = 0;
  for (std::uint64_t i = 0; i < buckets; ++i) {
    std::uint64_t gap = 0;
    std::uint64_t count = 0;
    if (!read_varint(bytes, gap) || !read_varint(bytes, count)) return false;
    bucket += gap;
    if (gap > kBucketCount || bucket >= kBucketCount) return false;
    histogram.add(bucket, static_cast<std::uint32_t>(count));
  }
  return true;
}

}  // namespace

void append_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

bool read_varint(std::string_view& bytes, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (bytes.empty()) return false;
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

void append_point(std::string& out, const Point& point) {
  append_varint(out, static_cast<std::uint64_t>(point.minute % kChunkMinutes));
  append_varint(out, static_cast<std::uint64_t>(point.count));
  append_varint(out, zigzag(point.sum));
  append_varint(out, zigzag(point.min));
  append_varint(out, zigzag(point.max));
  append_varint(out, point.histogram.entries().size());
  std::size_t before = 0;
  for (const auto& [bucket, count] : point.histogram.entries()) {
    append_varint(out, bucket - before);
    append_varint(out, count);
    before = bucket;
  }
}

Result<void> read_points(std::string_view bytes, Minute chunk_begin, std::vector<Point>& points) {
  while (!bytes.empty()) {
    Point point;
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
    if (!read_varint(bytes, offset) || offset >= kChunkMinutes || !read_varint(bytes, count) ||
        !read_signed(bytes, point.sum) || !read_signed(bytes, point.min) || !read_signed(bytes, point.max) ||
        !read_histogram(bytes, point.histogram)) {
      return fail(ErrorCode::corruption, "stored metrics cannot be read");
    }
    point.minute = chunk_begin + static_cast<Minute>(offset);
    point.count = static_cast<std::int64_t>(count);
    if (!points.empty() && points.back().minute == point.minute) {
      points.back().merge(point);
    } else {
      points.push_back(std::move(point));
    }
  }
  return {};
}

}  // namespace stator::metrics
