#include "engine/shards.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/change_log.h"
#include "engine/stream_trim.h"
#include "engine/streams.h"

namespace stator::engine {
namespace {

constexpr std::uint8_t kRollSlot = 0xff;  // beyond every slot with records
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kOldRollBytes = 2 * kNumberBytes;

enum class RollState : char { begun = 1, done = 2 };

struct Roll {
  std::uint64_t number = 0;
  std::int64_t opened_ms = 0;
  std::int64_t closed_opened_ms = 0;
  RollState state = RollState::done;
  std::vector<std::uint64_t> positions;  // by slot; empty in a roll of the old form
  [[nodiscard]] std::uint64_t position(std::size_t slot) const {
    if (positions.empty()) return number;
    return slot < positions.size() ? positions[slot] : 0;
  }
};

void append_number(std::string& out, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(number >> shift));
}

std::uint64_t take_number(std::string_view& bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes.substr(0, kNumberBytes)) number = number << 8 | static_cast<unsigned char>(byte);
  bytes.remove_prefix(kNumberBytes);
  return number;
}

std::string encode_roll(const Roll& roll) {
  std::string value;
  append_number(value, static_cast<std::uint64_t>(roll.opened_ms));
  append_number(value, static_cast<std::uint64_t>(roll.closed_opened_ms));
  value.push_back(static_cast<char>(roll.state));
  for (const std::uint64_t position : roll.positions) append_number(value, position);
  return value;
}

std::optional<Roll> decode_roll(std::uint64_t number, std::string_view value) {
  if (value.size() < kOldRollBytes) return std::nullopt;
  Roll roll;
  roll.number = number;
  roll.opened_ms = static_cast<std::int64_t>(take_number(value));
  roll.closed_opened_ms = static_cast<std::int64_t>(take_number(value));
  if (value.empty()) return roll;
  roll.state = static_cast<RollState>(value.front());
  value.remove_prefix(1);
  if (value.size() % kNumberBytes != 0) return std::nullopt;
  while (!value.empty()) roll.positions.push_back(take_number(value));
  return roll;
}

class CollectRolls final : public store::RowVisitor {
 public:
  explicit CollectRolls(std::size_t limit) : limit_(limit) {}
  store::Visit row(std::string_view key, std::string_view value) override {
    std::optional<Roll> roll = decode_roll(store::read_position(key), value);
    damaged = !roll;
    if (damaged) return store::Visit::stop;
    rolls.push_back(std::move(*roll));
    return rolls.size() < limit_ ? store::Visit::next : store::Visit::stop;
  }
  std::vector<Roll> rolls;
  bool damaged = false;

 private:
  std::size_t limit_;
};

base::Task<Result<std::vector<Roll>>> read_rolls(Engine& engine, TableId table, StreamId stream,
                                                 store::Direction direction, std::size_t limit) {
  const std::string prefix = shard_prefix(table, stream, kRollSlot);
  const std::string begin = store::log_key(prefix, 0);
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
  const Roll* opened_by = nullptr;
  const Roll* closed_by = nullptr;
};

// Shards that were closed before the horizon have no record left.
std::vector<Generation> generations_of(const Stream& stream, const std::vector<Roll>& rolls,
                                       std::int64_t horizon_ms) {
  std::vector<Generation> kept;
  Generation current{stream.created_ms, std::nullopt, nullptr, nullptr};
  if (!rolls.empty()) current.opened_ms = rolls.front().closed_opened_ms;
  for (const Roll& roll : rolls) {
    if (roll.state != RollState::done) break;
    current.closed_by = &roll;
    if (roll.opened_ms >= horizon_ms) kept.push_back(current);
    current = {roll.opened_ms, roll.closed_opened_ms, &roll, nullptr};
  }
  kept.push_back(current);
  return kept;
}

class FirstPosition final : public store::RowVisitor {
 public:
  store::Visit row(std::string_view key, std::string_view) override {
    position = store::read_position(key);
    return store::Visit::stop;
  }
  std::uint64_t position = 0;
};

