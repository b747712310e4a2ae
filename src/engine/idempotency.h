#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "engine/capacity.h"
#include "engine/engine.h"

namespace stator::engine {

// The memory of client request tokens: a row per token, written in the commit of its transaction, and a row by time of
// expiry through which old ones are found.
struct TokenRows {
  std::string key;
  std::string value;
  std::string expiry_key;
};

enum class TokenState : std::uint8_t { fresh, repeated };

// Looks a token up. IdempotentParameterMismatch where it was used for another request.
struct TokenLookup {
  TokenState state = TokenState::fresh;
  TokenRows rows;  // to be written with the transaction, if fresh
  std::vector<HalfUnits> costs;  // of a repeated one: what each of its writes cost the table; empty: not known
  store::Version version = 0;  // of the row by token, to be guarded: another node may have the same request under way
};
[[nodiscard]] base::Task<Result<TokenLookup>> look_up_token(Engine& engine, std::string_view token,
                                                            std::string_view fingerprint);

// The value of the row by token once it is known what the writes cost: a repetition pays by the same sizes.
[[nodiscard]] std::string token_value(const TokenRows& rows, std::span<const HalfUnits> costs);

// Forgets expired tokens; run in the background.
[[nodiscard]] base::Task<Result<void>> forget_expired_tokens(Engine& engine);

}  // namespace stator::engine
