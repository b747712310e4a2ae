#include "metrics/history.h"

#include <algorithm>

#include "base/sync_wait.h"
#include "store/collect_rows.h"
#include "metrics/series_codec.h"

namespace stator::metrics {
namespace {

constexpr std::size_t kRowsPerCommit = 500;
// How many series more make it worth while to look which tables are gone.
constexpr std::size_t kLimitEverySeries = 1000;

Minute hour_of(Minute minute) { return minute - minute % kChunkMinutes; }

// Points of one minute may have been written in parts, and out of order where the clock went back.
void put_in_order(std::vector<Point>& points) {
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.minute < b.minute; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (kept > 0 && points[kept - 1].minute == points[i].minute) {
      points[kept - 1].merge(points[i]);
    } else if (kept++ != i) {
      points[kept - 1] = std::move(points[i]);
    }
  }
  points.resize(kept);
}

}  // namespace

void History::add(const SeriesKey& key, const Point& point) {
  if (point.count == 0) return;
  const std::lock_guard lock(mutex_);
  Series& series = series_[key];
  if (series.open.count != 0 && series.open.minute != point.minute) close_open(series, key);
  series.open.minute = point.minute;
  series.open.merge(point);
  series.last = std::max(series.last, point.minute);
}

// Where the clock has gone back, or an hour could not be stored, `closed` may hold the points of one hour only: points of
// another hour wait in `open` until it has been stored.
void History::close_open(Series& series, const SeriesKey& key) {
  if (series.open.count == 0) return;
  std::string& frame = frames_[series.open.minute];
  if (series.closed.empty()) series.chunk_begin = hour_of(series.open.minute);
  std::string bytes;
  Point point = std::exchange(series.open, {});
  if (hour_of(point.minute) != series.chunk_begin) point.minute = series.chunk_begin + kChunkMinutes - 1;
  append_point(bytes, point);
  const std::string name = encode_series(key);
  append_varint(frame, name.size());
  frame += name;
  append_varint(frame, bytes.size());
  frame += bytes;
  series.closed += bytes;
}

Result<void> History::close_minutes(Minute now) {
  {
    const std::lock_guard lock(mutex_);
    for (auto& [key, series] : series_) {
      if (series.open.minute != now) close_open(series, key);
    }
  }
  TRY_VOID(write_frames());
  TRY_VOID(seal_hours(hour_of(now)));
  if (hour_of(now) != forgotten_at_) {
    TRY_VOID(forget(now));
    forgotten_at_ = hour_of(now);
  }
  return {};
}

Result<void> History::close_all() {
  {
    const std::lock_guard lock(mutex_);
    for (auto& [key, series] : series_) close_open(series, key);
  }
  return write_frames();
}

Result<void> History::write_frames() {
  std::map<Minute, std::string> frames;
  {
    const std::lock_guard lock(mutex_);
    frames.swap(frames_);
  }
  store::Batch batch;
  std::vector<std::string> keys;
  keys.reserve(frames.size());
  for (const auto& [minute, frame] : frames) {
    keys.push_back(frame_row_key(minute, frame_part_++));
    batch.puts.push_back({keys.back(), frame});
  }
  if (keys.empty()) return {};
  return base::sync_wait(store_.commit(batch));
}

