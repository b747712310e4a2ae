#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/sync_wait.h"
#include "base/temporary_directory.h"
#include "store/open.h"

namespace stator::store {

using base::TemporaryDirectory;

// A store in a directory, with little memory.
[[nodiscard]] Result<std::unique_ptr<Store>> open_rocksdb_at(const std::filesystem::path& directory,
                                                             Durability durability = Durability::full);

// A place where one kind of store keeps its data for the length of a test. A further backend takes
// part in the whole suite by a factory in backends.cc.
class Backend {
 public:
  virtual ~Backend() = default;
  // Opens the store of this place; the one opened before has been closed.
  [[nodiscard]] virtual Result<std::unique_ptr<Store>> open() = 0;
};

struct BackendKind {
  const char* name;
  bool keeps_data;  // beyond close()
  std::unique_ptr<Backend> (*make)();
};
std::ostream& operator<<(std::ostream& out, const BackendKind& kind);

[[nodiscard]] std::vector<BackendKind> all_backends();
[[nodiscard]] std::vector<BackendKind> backends_that_keep_data();

// What a test says in one line.
using Rows = std::vector<std::pair<std::string, std::string>>;

class Collector final : public RowVisitor {
 public:
  explicit Collector(std::size_t rows_max = SIZE_MAX) : rows_max_(rows_max) {}
  Visit row(std::string_view key, std::string_view value) override {
    rows.emplace_back(key, value);
    return rows.size() < rows_max_ ? Visit::next : Visit::stop;
  }
  Rows rows;

 private:
  std::size_t rows_max_;
};

[[nodiscard]] Row get(Store& store, std::string_view key, ReadMode mode = ReadMode::committed);
// The value, or "<absent>".
[[nodiscard]] std::string value_of(Store& store, std::string_view key,
                                   ReadMode mode = ReadMode::committed);
[[nodiscard]] Result<void> commit(Store& store, const Batch& batch);
[[nodiscard]] Result<void> put(Store& store, std::string_view key, std::string_view value);
[[nodiscard]] Rows scan(Store& store, Range range, Direction direction = Direction::ascending,
                        std::size_t rows_max = SIZE_MAX);
[[nodiscard]] std::vector<std::int64_t> counters(Store& store, std::string_view key,
                                                 std::size_t count);

}  // namespace stator::store

// Fails the test with the error's text.
#define ASSERT_OK(expression)                                                      \
  do {                                                                             \
    const auto& assert_ok_result = (expression);                                   \
    ASSERT_TRUE(assert_ok_result.has_value()) << assert_ok_result.error().message; \
  } while (false)
#define EXPECT_OK(expression)                                                      \
  do {                                                                             \
    const auto& expect_ok_result = (expression);                                   \
    EXPECT_TRUE(expect_ok_result.has_value()) << expect_ok_result.error().message; \
  } while (false)
#define EXPECT_ERROR(expression, error_code)                \
  do {                                                      \
    const auto& expect_error_result = (expression);         \
    ASSERT_FALSE(expect_error_result.has_value());          \
    EXPECT_EQ(expect_error_result.error().code, error_code) \
        << expect_error_result.error().message;             \
  } while (false)
