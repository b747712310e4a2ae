#pragma once

#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace stator::engine {

// Keeps all rows of a scan that is known to be short.
class CollectRows final : public store::RowVisitor {
 public:
  store::Visit row(std::string_view key, std::string_view value) override {
    rows.emplace_back(key, value);
    return store::Visit::next;
  }
  std::vector<std::pair<std::string, std::string>> rows;
};

}  // namespace stator::engine
