#include "engine/expiry.h"

#include <charconv>
#include <vector>

#include "engine/item_steps.h"
#include "engine/row_key.h"
#include "engine/write_plan.h"

namespace stator::engine {
namespace {

constexpr std::uint64_t kFiveYearsSeconds = 5ULL * 365 * 24 * 60 * 60;
constexpr std::size_t kDeleteAtOnceMax = 100;  // items of one commit
constexpr std::size_t kPassMax = 10'000;       // items of one pass over a table: others want their turn

// The whole seconds of a number; nothing for negative or enormous ones.
std::optional<std::uint64_t> whole_seconds(std::string_view canonical) {
  const std::string_view digits = canonical.substr(0, canonical.find('.'));
  std::uint64_t seconds = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return seconds;
}

// Gathers the row keys of items that are due.
class DueItems final : public store::RowVisitor {
 public:
  store::Visit row(std::string_view key, std::string_view) override {
    // expiry row: space, eight bytes of time, the rest of the item's row key
    row_keys.emplace_back(key.substr(kSpaceBytes + 8));
    return row_keys.size() < kPassMax ? store::Visit::next : store::Visit::stop;
  }
  std::vector<std::string> row_keys;
};

// Deletes some items in one commit. Items that changed meanwhile and are not due any more stay.
base::Task<Result<std::size_t>> delete_some(Engine& engine, const Table& table,
                                            std::span<const std::string_view> row_keys, std::uint64_t now_s,
                                            base::Arena& arena) {
  for (int attempt = 0; attempt < kConflictsMax; ++attempt) {
    Result<std::vector<store::Row>> rows = co_await engine.store.get_many(row_keys, store::ReadMode::latest);
    CO_TRY_VOID(rows);
    std::vector<ItemChange> changes;
    std::vector<item::StoredItem> items;
    items.reserve(rows->size());
    for (std::size_t i = 0; i < rows->size(); ++i) {
      const store::Row& row = (*rows)[i];
      if (!row.exists || engine.transactions.is_locked(row_keys[i])) continue;
      CO_TRY(const item::StoredItem item, item::StoredItem::open(row.value.view()));
      const std::optional<std::uint64_t> expiry = expiry_of(table, item, arena);
      const std::optional<KeyValues> key = find_key_values(table.key, item, arena);
      if (!expiry || *expiry > now_s || !key) continue;
      items.push_back(item);
      ItemChange change{table, *key, row_keys[i], row.version, &items.back(), nullptr};
      change.now_ms = static_cast<std::int64_t>(now_s) * 1000;
      change.by_service = true;
      change.outbox = engine.outbox_numbers();
      changes.push_back(change);
    }
    if (changes.empty()) co_return std::size_t{0};
    const Result<void> found = co_await find_building_rows(engine.store, changes, arena);
    CO_TRY_VOID(found);
    store::Batch batch;
    batch.patient = true;
    ConsumedCapacity free_of_charge;
    for (const ItemChange& change : changes) plan_change(change, batch, free_of_charge, arena);
    const Result<void> committed = co_await engine.store.commit(batch);
    if (committed) co_return changes.size();
    if (committed.error().code != ErrorCode::conflict) co_return tl::unexpected(committed.error());
  }
  co_return std::size_t{0};
}

}  // namespace

std::optional<std::uint64_t> expiry_of(const Table& table, const item::StoredItem& item, base::Arena& arena) {
  const std::optional<item::Value> value = item.find(table.ttl.attribute, arena);
  if (!value || !value->is(item::Type::number)) return std::nullopt;
  return whole_seconds(value->text());
}

std::string_view expiry_key(const Table& table, std::uint64_t second, std::string_view row_key,
                            base::Arena& arena) {
  base::Buffer out;
  append_space(out, table.id, kExpirySpace);
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(second >> shift));
  out.append(row_key.substr(kSpaceBytes));
  return arena.copy(out.view());
}

void plan_expiry(const ItemChange& change, store::Batch& batch, base::Arena& arena) {
  const Table& table = change.table;
  if (table.ttl.attribute.empty()) return;
  const auto expiry = [&](const item::StoredItem* item) {
    return item != nullptr ? expiry_of(table, *item, arena) : std::nullopt;
  };
  const std::optional<std::uint64_t> before = expiry(change.before);
  const std::optional<std::uint64_t> after = expiry(change.after);
  if (before == after) return;
  if (before) batch.erases.push_back(expiry_key(table, *before, change.row_key, arena));
  if (after) batch.puts.push_back({expiry_key(table, *after, change.row_key, arena), ""});
}

base::Task<Result<std::size_t>> delete_expired(Engine& engine, TablePtr seen) {
  // A write like any other: an index that is made meanwhile waits for it.
  const Result<WriteTable> table = engine.catalog.begin_write(seen->name);
  if (!table || (*table)->id != seen->id || (*table)->ttl.state != TtlState::on) co_return std::size_t{0};
  const auto now_s = static_cast<std::uint64_t>(engine.clock.now_ms() / 1000);
  base::Arena bounds;
  const std::uint64_t oldest = now_s > kFiveYearsSeconds ? now_s - kFiveYearsSeconds : 0;
  const std::string_view nowhere("\0\0\0\0\0", kSpaceBytes);  // its item part is empty
  const std::string_view from = expiry_key(**table, oldest, nowhere, bounds);
  const std::string_view to = expiry_key(**table, now_s + 1, nowhere, bounds);
  DueItems due;
  const Result<void> scanned = co_await engine.store.scan({from, to}, store::Direction::ascending, due);
  CO_TRY_VOID(scanned);
  std::size_t deleted = 0;
  for (std::size_t begin = 0; begin < due.row_keys.size(); begin += kDeleteAtOnceMax) {
    base::Arena arena;
    std::vector<std::string_view> row_keys;
    const std::size_t end = std::min(begin + kDeleteAtOnceMax, due.row_keys.size());
    for (std::size_t i = begin; i < end; ++i) {
      base::Buffer key;
      append_space(key, (*table)->id, 0);
      key.append(due.row_keys[i]);
      row_keys.push_back(arena.copy(key.view()));
    }
    const Result<std::size_t> some = co_await delete_some(engine, **table, row_keys, now_s, arena);
    CO_TRY_VOID(some);
    deleted += *some;
  }
  co_return deleted;
}

}  // namespace stator::engine
