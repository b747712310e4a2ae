#include "engine/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>

#include "engine/stream_trim.h"

namespace stator::engine {
namespace {

class NewestRecord final : public store::RowVisitor {
 public:
  store::Visit row(std::string_view key, std::string_view value) override {
    if (decode_marker(value)) return store::Visit::next;
    position = store::read_position(key);
    return store::Visit::stop;
  }
  std::optional<std::uint64_t> position;
};

// Keeps the records of a page until it is known which of them belong to the shard.
class PageOfRecords final : public store::RowVisitor {
 public:
  struct Kept {
    std::uint64_t position = 0;
    std::string bytes;  // what `record` points to
    ChangeRecord record;
  };

  PageOfRecords(std::size_t limit, std::int64_t horizon_ms, std::uint64_t roll)
      : limit_(limit), horizon_ms_(horizon_ms), roll_(roll) {}

  store::Visit row(std::string_view key, std::string_view value) override {
    if (const std::optional<ShardMarker> marker = decode_marker(value)) {
      if (marker->roll <= roll_) return store::Visit::next;  // opened this shard, or came twice
      ended = true;
      return store::Visit::stop;
    }
    last = store::read_position(key);
    Kept& kept = records.emplace_back(Kept{*last, std::string(value), {}});
    const Result<ChangeRecord> record = decode_change(kept.bytes);
    if (!record) {
      error = record.error();
      return store::Visit::stop;
    }
    if (record->created_ms < horizon_ms_) {  // old: as good as erased
      records.pop_back();
      any_old = true;
      return store::Visit::next;
    }
    kept.record = *record;
    bytes_ += record_bytes(*record);
    full = records.size() == limit_ || bytes_ >= kRecordsBytesMax;
    return full ? store::Visit::stop : store::Visit::next;
  }

  std::deque<Kept> records;  // does not move what it holds
  std::optional<std::uint64_t> last;
  std::optional<Error> error;
  bool full = false;
  bool any_old = false;
  bool ended = false;  // by a marker: what follows is the child's

