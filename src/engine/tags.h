#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/task.h"
#include "engine/engine.h"

namespace stator::engine {

inline constexpr std::size_t kTagsMax = 50;

using Tag = std::pair<std::string_view, std::string_view>;

// The rules of tag keys and values, for CreateTable too.
[[nodiscard]] Result<void> check_tags(std::span<const Tag> tags);
[[nodiscard]] Result<void> check_tag_key(std::string_view key);

// Adds tags, or replaces the values of those that are there. All or nothing.
[[nodiscard]] base::Task<Result<void>> tag_table(Engine& engine, std::string_view table, std::span<const Tag> tags);
// Keys that are not there are ignored.
[[nodiscard]] base::Task<Result<void>> untag_table(Engine& engine, std::string_view table,
                                                   std::span<const std::string_view> keys);

}  // namespace stator::engine