// Stores every hour but `current`, which is under way.
Result<void> History::seal_hours(Minute current) {
  Rows chunks;
  std::vector<std::pair<SeriesKey, std::size_t>> sealed;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, series] : series_) {
      if (series.closed.empty() || series.chunk_begin == current) continue;
      chunks.emplace_back(chunk_row_key(series.chunk_begin, encode_series(key)), series.closed);
      sealed.emplace_back(key, series.closed.size());
    }
  }
  if (chunks.empty()) return {};
  TRY_VOID(write_chunks(chunks));
  {
    // Only now: a reader that looks here first and into the store then misses nothing.
    const std::lock_guard lock(mutex_);
    for (const auto& [key, bytes] : sealed) {
      const auto found = series_.find(key);
      if (found == series_.end()) continue;  // of a table that is gone
      Series& series = found->second;
      if (options_.chunk_bytes_max > 0) chunk_bytes_[series.chunk_begin] += bytes;
      series.closed.erase(0, bytes);
      series.closed.shrink_to_fit();
    }
  }
  // Their frames have done their duty.
  const std::string begin = row_prefix(RowKind::frame);
  const std::string current_begin = frame_row_key(current, 0);
  const std::string current_end = frame_row_key(current + kChunkMinutes, 0);
  const std::string end = end_of(begin);
  TRY_VOID(base::sync_wait(store_.erase_range({begin, current_begin})));
  return base::sync_wait(store_.erase_range({current_end, end}));
}

Result<void> History::write_chunks(Rows& chunks) {
  std::vector<std::string> series_keys;
  for (std::size_t begin = 0; begin < chunks.size(); begin += kRowsPerCommit) {
    const std::size_t end = std::min(chunks.size(), begin + kRowsPerCommit);
    std::vector<std::string_view> keys;
    for (std::size_t i = begin; i < end; ++i) keys.emplace_back(chunks[i].first);
    // An hour may have been stored in part: by a run before this one, or before the clock went back.
    TRY(const std::vector<store::Row> before, base::sync_wait(store_.get_many(keys, store::ReadMode::committed)));
    store::Batch batch;
    series_keys.clear();
    series_keys.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      if (before[i - begin].exists) chunks[i].second.insert(0, before[i - begin].value.view());
      batch.puts.push_back({chunks[i].first, chunks[i].second});
      // prefix hour:u32 series, and the row of the series itself: prefix series
      series_keys.push_back(row_prefix(RowKind::series) + chunks[i].first.substr(chunk_row_key(0).size()));
      batch.puts.push_back({series_keys.back(), std::string_view(chunks[i].first).substr(5, 4)});
    }
    TRY_VOID(base::sync_wait(store_.commit(batch)));
  }
  return {};
}

Result<void> History::forget(Minute now) {
  Minute oldest = hour_of(now - kKeptMinutes);
  std::size_t total = 0;
  for (const auto& [hour, bytes] : chunk_bytes_) total += bytes;
  while (!chunk_bytes_.empty() &&
         (chunk_bytes_.begin()->first < oldest || (options_.chunk_bytes_max > 0 && total > options_.chunk_bytes_max))) {
    oldest = std::max(oldest, chunk_bytes_.begin()->first + kChunkMinutes);
    total -= chunk_bytes_.begin()->second;
    chunk_bytes_.erase(chunk_bytes_.begin());
  }
  const std::string from = row_prefix(RowKind::chunk);
  const std::string to = chunk_row_key(std::max<Minute>(oldest, 0));
  TRY_VOID(base::sync_wait(store_.erase_range({from, to})));
  std::vector<SeriesKey> gone;
  {
    const std::lock_guard lock(mutex_);
    for (auto entry = series_.begin(); entry != series_.end();) {
      if (entry->second.last < oldest && entry->second.closed.empty() && entry->second.open.count == 0) {
        gone.push_back(entry->first);
        entry = series_.erase(entry);
      } else {
        ++entry;
      }
    }
  }
  return erase_series(gone);
}

// The rows of these series; those of their hours go with the hours.
Result<void> History::erase_series(const std::vector<SeriesKey>& gone) {
  for (std::size_t begin = 0; begin < gone.size(); begin += kRowsPerCommit) {
    std::vector<std::string> keys;
    for (std::size_t i = begin; i < std::min(gone.size(), begin + kRowsPerCommit); ++i) {
      keys.push_back(row_prefix(RowKind::series) + encode_series(gone[i]));
    }
    store::Batch batch;
    batch.erases.assign(keys.begin(), keys.end());
    TRY_VOID(base::sync_wait(store_.commit(batch)));
  }
  return {};
}

