#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "store/store.h"

namespace stator::metrics {

// Small named texts that a service keeps across restarts, such as its alarms: rows of the system space of the store, by
// kind and name. May be used from many threads.
class Documents {
 public:
  // `kind` is a literal without a zero byte: "alarm".
  Documents(store::Store& store, std::string_view kind) : store_(store), kind_(kind) {}

  [[nodiscard]] base::Task<Result<void>> put(std::string name, std::string text);
  [[nodiscard]] base::Task<Result<void>> erase(std::string name);
  // Every document of the kind, by name. Blocks: for the start of the server.
  [[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> load() const;

 private:
  [[nodiscard]] std::string key_of(std::string_view name) const;
  store::Store& store_;
  std::string_view kind_;
};

}  // namespace stator::metrics
