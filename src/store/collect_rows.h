#pragma once

#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace stator::store {

// Keeps all rows of a scan that is known to be short.
class CollectRows final : public RowVisitor {
 public:
  Visit row(std::string_view key, std::string_view value) override {
    rows.emplace_back(key, value);
    return Visit::next;
  }
  std::vector<std::pair<std::string, std::string>> rows;
};

// Keeps the first keys of a scan.
class CollectKeys final : public RowVisitor {
 public:
  explicit CollectKeys(std::size_t count_max) : count_max_(count_max) {}
  Visit row(std::string_view key, std::string_view /*value*/) override {
    keys.emplace_back(key);
    return keys.size() < count_max_ ? Visit::next : Visit::stop;
  }
  std::vector<std::string> keys;

 private:
  const std::size_t count_max_;
};

}  // namespace stator::store
