#pragma once

#include <atomic>
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
  [[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> load();

  // Takes a document that cannot be used out of the way of the others: it is kept in the store beside them, named in the log and
  // counted. A part of one is set aside under a name that no document has. Blocks: for the start of the server.
  void set_aside(const std::string& name, const std::string& text, const Error& why);
  // How many there are that earlier starts, or this one, have set aside.
  [[nodiscard]] std::size_t aside() const { return aside_; }
  [[nodiscard]] std::string_view kind() const { return kind_; }

 private:
  using Rows = std::vector<std::pair<std::string, std::string>>;
  [[nodiscard]] std::string key_of(std::string_view name) const;
  [[nodiscard]] std::string aside_key_of(std::string_view name) const;
  [[nodiscard]] Result<Rows> load_from(const std::string& prefix) const;
  store::Store& store_;
  std::string_view kind_;
  std::atomic<std::size_t> aside_ = 0;
};

}  // namespace stator::metrics
