#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/task.h"
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
  store::Version version = 0;  // of the row by token, to be guarded: another node may have the same request under way
};
[[nodiscard]] base::Task<Result<TokenLookup>> look_up_token(Engine& engine, std::string_view token,
                                                            std::string_view fingerprint);

// Forgets expired tokens; run in the background.
[[nodiscard]] base::Task<Result<void>> forget_expired_tokens(Engine& engine);

}  // namespace stator::engine
