#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/temporary_directory.h"
#include "stator/stator.h"

// What the tests of this folder share. They use the library as a program does: by its public
// headers.
namespace stator {

using base::TemporaryDirectory;

inline std::string data_in(const TemporaryDirectory& directory) { return directory.path() / "data"; }

inline Options on_disk(const TemporaryDirectory& directory) {
  return {.directory = data_in(directory), .durability = Durability::relaxed, .cache_bytes = 8 << 20};
}

inline CreateTableRequest app_table() {
  return {.table_name = "app",
          .key = {.partition = {"PK"}, .sort = {"SK"}},
          .global_secondary_indexes = {
              {.index_name = "by-status", .key = {.partition = {"status"}, .sort = {"placed"}}}}};
}

inline constexpr const char* kBackends[] = {"Memory", "RocksDb"};

// An open database with the table `app`, in memory and on disk.
class AppTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    db_.emplace(Database::open(GetParam() == kBackends[0] ? Options{.in_memory = true}
                                                          : on_disk(directory_))
                    .value());
    db_->create_table(app_table()).value();
  }
  [[nodiscard]] Database& db() { return *db_; }

  void put(Item item) { db_->put_item({.table_name = "app", .item = std::move(item)}).value(); }
  [[nodiscard]] std::optional<Item> get(std::string partition, std::string sort) {
    return db_->get_item({.table_name = "app", .key = {{"PK", partition}, {"SK", sort}}})
        .value()
        .item;
  }

 private:
  TemporaryDirectory directory_;
  std::optional<Database> db_;
};

#define STATOR_ON_BOTH_BACKENDS(suite)                                  \
  INSTANTIATE_TEST_SUITE_P(Stores, suite, testing::ValuesIn(kBackends), \
                           [](const auto& kind) { return std::string(kind.param); })

template <class T>
std::string error_text(const Outcome<T>& outcome) {
  return outcome ? "no error" : outcome.error().text();
}

}  // namespace stator