class FindMarker final : public store::RowVisitor {
 public:
  explicit FindMarker(std::uint64_t roll) : roll_(roll) {}
  store::Visit row(std::string_view key, std::string_view value) override {
    const std::optional<ShardMarker> marker = decode_marker(value);
    if (!marker || marker->roll != roll_) return store::Visit::next;
    position = store::read_position(key);
    return store::Visit::stop;
  }
  std::optional<std::uint64_t> position;

 private:
  std::uint64_t roll_;
};

// Puts the roll under a guard on what is there now, which must be `expected`; false where it is something else.
base::Task<Result<bool>> put_roll(Engine& engine, std::string_view prefix, const Roll& roll, std::string expected) {
  const std::string key = store::log_key(prefix, roll.number);
  const std::string value = encode_roll(roll);
  Result<store::Row> row = co_await engine.store.get(key, store::ReadMode::latest);
  CO_TRY_VOID(row);
  if ((row->exists ? row->value.view() : std::string_view()) != expected) co_return false;
  store::Batch batch;
  batch.guards.push_back({key, row->version});
  batch.puts.push_back({key, value});
  const Result<void> committed = co_await engine.store.commit(batch);
  if (!committed && committed.error().code == ErrorCode::conflict) co_return false;
  CO_TRY_VOID(committed);
  co_return true;
}

// Writes down that the shards are being closed, and how far each log is.
base::Task<Result<std::optional<Roll>>> begin_roll(Engine& engine, const Table& table, const Stream& stream,
                                                   Roll roll) {
  for (std::uint8_t slot = 0; slot < stream.shards; ++slot) {
    const std::string prefix = shard_prefix(table.id, stream.id, slot);
    const std::string from = store::log_key(prefix, 0);
    const std::string to = store::log_key(prefix, UINT64_MAX);
    FirstPosition newest;
    const Result<void> scanned = co_await engine.store.scan({from, to}, store::Direction::descending, newest);
    CO_TRY_VOID(scanned);
    roll.positions.push_back(newest.position);
  }
  const Result<bool> begun = co_await put_roll(engine, shard_prefix(table.id, stream.id, kRollSlot), roll, "");
  CO_TRY_VOID(begun);
  if (!*begun) co_return std::nullopt;  // another node was faster, and goes on
  co_return std::move(roll);
}

// Adds the markers that are missing; then the roll is done. Any node may do this, again, or at the same time as another.
base::Task<Result<void>> finish_roll(Engine& engine, const Table& table, const Stream& stream, Roll roll) {
  const std::string begun = encode_roll(roll);
  std::vector<std::uint64_t> markers(roll.positions.size());
  const std::string marker = encode_marker({roll.number, roll.opened_ms});
  for (std::size_t slot = 0; slot < markers.size();) {
    const std::string prefix = shard_prefix(table.id, stream.id, static_cast<std::uint8_t>(slot));
    const std::string from = store::log_key(prefix, roll.positions[slot] + 1);
    const std::string to = store::log_key(prefix, UINT64_MAX);
    FindMarker found(roll.number);
    const Result<void> scanned = co_await engine.store.scan({from, to}, store::Direction::ascending, found);
    CO_TRY_VOID(scanned);
    if (found.position) {
      markers[slot++] = *found.position;
      continue;
    }
    store::Batch batch;
    batch.appends.push_back({prefix, marker});
    const Result<void> added = co_await engine.store.commit(batch);
    CO_TRY_VOID(added);
  }
  roll.positions = std::move(markers);
  roll.state = RollState::done;
  const Result<bool> done = co_await put_roll(engine, shard_prefix(table.id, stream.id, kRollSlot), roll, begun);
  CO_TRY_VOID(done);
  co_return Result<void>();
}

}  // namespace

std::string shard_id(const Stream& stream, std::uint8_t slot, std::int64_t opened_ms) {
  return fmt::format("shardId-{:020}-{:08x}", opened_ms, (std::uint32_t{stream.id} << 8) | slot);
}

