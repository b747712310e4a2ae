#include "engine/stream_trim.h"

#include <algorithm>
#include <optional>

#include "engine/change_log.h"
#include "engine/rolls.h"

namespace stator::engine {
namespace {

// Finds the first record that is young enough to stay.
class FindYoung final : public store::RowVisitor {
 public:
  explicit FindYoung(std::int64_t horizon_ms) : horizon_ms_(horizon_ms) {}
  store::Visit row(std::string_view key, std::string_view value) override {
    if (created_ms_of(value) < horizon_ms_) {
      last_old = store::read_position(key);
      return store::Visit::next;
    }
    first_young = std::string(key);
    return store::Visit::stop;
  }
  std::optional<std::uint64_t> last_old;
  std::string first_young;

 private:
  static std::int64_t created_ms_of(std::string_view value) {
    if (const std::optional<ShardMarker> marker = decode_marker(value)) return marker->created_ms;
    const Result<ChangeRecord> record = decode_change(value);
    return record ? record->created_ms : INT64_MAX;
  }
  std::int64_t horizon_ms_;
};

// How far each slot has been trimmed is a row beside the slots: its value is a position, as at the end of a log's keys.
constexpr std::uint8_t kMarkSlot = 0xfe;

std::string mark_key_of(TableId table, StreamId stream, std::uint8_t slot) {
  std::string key = shard_prefix(table, stream, kMarkSlot);
  key.push_back(static_cast<char>(slot));
  return key;
}

base::Task<Result<void>> trim_slot(Engine& engine, std::string prefix, std::string mark_key, std::int64_t horizon_ms) {
  const std::string from = store::log_key(prefix, 0);
  const std::string to = store::log_key(prefix, UINT64_MAX);
  FindYoung visitor(horizon_ms);
  const Result<void> scanned = co_await engine.store.scan({from, to}, store::Direction::ascending, visitor);
  CO_TRY_VOID(scanned);
  if (!visitor.last_old) co_return Result<void>();
  // First the mark: whoever asks for what is being erased is told so, and not given what comes after it.
  const std::string mark = store::log_key("", *visitor.last_old + 1);
  store::Batch batch;
  batch.puts.push_back({mark_key, mark});
  const Result<void> marked = co_await engine.store.commit(batch);
  CO_TRY_VOID(marked);
  const std::string end = visitor.first_young.empty() ? to : visitor.first_young;
  const Result<void> erased = co_await engine.store.erase_range({from, end});
  co_return erased;
}

// Everything of a stream that nobody can name any more.
base::Task<Result<void>> erase_stream(Engine& engine, TableId table, StreamId stream) {
  const std::string from = shard_prefix(table, stream, 0);
  const std::string to = store::log_key(shard_prefix(table, stream, 0xff), UINT64_MAX);
  const Result<void> erased = co_await engine.store.erase_range({from, to});
  co_return erased;
}

base::Task<Result<void>> trim_stream(Engine& engine, const Table& table, const Stream& stream,
                                     std::int64_t horizon_ms) {
  // Where a marker was must be written down before it is erased.
  const Result<void> finished = co_await finish_begun_roll(engine.store, table.id, stream);
  CO_TRY_VOID(finished);
  for (std::uint8_t slot = 0; slot < stream.shards; ++slot) {
    const Result<void> trimmed = co_await trim_slot(
        engine, shard_prefix(table.id, stream.id, slot), mark_key_of(table.id, stream.id, slot), horizon_ms);
    CO_TRY_VOID(trimmed);
  }
  const Result<void> rolls = co_await trim_rolls(engine.store, table.id, stream, horizon_ms);
  co_return rolls;
}

}  // namespace

base::Task<Result<void>> trim_streams(Engine& engine, TablePtr table) {
  const std::int64_t horizon_ms = stream_horizon_ms(engine);
  bool any_forgotten = false;
  for (const Stream& stream : table->streams) {
    Result<void> trimmed;
    if (is_forgotten(stream, horizon_ms)) {
      any_forgotten = true;
      trimmed = co_await erase_stream(engine, table->id, stream.id);
    } else {
      trimmed = co_await trim_stream(engine, *table, stream, horizon_ms);
    }
    CO_TRY_VOID(trimmed);
  }
  if (!any_forgotten) co_return Result<void>();
  const TableId id = table->id;
  const auto forget = [id, horizon_ms](Table& current) -> Result<void> {
    if (current.id != id) return {};
    std::erase_if(current.streams, [&](const Stream& stream) { return is_forgotten(stream, horizon_ms); });
    return {};
  };
  const Result<TablePtr> updated = co_await engine.catalog.update(table->name, forget);
  CO_TRY_VOID(updated);
  co_return Result<void>();
}

base::Task<Result<std::uint64_t>> trimmed_before(Engine& engine, const Table& table, const Stream& stream,
                                                 std::uint8_t slot) {
  const std::string key = mark_key_of(table.id, stream.id, slot);
  const Result<store::Row> mark = co_await engine.store.get(key, store::ReadMode::committed);
  CO_TRY_VOID(mark);
  co_return mark->exists ? store::read_position(mark->value.view()) : 0;
}

base::Task<Result<void>> trim_retired_streams(Engine& engine) {
  const std::int64_t horizon_ms = stream_horizon_ms(engine);
  const auto retired = engine.catalog.retired();
  for (const auto& [id, table] : *retired) {
    const bool forgotten = std::all_of(table->streams.begin(), table->streams.end(),
                                       [&](const Stream& stream) { return is_forgotten(stream, horizon_ms); });
    if (forgotten) {
      const Result<void> done = co_await engine.catalog.forget_retired(id);
      CO_TRY_VOID(done);
      continue;
    }
    for (const Stream& stream : table->streams) {
      const Result<void> trimmed = co_await trim_stream(engine, *table, stream, horizon_ms);
      CO_TRY_VOID(trimmed);
    }
  }
  co_return Result<void>();
}

}  // namespace stator::engine
