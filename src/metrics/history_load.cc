#include "base/sync_wait.h"
#include "metrics/history.h"
#include "store/collect_rows.h"
#include "metrics/series_codec.h"

namespace stator::metrics {
namespace {

bool take(std::string_view& bytes, std::string_view& part) {
  std::uint64_t size = 0;
  if (!read_varint(bytes, size) || size > bytes.size()) return false;
  part = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

Result<std::vector<std::pair<std::string, std::string>>> scan_all(store::Store& store, RowKind kind) {
  const std::string from = row_prefix(kind);
  const std::string to = end_of(from);
  store::CollectRows collector;
  TRY_VOID(base::sync_wait(store.scan({from, to}, store::Direction::ascending, collector)));
  return std::move(collector.rows);
}

}  // namespace

Result<void> History::load() {
  TRY_VOID(load_series());
  return load_frames();
}

Result<void> History::load_series() {
  TRY(const auto rows, scan_all(store_, RowKind::series));
  const std::size_t prefix = row_prefix(RowKind::series).size();
  const std::lock_guard lock(mutex_);
  for (const auto& [row_key, value] : rows) {
    const auto key = decode_series(std::string_view(row_key).substr(prefix));
    if (!key || value.size() != 4) continue;  // of a metric that a newer version has
    Minute hour = 0;
    for (const char byte : value) hour = hour << 8 | static_cast<std::uint8_t>(byte);
    Series& series = series_[*key];
    series.last = std::max(series.last, hour * kChunkMinutes + kChunkMinutes - 1);
  }
  return {};
}

Result<void> History::load_frames() {
  TRY(const auto rows, scan_all(store_, RowKind::frame));
  Minute hour = -1;
  for (const auto& [row_key, value] : rows) {
    const Minute minute = minute_of_frame(row_key);
    frame_part_ = std::max(frame_part_, part_of_frame(row_key) + 1);
    if (minute - minute % kChunkMinutes != hour) {
      hour = minute - minute % kChunkMinutes;
      TRY_VOID(seal_hours(hour));  // an hour that ended while nothing could be stored
    }
    const std::lock_guard lock(mutex_);
    std::string_view rest = value;
    std::string_view name;
    std::string_view bytes;
    while (take(rest, name) && take(rest, bytes)) {
      const auto key = decode_series(name);
      std::vector<Point> points;
      if (!key || !read_points(bytes, hour, points) || points.empty()) continue;
      Series& series = series_[*key];
      series.chunk_begin = hour;
      series.closed += bytes;
      series.last = std::max(series.last, points.back().minute);
    }
  }
  return {};
}

}  // namespace stator::metrics