 private:
  std::size_t limit_;
  std::int64_t horizon_ms_;
  std::uint64_t roll_;
  std::size_t bytes_ = 0;
};

tl::unexpected<Error> trimmed() {
  return fail(ErrorCode::trimmed_data, "The data you are trying to access has been trimmed");
}

}  // namespace

std::vector<StreamOfTable> list_streams(const Engine& engine) {
  const std::int64_t horizon_ms = stream_horizon_ms(engine);
  std::vector<StreamOfTable> found;
  const auto retired = engine.catalog.retired();
  const auto add = [&](const TablePtr& table) {
    for (const Stream& stream : table->streams) {
      if (!is_forgotten(stream, horizon_ms)) found.push_back({table, &stream});
    }
  };
  const auto tables = engine.catalog.tables();
  for (const auto& [name, table] : *tables) {
    if (!retired->contains(table->id)) add(table);  // while a table is DELETING its streams are retired already
  }
  for (const auto& [id, table] : *retired) add(table);
  std::stable_sort(found.begin(), found.end(), [](const StreamOfTable& a, const StreamOfTable& b) {
    return std::pair(std::string_view(a.table->name), a.table->id) <
           std::pair(std::string_view(b.table->name), b.table->id);
  });
  return found;
}

std::optional<StreamOfTable> find_stream(const Engine& engine, std::string_view table, std::string_view label) {
  const std::int64_t horizon_ms = stream_horizon_ms(engine);
  const auto find_in = [&](const TablePtr& candidate) -> std::optional<StreamOfTable> {
    for (const Stream& stream : candidate->streams) {
      if (stream.label == label && !is_forgotten(stream, horizon_ms)) return StreamOfTable{candidate, &stream};
    }
    return std::nullopt;
  };
  if (const Result<TablePtr> live = engine.catalog.find(table)) {
    if (auto found = find_in(*live)) return found;
  }
  const auto retired = engine.catalog.retired();
  for (auto at = retired->rbegin(); at != retired->rend(); ++at) {
    if (at->second->name != table) continue;
    if (auto found = find_in(at->second)) return found;
  }
  return std::nullopt;
}

std::string sequence_number(std::uint64_t position) { return fmt::format("1{:020}", position); }

std::optional<std::uint64_t> position_of(std::string_view sequence) {
  constexpr std::size_t kDigits = 21;
  if (sequence.size() != kDigits || sequence.front() != '1') return std::nullopt;
  std::uint64_t position = 0;
  const auto [end, error] = std::from_chars(sequence.data() + 1, sequence.data() + sequence.size(), position);
  if (error != std::errc() || end != sequence.data() + sequence.size()) return std::nullopt;
  return position;
}

base::Task<Result<std::optional<std::uint64_t>>> last_position(Engine& engine, StreamOfTable stream,
                                                               ShardStart shard) {
  const Result<ShardBounds> bounds = co_await find_bounds(engine, stream, shard.slot, shard.first);
  CO_TRY_VOID(bounds);
  const std::string prefix = shard_prefix(stream.table->id, stream.stream->id, shard.slot);
  const std::string from = store::log_key(prefix, shard.first);
  const std::string to = store::log_key(prefix, bounds->end.value_or(UINT64_MAX));
  NewestRecord newest;
  const Result<void> scanned = co_await engine.store.scan({from, to}, store::Direction::descending, newest);
  CO_TRY_VOID(scanned);
  co_return newest.position;
}

base::Task<Result<void>> check_kept(Engine& engine, StreamOfTable stream, ShardStart shard, std::uint64_t position) {
  const Result<std::uint64_t> begin = co_await trimmed_before(engine, *stream.table, *stream.stream, shard.slot);
  CO_TRY_VOID(begin);
  if (position < *begin) co_return trimmed();
  co_return Result<void>();
}

namespace {

// Whether nothing can be added any more to the last shard of a stream that was switched off: no write that began before is under
// way, those of other nodes are shut out, and nothing of them is behind `from`.
base::Task<Result<bool>> has_ended(Engine& engine, StreamOfTable stream, const std::string& from, const std::string& to) {
  if (!engine.store.shared()) co_return true;
  const Result<void> fenced = co_await engine.catalog.fence_writers(*stream.table);
  CO_TRY_VOID(fenced);
  NewestRecord late;
  const Result<void> scanned = co_await engine.store.scan({from, to}, store::Direction::ascending, late);
  CO_TRY_VOID(scanned);
  co_return !late.position;
}

}  // namespace

base::Task<Result<RecordPage>> read_records(Engine& engine, StreamOfTable stream, ShardStart shard,
                                            std::uint64_t from, std::size_t limit, TakeRecord take) {
  const bool switched_off = stream.stream->disabled_ms != 0 && engine.catalog.drained(stream.table->id);
  const Result<ShardBounds> bounds = co_await find_bounds(engine, stream, shard.slot, shard.first);
  CO_TRY_VOID(bounds);
  RecordPage result;
  result.next = std::max(from, shard.first);
  const std::string prefix = shard_prefix(stream.table->id, stream.stream->id, shard.slot);
  const std::string scan_from = store::log_key(prefix, result.next);
  const std::string scan_to = store::log_key(prefix, bounds->end.value_or(UINT64_MAX));
  PageOfRecords page(limit, stream_horizon_ms(engine), bounds->roll);
  if (scan_from < scan_to) {
    const Result<void> scanned =
        co_await engine.store.scan({scan_from, scan_to}, store::Direction::ascending, page);
    CO_TRY_VOID(scanned);
  }
  if (page.error) co_return tl::unexpected(*page.error);
  if (from > shard.first) {  // from the first position on, a reader takes what there is
    const Result<void> kept = co_await check_kept(engine, stream, shard, from);
    CO_TRY_VOID(kept);
    if (page.any_old) co_return trimmed();
  }
  for (const PageOfRecords::Kept& kept : page.records) take(kept.record, kept.position);
  if (page.last) result.next = *page.last + 1;
  // A marker that came meanwhile ends the page; that it ends the shard the next one says.
  if (page.full || page.ended) co_return result;
  result.finished = bounds->end.has_value();
  if (!result.finished && switched_off) {
    const std::string rest = store::log_key(prefix, result.next);
    const Result<bool> ended = co_await has_ended(engine, stream, rest, scan_to);
    CO_TRY_VOID(ended);
    result.finished = *ended;
  }
  co_return result;
}

}  // namespace stator::engine
