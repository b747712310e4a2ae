#include "engine/stream_trim.h"

#include "engine/change_log.h"

namespace stator::engine {
namespace {

// Finds the first record that is young enough to stay.
class FindYoung final : public store::RowVisitor {
 public:
  explicit FindYoung(std::int64_t horizon_ms) : horizon_ms_(horizon_ms) {}
  store::Visit row(std::string_view key, std::string_view value) override {
    const Result<ChangeRecord> record = decode_change(value);
    if (record && record->created_ms < horizon_ms_) {
      any_old = true;
      return store::Visit::next;
    }
    first_young = std::string(key);
    return store::Visit::stop;
  }
  bool any_old = false;
  std::string first_young;

 private:
  std::int64_t horizon_ms_;
};

base::Task<Result<void>> trim_shard(Engine& engine, std::string prefix, std::int64_t horizon_ms) {
  const std::string from = store::log_key(prefix, 0);
  const std::string to = store::log_key(prefix, UINT64_MAX);
  FindYoung visitor(horizon_ms);
  const Result<void> scanned = co_await engine.store.scan({from, to}, store::Direction::ascending, visitor);
  CO_TRY_VOID(scanned);
  if (!visitor.any_old) co_return Result<void>();
  const std::string end = visitor.first_young.empty() ? to : visitor.first_young;
  const Result<void> erased = co_await engine.store.erase_range({from, end});
  co_return erased;
}

}  // namespace

base::Task<Result<void>> trim_streams(Engine& engine, TablePtr table) {
  const std::int64_t horizon_ms = engine.clock.now_ms() - kStreamRetentionMs;
  bool any_gone = false;
  for (const Stream& stream : table->streams) {
    any_gone = any_gone || (stream.disabled_ms != 0 && stream.disabled_ms < horizon_ms);
    for (std::uint8_t shard = 0; shard < stream.shards; ++shard) {
      const Result<void> trimmed =
          co_await trim_shard(engine, shard_prefix(table->id, stream.id, shard), horizon_ms);
      CO_TRY_VOID(trimmed);
    }
  }
  if (!any_gone) co_return Result<void>();
  const TableId id = table->id;
  const auto forget = [id, horizon_ms](Table& current) -> Result<void> {
    if (current.id != id) return {};
    std::erase_if(current.streams, [&](const Stream& stream) {
      return stream.disabled_ms != 0 && stream.disabled_ms < horizon_ms;
    });
    return {};
  };
  const Result<TablePtr> updated = co_await engine.catalog.update(table->name, forget);
  CO_TRY_VOID(updated);
  co_return Result<void>();
}

}  // namespace stator::engine