Result<void> History::limit_dropped(const std::function<bool(const std::string& table)>& there) {
  std::vector<SeriesKey> gone;
  {
    const std::lock_guard lock(mutex_);
    limited_at_ = std::min(limited_at_, series_.size());
    if (series_.size() < limited_at_ + kLimitEverySeries) return {};
    std::vector<std::map<SeriesKey, Series>::iterator> dropped;
    for (auto entry = series_.begin(); entry != series_.end(); ++entry) {
      if (!entry->first.table.empty() && !there(entry->first.table)) dropped.push_back(entry);
    }
    if (dropped.size() > options_.dropped_series_max) {
      const auto first_kept = dropped.end() - static_cast<std::ptrdiff_t>(options_.dropped_series_max);
      std::nth_element(dropped.begin(), first_kept, dropped.end(),
                       [](const auto& left, const auto& right) { return left->second.last < right->second.last; });
      for (auto entry = dropped.begin(); entry != first_kept; ++entry) {
        gone.push_back((*entry)->first);
        series_.erase(*entry);
      }
    }
    limited_at_ = series_.size();
  }
  return erase_series(gone);
}

base::Task<Result<std::vector<Point>>> History::read(SeriesKey key, Minute from, Minute to) const {
  std::vector<Point> points;
  Minute in_memory = -1;  // the hour that was found here
  Minute last = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = series_.find(key);
    if (found == series_.end()) co_return points;
    const Series& series = found->second;
    last = series.last;
    if (!series.closed.empty()) in_memory = series.chunk_begin;
    CO_TRY_VOID(read_points(series.closed, series.chunk_begin, points));
    if (series.open.count != 0) points.push_back(series.open);
  }
  std::vector<std::string> keys;
  const std::string series_bytes = encode_series(key);
  from = std::max<Minute>(from, last - kKeptMinutes - kChunkMinutes);  // nothing can be before it: few keys to ask for
  for (Minute hour = hour_of(std::max<Minute>(from, 0)); hour < to && hour <= last; hour += kChunkMinutes) {
    keys.push_back(chunk_row_key(hour, series_bytes));
  }
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  Result<std::vector<store::Row>> rows = co_await store_.get_many(views, store::ReadMode::committed);
  CO_TRY_VOID(rows);
  std::vector<Point> stored;
  Minute hour = hour_of(std::max<Minute>(from, 0));
  for (const store::Row& row : *rows) {
    if (row.exists) CO_TRY_VOID(read_points(row.value.view(), hour, stored));
    hour += kChunkMinutes;
  }
  // An hour that was being stored meanwhile may be in both places, whole; one that was stored in part is not: the part in
  // memory came later and has minutes of its own.
  for (const Point& point : stored) {
    const bool twice = in_memory == hour_of(point.minute) &&
                       std::any_of(points.begin(), points.end(), [&](const Point& other) {
                         return other.minute == point.minute && other.count == point.count && other.sum == point.sum;
                       });
    if (!twice) points.push_back(point);
  }
  std::erase_if(points, [&](const Point& point) { return point.minute < from || point.minute >= to; });
  put_in_order(points);
  co_return points;
}

std::vector<SeriesKey> History::list(const std::function<bool(const SeriesKey&, Minute last)>& wanted) const {
  std::vector<SeriesKey> keys;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, series] : series_) {
    if (wanted(key, series.last)) keys.push_back(key);
  }
  return keys;
}

std::size_t History::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [key, series] : series_) {
    constexpr std::size_t kNodeBytes = 64;
    bytes += sizeof(key) + sizeof(series) + kNodeBytes + key.table.capacity() + series.closed.capacity() +
             series.open.histogram.entries().capacity() * sizeof(SparseHistogram::Entry);
  }
  return bytes;
}

}  // namespace stator::metrics
