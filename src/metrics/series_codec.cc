#include "metrics/series_codec.h"

#include <algorithm>

namespace stator::metrics {
namespace {

template <class Integer>
void append_big_endian(std::string& out, Integer value) {
  for (int shift = static_cast<int>(sizeof(Integer)) * 8 - 8; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(value >> shift));
  }
}

std::uint64_t read_big_endian(std::string_view bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (const char byte : bytes.substr(0, count)) value = value << 8 | static_cast<std::uint8_t>(byte);
  return value;
}

constexpr std::size_t kPrefixBytes = 5;

}  // namespace

std::string row_prefix(RowKind kind) {
  std::string key(kPrefixBytes, '\0');
  key[4] = static_cast<char>(kind);
  return key;
}

std::string end_of(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xff') prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

std::string encode_series(const SeriesKey& key) {
  std::string out(1, static_cast<char>(key.metric));
  out.append(key.table).push_back('\0');
  out.append(key.detail).push_back('\0');
  out.append(key.detail2);
  return out;
}

std::optional<SeriesKey> decode_series(std::string_view bytes) {
  if (bytes.empty() || static_cast<std::uint8_t>(bytes[0]) >= kMetricCount) return std::nullopt;
  const std::size_t first = bytes.find('\0', 1);
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = bytes.find('\0', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  return SeriesKey{static_cast<Metric>(bytes[0]), std::string(bytes.substr(1, first - 1)),
                   std::string(bytes.substr(first + 1, second - first - 1)), std::string(bytes.substr(second + 1))};
}

std::string chunk_row_key(Minute chunk_begin, std::string_view series) {
  std::string key = row_prefix(RowKind::chunk);
  append_big_endian(key, static_cast<std::uint32_t>(chunk_begin / kChunkMinutes));
  return key.append(series);
}

std::string frame_row_key(Minute minute, std::uint32_t part) {
  std::string key = row_prefix(RowKind::frame);
  append_big_endian(key, static_cast<std::uint64_t>(minute));
  append_big_endian(key, part);
  return key;
}

Minute minute_of_frame(std::string_view row_key) {
  return static_cast<Minute>(read_big_endian(row_key.substr(std::min(row_key.size(), kPrefixBytes)), 8));
}

std::uint32_t part_of_frame(std::string_view row_key) {
  return static_cast<std::uint32_t>(read_big_endian(row_key.substr(std::min(row_key.size(), kPrefixBytes + 8)), 4));
}

}  // namespace stator::metrics
