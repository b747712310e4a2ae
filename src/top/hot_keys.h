#pragma once

#include <string>
#include <vector>

#include "client/client.h"

namespace stator::top {

struct HotKey {
  std::string table;
  std::string index;  // empty: the table
  std::string key;
  double value = 0;        // units consumed, or throttles
  bool throttled = false;  // ranked by throttles
};

// The partition keys that were used and throttled most in the last minutes, heaviest first, at most `count` of each kind. Nothing
// where Contributor Insights is enabled for nothing.
[[nodiscard]] Result<std::vector<HotKey>> find_hot_keys(client::Client& client, std::size_t count);

}  // namespace stator::top
