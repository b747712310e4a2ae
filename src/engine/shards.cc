#include "engine/shards.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/change_log.h"
#include "engine/stream_trim.h"
#include "engine/streams.h"

namespace stator::engine {
namespace {

constexpr std::uint8_t kRollSlot = 0xff;  // beyond every slot with records

struct Roll {
  std::uint64_t position = 0;
  std::int64_t opened_ms = 0;
  std::int64_t closed_opened_ms = 0;
};

void append_time(std::string& out, std::int64_t time_ms) {
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(time_ms >> shift));
}

std::int64_t read_time(std::string_view bytes) {
  std::int64_t time_ms = 0;
  for (const char byte : bytes) time_ms = time_ms << 8 | static_cast<unsigned char>(byte);
  return time_ms;
}

class CollectRolls final : public store::RowVisitor {
 public:
  explicit CollectRolls(std::size_t limit) : limit_(limit) {}
  store::Visit row(std::string_view key, std::string_view value) override {
    constexpr std::size_t kTimeBytes = 8;
    damaged = damaged || value.size() != 2 * kTimeBytes;
    if (damaged) return store::Visit::stop;
    rolls.push_back({store::read_position(key), read_time(value.substr(0, kTimeBytes)),
                     read_time(value.substr(kTimeBytes))});
    return rolls.size() < limit_ ? store::Visit::next : store::Visit::stop;
  }
  std::vector<Roll> rolls;
  bool damaged = false;

 private:
  std::size_t limit_;
};

// Rolls at `from` or later, in this direction.
base::Task<Result<std::vector<Roll>>> read_rolls(Engine& engine, TableId table, StreamId stream, std::uint64_t from,
                                                 store::Direction direction, std::size_t limit) {
  const std::string prefix = shard_prefix(table, stream, kRollSlot);
  const std::string begin = store::log_key(prefix, from);
  const std::string end = store::log_key(prefix, UINT64_MAX);
  CollectRolls found(limit);
  const Result<void> scanned = co_await engine.store.scan({begin, end}, direction, found);
  CO_TRY_VOID(scanned);
  if (found.damaged) co_return fail(ErrorCode::corruption, "the lineage of a stream's shards is damaged");
  co_return std::move(found.rolls);
}

// One shard per slot.
struct Generation {
  std::int64_t opened_ms = 0;
  std::optional<std::int64_t> parent_opened_ms;
  std::uint64_t first = 0;
  std::optional<std::uint64_t> end;  // position behind the last
};

// Shards that were closed before the horizon have no record left.
std::vector<Generation> generations_of(const Stream& stream, const std::vector<Roll>& rolls,
                                       std::int64_t horizon_ms) {
  std::vector<Generation> kept;
  Generation current{stream.created_ms, std::nullopt, 0, std::nullopt};
  if (!rolls.empty()) current.opened_ms = rolls.front().closed_opened_ms;
  for (const Roll& roll : rolls) {
    current.end = roll.position;
    if (roll.opened_ms >= horizon_ms) kept.push_back(current);
    current = {roll.opened_ms, roll.closed_opened_ms, roll.position, std::nullopt};
  }
  kept.push_back(current);
  return kept;
}

}  // namespace

std::string shard_id(const Stream& stream, std::uint8_t slot, std::int64_t opened_ms) {
  return fmt::format("shardId-{:020}-{:08x}", opened_ms, (std::uint32_t{stream.id} << 8) | slot);
}

bool is_settled(Engine& engine, const StreamOfTable& stream) {
  return stream.stream->disabled_ms != 0 && engine.catalog.drained(stream.table->id);
}

base::Task<Result<std::vector<Shard>>> list_shards(Engine& engine, StreamOfTable of) {
  const Stream& stream = *of.stream;
  const Result<std::vector<Roll>> rolls =
      co_await read_rolls(engine, of.table->id, stream.id, 0, store::Direction::ascending, SIZE_MAX);
  CO_TRY_VOID(rolls);
  std::vector<Shard> shards;
  for (const Generation& generation : generations_of(stream, *rolls, stream_horizon_ms(engine))) {
    for (std::uint8_t slot = 0; slot < stream.shards; ++slot) {
      Shard shard{slot, generation.opened_ms, generation.parent_opened_ms, generation.first, std::nullopt};
      if (generation.end) {
        shard.last = *generation.end - 1;
      } else if (stream.disabled_ms != 0) {
        const Result<std::optional<std::uint64_t>> newest = co_await last_position(engine, of, {slot, shard.first});
        CO_TRY_VOID(newest);
        shard.last = newest->value_or(shard.first);
      }
      shards.push_back(shard);
    }
  }
  co_return shards;
}

base::Task<Result<std::optional<std::uint64_t>>> find_end(Engine& engine, StreamOfTable of, std::uint64_t first) {
  const Result<std::vector<Roll>> rolls =
      co_await read_rolls(engine, of.table->id, of.stream->id, first + 1, store::Direction::ascending, 1);
  CO_TRY_VOID(rolls);
  co_return rolls->empty() ? std::nullopt : std::optional(rolls->front().position);
}

base::Task<Result<void>> roll_shards(Engine& engine, TablePtr table) {
  const Stream* stream = table->stream();
  if (stream == nullptr) co_return Result<void>();
  const Result<std::vector<Roll>> newest =
      co_await read_rolls(engine, table->id, stream->id, 0, store::Direction::descending, 1);
  CO_TRY_VOID(newest);
  const std::int64_t opened_ms = newest->empty() ? stream->created_ms : newest->front().opened_ms;
  const std::int64_t now_ms = engine.clock.now_ms();
  if (now_ms - opened_ms < engine.options.shard_lifetime_ms) co_return Result<void>();
  const std::string prefix = shard_prefix(table->id, stream->id, kRollSlot);
  std::string value;
  append_time(value, std::max(now_ms, opened_ms + 1));  // ids of shards are in the order of their opening
  append_time(value, opened_ms);
  store::Batch batch;
  batch.appends.push_back({prefix, value});
  const Result<void> rolled = co_await engine.store.commit(batch);
  co_return rolled;
}

// A roll tells where the shards that it opened begin; when the next one is older than the horizon, those shards are
// gone.
base::Task<Result<void>> trim_rolls(Engine& engine, const Table& table, const Stream& stream,
                                    std::int64_t horizon_ms) {
  const Result<std::vector<Roll>> rolls =
      co_await read_rolls(engine, table.id, stream.id, 0, store::Direction::ascending, SIZE_MAX);
  CO_TRY_VOID(rolls);
  std::uint64_t end = 0;
  for (std::size_t i = 1; i < rolls->size() && (*rolls)[i].opened_ms < horizon_ms; ++i) end = (*rolls)[i].position;
  if (end == 0) co_return Result<void>();
  const std::string prefix = shard_prefix(table.id, stream.id, kRollSlot);
  const std::string from = store::log_key(prefix, 0);
  const std::string to = store::log_key(prefix, end);
  const Result<void> erased = co_await engine.store.erase_range({from, to});
  co_return erased;
}

}  // namespace stator::engine
