#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/test_support.h"
#include "base/temporary_directory.h"
#include "engine/test_support.h"
#include "store/open.h"

namespace stator::differential {

// A database over one kind of store. restart() is what a process does that ends and starts again:
// nothing is kept but what the store has.
class Place {
 public:
  enum class Kind { memory, rocksdb };
  Place(Kind kind, const base::Clock& clock);
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void restart();
  api::testing::Answer call(std::string_view operation, std::string_view body) {
    return client_->call(operation, body);
  }
  [[nodiscard]] std::string_view name() const {
    return kind_ == Kind::memory ? "memory" : "RocksDB";
  }

 private:
  void open_engine();

  const Kind kind_;
  const base::Clock& clock_;
  std::optional<base::TemporaryDirectory> directory_;  // of RocksDB
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<api::testing::Client> client_;
};

}  // namespace stator::differential
