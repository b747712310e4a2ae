#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "item/value.h"

namespace stator::partiql {

// Where the next page of a SELECT begins. Clients see it as text without meaning.
struct NextPage {
  std::uint32_t part = 0;         // of the plan
  std::string_view last_key_text;  // wire text of the key behind which it begins; empty: at the beginning of the part
};

// Tells one statement with its parameters from another.
[[nodiscard]] std::uint64_t statement_hash(std::string_view statement, std::span<const item::Value> parameters);

[[nodiscard]] std::string encode_next_token(const NextPage& page, std::uint64_t hash);
// The page lives in the arena. Errors: a text that is no token, the token of another statement.
[[nodiscard]] Result<NextPage> decode_next_token(std::string_view token, std::uint64_t hash, base::Arena& arena);

}  // namespace stator::partiql
