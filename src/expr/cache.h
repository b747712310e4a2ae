#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "expr/ast.h"
#include "expr/expression.h"

namespace stator::expr {

// Parsed expressions of the calling thread, the least recently used ones dropped first. Each thread
// has its own, so that reactors share nothing. Only texts that parse are kept: a wrong one costs
// its client, not us.
inline constexpr std::size_t kCacheEntriesMax = 1024;
// Of text. A tree takes some thirty times its text, so this bounds a thread's cache to about eight
// megabytes, whatever clients send.
inline constexpr std::size_t kCacheTextBytesMax = 256 * 1024;

[[nodiscard]] Result<std::shared_ptr<const ParsedCondition>> cached_condition(std::string_view text,
                                                                              Parameter parameter);
[[nodiscard]] Result<std::shared_ptr<const ParsedUpdate>> cached_update(std::string_view text);
[[nodiscard]] Result<std::shared_ptr<const ParsedProjection>> cached_projection(
    std::string_view text);

// Entries that this thread holds, of all kinds.
[[nodiscard]] std::size_t cache_entries() noexcept;
[[nodiscard]] std::size_t cache_text_bytes() noexcept;

}  // namespace stator::expr
