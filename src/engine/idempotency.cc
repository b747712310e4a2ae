#include "engine/idempotency.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/row_key.h"
#include "engine/transact_write_items.h"

namespace stator::engine {
namespace {

constexpr std::size_t kForgetAtOnceMax = 1000;

// value := expiry in milliseconds as decimal digits, for each write a comma and its cost, a space, the fingerprint
struct TokenValue {
  std::int64_t expiry_ms = 0;
  std::string_view fingerprint;
  std::vector<HalfUnits> costs;
};

// Nothing if it is damaged.
std::optional<TokenValue> parse_value(std::string_view value) {
  TokenValue result;
  const std::size_t space = value.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const char* end = value.data() + space;
  std::from_chars_result read = std::from_chars(value.data(), end, result.expiry_ms);
  while (read.ec == std::errc() && read.ptr != end && *read.ptr == ',') {
    read = std::from_chars(read.ptr + 1, end, result.costs.emplace_back());
  }
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  result.fingerprint = value.substr(space + 1);
  return result;
}

// Gathers the rows of tokens whose time is over.
class ExpiredRows final : public store::RowVisitor {
 public:
  store::Visit row(std::string_view key, std::string_view value) override {
    keys.emplace_back(key);
    keys.emplace_back(value);  // the row by token
    return keys.size() / 2 < kForgetAtOnceMax ? store::Visit::next : store::Visit::stop;
  }
  std::vector<std::string> keys;
};

}  // namespace

base::Task<Result<TokenLookup>> look_up_token(Engine& engine, std::string_view token,
                                              std::string_view fingerprint) {
  TokenLookup lookup;
  lookup.rows.key = token_key(token);
  const std::int64_t now_ms = engine.clock.now_ms();
  Result<store::Row> row = co_await engine.store.get(lookup.rows.key, store::ReadMode::latest);
  CO_TRY_VOID(row);
  lookup.version = row->version;
  if (row->exists) {
    std::optional<TokenValue> known = parse_value(row->value.view());
    // Taken for one whose time is over, the request would be carried out twice. It goes with its time (forget_expired_tokens).
    if (!known) co_return fail(ErrorCode::corruption, "what is stored of this client token cannot be read");
    if (known->expiry_ms > now_ms) {
      if (known->fingerprint != fingerprint) {
        co_return fail(ErrorCode::idempotent_mismatch,
                       "Request parameters do not match the parameters of the original request with this client "
                       "token");
      }
      // The answer says "done": it must be durable before it is given.
      store::Batch batch;
      batch.guards.push_back({lookup.rows.key, row->version});
      const Result<void> settled = co_await engine.store.commit(batch);
      if (!settled && settled.error().code != ErrorCode::conflict) co_return tl::unexpected(settled.error());
      lookup.state = TokenState::repeated;
      lookup.costs = std::move(known->costs);
      co_return lookup;
    }
  }
  const std::int64_t expiry_ms = now_ms + kTokenLifetimeMs;
  lookup.rows.value = std::to_string(expiry_ms) + ' ' + std::string(fingerprint);
  lookup.rows.expiry_key = token_expiry_key(expiry_ms, token);
  co_return lookup;
}

std::string token_value(const TokenRows& rows, std::span<const HalfUnits> costs) {
  std::string list;
  for (const HalfUnits cost : costs) list += ',' + std::to_string(cost);
  std::string value = rows.value;
  return value.insert(value.find(' '), list);
}

base::Task<Result<void>> forget_expired_tokens(Engine& engine) {
  const std::string from = token_expiry_key(0, "");
  const std::string to = token_expiry_key(engine.clock.now_ms(), "");
  for (;;) {
    ExpiredRows expired;
    const Result<void> scanned = co_await engine.store.scan({from, to}, store::Direction::ascending, expired);
    CO_TRY_VOID(scanned);
    if (expired.keys.empty()) co_return Result<void>();
    store::Batch batch;
    for (std::size_t i = 0; i < expired.keys.size(); i += 2) {
      batch.erases.push_back(expired.keys[i]);
      // A token that was used again after its time has a row with a later expiry, which stays.
      const std::string& token_row = expired.keys[i + 1];
      // It may have been used again more than once since anyone looked; a commit names a key once.
      if (std::find(batch.erases.begin(), batch.erases.end(), token_row) != batch.erases.end()) continue;
      Result<store::Row> row = co_await engine.store.get(token_row, store::ReadMode::latest);
      CO_TRY_VOID(row);
      if (!row->exists) continue;
      const std::optional<TokenValue> known = parse_value(row->value.view());
      if (known && known->expiry_ms > engine.clock.now_ms()) continue;
      batch.guards.push_back({token_row, row->version});
      batch.erases.push_back(token_row);
    }
    const Result<void> committed = co_await engine.store.commit(batch);
    if (!committed && committed.error().code != ErrorCode::conflict) co_return tl::unexpected(committed.error());
  }
}

}  // namespace stator::engine
