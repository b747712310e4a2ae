#pragma once

#include <span>
#include <string>

#include "top/activity.h"
#include "top/hot_keys.h"

namespace stator::top {

struct FrameOptions {
  std::string endpoint;
  std::string time;       // as it is shown
  std::size_t rows = 24;  // of tables, at most
};

// One screen of text, lines ended by newlines: tables and indexes, the busiest first, then throttles by reason and hot keys.
[[nodiscard]] std::string draw_frame(const Activity& activity, std::span<const HotKey> hot_keys,
                                     const FrameOptions& options);

}  // namespace stator::top