base::Task<Result<std::vector<Shard>>> list_shards(Engine& engine, StreamOfTable of) {
  const Stream& stream = *of.stream;
  const Result<std::vector<Roll>> rolls =
      co_await read_rolls(engine, of.table->id, stream.id, store::Direction::ascending, SIZE_MAX);
  CO_TRY_VOID(rolls);
  std::vector<Shard> shards;
  for (const Generation& generation : generations_of(stream, *rolls, stream_horizon_ms(engine))) {
    for (std::uint8_t slot = 0; slot < stream.shards; ++slot) {
      const std::uint64_t first = generation.opened_by != nullptr ? generation.opened_by->position(slot) : 0;
      Shard shard{slot, generation.opened_ms, generation.parent_opened_ms, first, std::nullopt};
      if (generation.closed_by != nullptr) {
        shard.last = generation.closed_by->position(slot) - 1;
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

base::Task<Result<ShardBounds>> find_bounds(Engine& engine, StreamOfTable of, std::uint8_t slot, std::uint64_t first) {
  const Result<std::vector<Roll>> rolls =
      co_await read_rolls(engine, of.table->id, of.stream->id, store::Direction::ascending, SIZE_MAX);
  CO_TRY_VOID(rolls);
  ShardBounds bounds;
  for (const Roll& roll : *rolls) {
    if (roll.state != RollState::done) {
      bounds.closing_behind = roll.position(slot);
      break;
    }
    if (roll.position(slot) > first) {
      bounds.end = roll.position(slot);
      break;
    }
    bounds.roll = roll.number;
  }
  co_return bounds;
}

base::Task<Result<void>> roll_shards(Engine& engine, TablePtr table) {
  const Stream* stream = table->stream();
  if (stream == nullptr) co_return Result<void>();
  const Result<std::vector<Roll>> newest =
      co_await read_rolls(engine, table->id, stream->id, store::Direction::descending, 1);
  CO_TRY_VOID(newest);
  const bool interrupted = !newest->empty() && newest->front().state != RollState::done;
  std::optional<Roll> roll;
  if (interrupted) roll = newest->front();
  if (!roll) {
    const std::int64_t opened_ms = newest->empty() ? stream->created_ms : newest->front().opened_ms;
    const std::int64_t now_ms = engine.clock.now_ms();
    if (now_ms - opened_ms < engine.options.shard_lifetime_ms) co_return Result<void>();
    Roll next;
    next.number = newest->empty() ? 1 : newest->front().number + 1;
    next.opened_ms = std::max(now_ms, opened_ms + 1);  // ids of shards are in the order of their opening
    next.closed_opened_ms = opened_ms;
    next.state = RollState::begun;
    Result<std::optional<Roll>> begun = co_await begin_roll(engine, *table, *stream, std::move(next));
    CO_TRY_VOID(begun);
    roll = std::move(*begun);
  }
  if (!roll) co_return Result<void>();
  const Result<void> finished = co_await finish_roll(engine, *table, *stream, std::move(*roll));
  co_return finished;
}

// A roll tells where the shards that it opened begin; when the next one is older than the horizon, those shards are
// gone.
base::Task<Result<void>> trim_rolls(Engine& engine, const Table& table, const Stream& stream,
                                    std::int64_t horizon_ms) {
  const Result<std::vector<Roll>> rolls =
      co_await read_rolls(engine, table.id, stream.id, store::Direction::ascending, SIZE_MAX);
  CO_TRY_VOID(rolls);
  std::uint64_t end = 0;
  for (std::size_t i = 1; i < rolls->size() && (*rolls)[i].opened_ms < horizon_ms; ++i) end = (*rolls)[i].number;
  if (end == 0) co_return Result<void>();
  const std::string prefix = shard_prefix(table.id, stream.id, kRollSlot);
  const std::string from = store::log_key(prefix, 0);
  const std::string to = store::log_key(prefix, end);
  const Result<void> erased = co_await engine.store.erase_range({from, to});
  co_return erased;
}

}  // namespace stator::engine
