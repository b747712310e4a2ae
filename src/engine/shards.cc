#include "engine/shards.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/rolls.h"
#include "engine/stream_trim.h"
#include "engine/streams.h"

namespace stator::engine {
namespace {

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
    current.closed_by = &roll;
    if (roll.opened_ms >= horizon_ms || roll.state != RollState::done) kept.push_back(current);
    current = {roll.opened_ms, roll.closed_opened_ms, &roll, nullptr};
  }
  kept.push_back(current);
  return kept;
}

}  // namespace

std::string shard_id(const Stream& stream, std::uint8_t slot, std::int64_t opened_ms) {
  return fmt::format("shardId-{:020}-{:08x}", opened_ms, (std::uint32_t{stream.id} << 8) | slot);
}

base::Task<Result<std::vector<Shard>>> list_shards(Engine& engine, StreamOfTable of) {
  const Stream& stream = *of.stream;
  const Result<std::vector<Roll>> rolls = co_await read_rolls(engine.store, of.table->id, stream);
  CO_TRY_VOID(rolls);
  std::vector<Shard> shards;
  for (const Generation& generation : generations_of(stream, *rolls, stream_horizon_ms(engine))) {
    for (std::uint8_t slot = 0; slot < stream.shards; ++slot) {
      const std::uint64_t first = generation.opened_by != nullptr ? generation.opened_by->marker(slot) : 0;
      const std::uint64_t end = generation.closed_by != nullptr ? generation.closed_by->marker(slot) : 0;
      if (generation.opened_by != nullptr && first == 0) continue;  // its parent is still open
      Shard shard{slot, generation.opened_ms, generation.parent_opened_ms, first, std::nullopt};
      if (end != 0) {
        shard.last = end - 1;
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
  const Result<std::vector<Roll>> rolls = co_await read_rolls(engine.store, of.table->id, *of.stream);
  CO_TRY_VOID(rolls);
  ShardBounds bounds;
  for (const Roll& roll : *rolls) {
    const std::uint64_t marker = roll.marker(slot);
    if (marker == 0) break;
    if (marker > first) {
      bounds.end = marker;
      break;
    }
    bounds.roll = roll.number;
  }
  co_return bounds;
}

base::Task<Result<void>> roll_shards(Engine& engine, TablePtr table) {
  const Stream* stream = table->stream();
  if (stream == nullptr) co_return Result<void>();
  Result<std::optional<Roll>> newest = co_await newest_roll(engine.store, table->id, *stream);
  CO_TRY_VOID(newest);
  std::optional<Roll> roll = std::move(*newest);
  if (!roll || roll->state == RollState::done) {
    const std::int64_t opened_ms = roll ? roll->opened_ms : stream->created_ms;
    const std::int64_t now_ms = engine.clock.now_ms();
    if (now_ms - opened_ms < engine.options.shard_lifetime_ms) co_return Result<void>();
    Roll next;
    next.number = roll ? roll->number + 1 : 1;
    next.opened_ms = std::max(now_ms, opened_ms + 1);  // ids of shards are in the order of their opening
    next.closed_opened_ms = opened_ms;
    Result<std::optional<Roll>> begun = co_await begin_roll(engine.store, table->id, *stream, std::move(next));
    CO_TRY_VOID(begun);
    roll = std::move(*begun);
  }
  if (!roll) co_return Result<void>();
  const Result<void> finished = co_await finish_roll(engine.store, table->id, *stream, std::move(*roll));
  co_return finished;
}

}  // namespace stator::engine
