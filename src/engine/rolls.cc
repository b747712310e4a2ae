#include "engine/rolls.h"

#include "engine/change_log.h"

namespace stator::engine {
namespace {

constexpr std::uint8_t kRollSlot = 0xff;  // beyond every slot with records
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kOldRollBytes = 2 * kNumberBytes;

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

base::Task<Result<std::vector<Roll>>> stored_rolls(store::Store& store, TableId table, const Stream& stream,
                                                   store::Direction direction, std::size_t limit) {
  const std::string prefix = shard_prefix(table, stream.id, kRollSlot);
  const std::string begin = store::log_key(prefix, 0);
  const std::string end = store::log_key(prefix, UINT64_MAX);
  CollectRolls found(limit);
  const Result<void> scanned = co_await store.scan({begin, end}, direction, found);
  CO_TRY_VOID(scanned);
  if (found.damaged) co_return fail(ErrorCode::corruption, "the lineage of a stream's shards is damaged");
  co_return std::move(found.rolls);
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

// The first marker of a roll that is not done.
base::Task<Result<std::optional<std::uint64_t>>> find_marker(store::Store& store, const Roll& roll, std::string_view prefix,
                                                             std::size_t slot) {
  const std::string from = store::log_key(prefix, roll.positions[slot] + 1);
  const std::string to = store::log_key(prefix, UINT64_MAX);
  FindMarker found(roll.number);
  const Result<void> scanned = co_await store.scan({from, to}, store::Direction::ascending, found);
  CO_TRY_VOID(scanned);
  co_return found.position;
}

// Puts the roll under a guard on what is there now, which must be `expected`; false where it is something else.
base::Task<Result<bool>> put_roll(store::Store& store, std::string_view prefix, const Roll& roll, std::string expected) {
  const std::string key = store::log_key(prefix, roll.number);
  const std::string value = encode_roll(roll);
  Result<store::Row> row = co_await store.get(key, store::ReadMode::latest);
  CO_TRY_VOID(row);
  if ((row->exists ? row->value.view() : std::string_view()) != expected) co_return false;
  store::Batch batch;
  batch.guards.push_back({key, row->version});
  batch.puts.push_back({key, value});
  const Result<void> committed = co_await store.commit(batch);
  if (!committed && committed.error().code == ErrorCode::conflict) co_return false;
  CO_TRY_VOID(committed);
  co_return true;
}

}  // namespace

base::Task<Result<std::vector<Roll>>> read_rolls(store::Store& store, TableId table, const Stream& stream) {
  Result<std::vector<Roll>> rolls =
      co_await stored_rolls(store, table, stream, store::Direction::ascending, SIZE_MAX);
  CO_TRY_VOID(rolls);
  if (rolls->empty() || rolls->back().state == RollState::done) co_return rolls;
  const Roll begun = rolls->back();
  std::vector<std::uint64_t>& positions = rolls->back().positions;
  for (std::size_t slot = positions.size(); slot-- > 0;) {  // against the order in which markers come
    const std::string prefix = shard_prefix(table, stream.id, static_cast<std::uint8_t>(slot));
    const Result<std::optional<std::uint64_t>> marker = co_await find_marker(store, begun, prefix, slot);
    CO_TRY_VOID(marker);
    positions[slot] = marker->value_or(0);
  }
  co_return rolls;
}

base::Task<Result<std::optional<Roll>>> newest_roll(store::Store& store, TableId table, const Stream& stream) {
  Result<std::vector<Roll>> rolls = co_await stored_rolls(store, table, stream, store::Direction::descending, 1);
  CO_TRY_VOID(rolls);
  if (rolls->empty()) co_return std::nullopt;
  co_return std::move(rolls->front());
}

base::Task<Result<std::optional<Roll>>> begin_roll(store::Store& store, TableId table, const Stream& stream, Roll roll) {
  roll.state = RollState::begun;
  for (std::uint8_t slot = 0; slot < stream.shards; ++slot) {
    const std::string prefix = shard_prefix(table, stream.id, slot);
    const std::string from = store::log_key(prefix, 0);
    const std::string to = store::log_key(prefix, UINT64_MAX);
    FirstPosition newest;
    const Result<void> scanned = co_await store.scan({from, to}, store::Direction::descending, newest);
    CO_TRY_VOID(scanned);
    roll.positions.push_back(newest.position);
  }
  const Result<bool> begun = co_await put_roll(store, shard_prefix(table, stream.id, kRollSlot), roll, "");
  CO_TRY_VOID(begun);
  if (!*begun) co_return std::nullopt;
  co_return std::move(roll);
}

base::Task<Result<void>> finish_roll(store::Store& store, TableId table, const Stream& stream, Roll roll) {
  const std::string begun = encode_roll(roll);
  std::vector<std::uint64_t> markers(roll.positions.size());
  const std::string marker = encode_marker({roll.number, roll.opened_ms});
  for (std::size_t slot = 0; slot < markers.size();) {
    const std::string prefix = shard_prefix(table, stream.id, static_cast<std::uint8_t>(slot));
    const Result<std::optional<std::uint64_t>> found = co_await find_marker(store, roll, prefix, slot);
    CO_TRY_VOID(found);
    if (*found) {
      markers[slot++] = **found;
      continue;
    }
    store::Batch batch;
    batch.appends.push_back({prefix, marker});
    const Result<void> added = co_await store.commit(batch);
    CO_TRY_VOID(added);
  }
  roll.positions = std::move(markers);
  roll.state = RollState::done;
  const Result<bool> done = co_await put_roll(store, shard_prefix(table, stream.id, kRollSlot), roll, begun);
  CO_TRY_VOID(done);
  co_return Result<void>();
}

base::Task<Result<void>> finish_begun_roll(store::Store& store, TableId table, const Stream& stream) {
  Result<std::optional<Roll>> newest = co_await newest_roll(store, table, stream);
  CO_TRY_VOID(newest);
  if (!*newest || (*newest)->state == RollState::done) co_return Result<void>();
  const Result<void> finished = co_await finish_roll(store, table, stream, std::move(**newest));
  co_return finished;
}

// A roll tells where the shards that it opened begin; when the next one is older than the horizon, those shards are
// gone.
base::Task<Result<void>> trim_rolls(store::Store& store, TableId table, const Stream& stream, std::int64_t horizon_ms) {
  const Result<std::vector<Roll>> rolls =
      co_await stored_rolls(store, table, stream, store::Direction::ascending, SIZE_MAX);
  CO_TRY_VOID(rolls);
  std::uint64_t end = 0;
  for (std::size_t i = 1; i < rolls->size() && (*rolls)[i].opened_ms < horizon_ms; ++i) end = (*rolls)[i].number;
  if (end == 0) co_return Result<void>();
  const std::string prefix = shard_prefix(table, stream.id, kRollSlot);
  const std::string from = store::log_key(prefix, 0);
  const std::string to = store::log_key(prefix, end);
  const Result<void> erased = co_await store.erase_range({from, to});
  co_return erased;
}

}  // namespace stator::engine
