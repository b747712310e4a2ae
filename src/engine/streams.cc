#include "engine/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/stream_trim.h"

namespace stator::engine {
namespace {

class FirstRow final : public store::RowVisitor {
 public:
  store::Visit row(std::string_view key, std::string_view) override {
    position = store::read_position(key);
    return store::Visit::stop;
  }
  std::optional<std::uint64_t> position;
};

class PageOfRecords final : public store::RowVisitor {
 public:
  PageOfRecords(std::size_t limit, std::int64_t horizon_ms, const TakeRecord& take)
      : limit_(limit), horizon_ms_(horizon_ms), take_(take) {}

  store::Visit row(std::string_view key, std::string_view value) override {
    const Result<ChangeRecord> record = decode_change(value);
    if (!record) {
      error = record.error();
      return store::Visit::stop;
    }
    last = store::read_position(key);
    if (record->created_ms < horizon_ms_) return store::Visit::next;  // a day old: as good as erased
    bytes_ += take_(*record, *last);
    ++count_;
    full = count_ == limit_ || bytes_ >= kRecordsBytesMax;
    return full ? store::Visit::stop : store::Visit::next;
  }

  std::optional<std::uint64_t> last;
  std::optional<Error> error;
  bool full = false;

 private:
  std::size_t limit_;
  std::int64_t horizon_ms_;
  const TakeRecord& take_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

std::optional<StreamOfTable> find_stream(const Engine& engine, std::string_view table, std::string_view label) {
  const Result<TablePtr> found = engine.catalog.find(table);
  if (!found) return std::nullopt;
  for (const Stream& stream : (*found)->streams) {
    if (stream.label == label) return StreamOfTable{*found, &stream};
  }
  return std::nullopt;
}

std::string shard_id(const Stream& stream, std::uint8_t shard) {
  return fmt::format("shardId-{:020}-{:08x}", stream.created_ms, (std::uint32_t{stream.id} << 8) | shard);
}

std::optional<std::uint8_t> find_shard(const Stream& stream, std::string_view id) {
  for (std::uint8_t shard = 0; shard < stream.shards; ++shard) {
    if (shard_id(stream, shard) == id) return shard;
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

base::Task<Result<std::optional<std::uint64_t>>> last_position(Engine& engine, const Table& table,
                                                               const Stream& stream, std::uint8_t shard) {
  const std::string prefix = shard_prefix(table.id, stream.id, shard);
  const std::string from = store::log_key(prefix, 0);
  const std::string to = store::log_key(prefix, UINT64_MAX);
  FirstRow newest;
  const Result<void> scanned = co_await engine.store.scan({from, to}, store::Direction::descending, newest);
  CO_TRY_VOID(scanned);
  co_return newest.position;
}

base::Task<Result<RecordPage>> read_records(Engine& engine, StreamOfTable stream, std::uint8_t shard,
                                            std::uint64_t from, std::size_t limit, TakeRecord take) {
  const std::string prefix = shard_prefix(stream.table->id, stream.stream->id, shard);
  const std::string begin = store::log_key(prefix, from);
  const std::string end = store::log_key(prefix, UINT64_MAX);
  PageOfRecords page(limit, engine.clock.now_ms() - kStreamRetentionMs, take);
  const Result<void> scanned = co_await engine.store.scan({begin, end}, store::Direction::ascending, page);
  CO_TRY_VOID(scanned);
  if (page.error) co_return tl::unexpected(*page.error);
  co_return RecordPage{page.last ? *page.last + 1 : from, !page.full};
}

}  // namespace stator::engine
