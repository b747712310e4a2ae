#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "backends.h"
#include "store/rocksdb/log_end.h"

namespace stator::store {

namespace fs = std::filesystem;

// A directory with data, as a killed process or a clean close leaves it, for a test to damage.
class Damage : public testing::Test {
 protected:
  Result<std::unique_ptr<Store>> open(const fs::path& directory) const { return open_rocksdb_at(directory, durability_); }

  // A directory as a killed process leaves it, with `rows` rows in the log and nothing else.
  void make_crashed(int rows, std::size_t value_bytes = 1000) {
    auto store = open(original_);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const std::string value(value_bytes, 'v');
    for (int i = 0; i < rows; ++i) {
      fs::copy_file(original_ / "ENDS", ends_before_last_, fs::copy_options::overwrite_existing);
      ASSERT_OK(put(**store, fmt::format("k{:04}", i), value));
    }
    fs::copy(original_, data_, fs::copy_options::recursive);
    ASSERT_OK((*store)->close());
    // Without the room behind its records, so that places in the log can be counted from its end.
    const fs::path log = largest(".log");
    const Result<std::uint64_t> end = find_log_end(log);
    ASSERT_TRUE(end.has_value()) << end.error().message;
    fs::resize_file(log, *end);
  }
  // The crash has come before the last commit was acknowledged.
  void forget_last_acknowledgement() const {
    fs::copy_file(ends_before_last_, data_ / "ENDS", fs::copy_options::overwrite_existing);
  }
  // A directory as a clean close leaves it, with all rows in table files.
  void make_closed(int rows) {
    auto store = open(data_);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    std::vector<std::string> keys;
    for (int i = 0; i < rows; ++i) keys.push_back(fmt::format("k{:04}", i));
    const std::string value(1000, 'v');
    Batch batch;
    for (const std::string& key : keys) batch.puts.push_back({key, value});
    ASSERT_OK(commit(**store, batch));
    ASSERT_OK((*store)->close());
  }

  [[nodiscard]] fs::path largest(const std::string& extension_or_prefix) const {
    fs::path found;
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(data_)) {
      const std::string name = entry.path().filename();
      const bool matches =
          entry.path().extension() == extension_or_prefix || name.starts_with(extension_or_prefix);
      if (!matches || (!found.empty() && entry.file_size() <= bytes)) continue;
      found = entry.path();
      bytes = entry.file_size();
    }
    EXPECT_FALSE(found.empty()) << extension_or_prefix;
    return found;
  }
  // Of the files with data; RocksDB's diaries come and go.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(data_)) {
      const std::string name = entry.path().filename();
      if (!name.starts_with("LOG")) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  static void flip_byte(const fs::path& file, std::uintmax_t at) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(stream.get() ^ 0x5a);
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(byte);
  }
  void expect_damaged() const {
    const auto store = open(data_);
    ASSERT_FALSE(store.has_value());
    EXPECT_EQ(store.error().code, ErrorCode::corruption);
    const std::string& message = store.error().message;
    EXPECT_TRUE(
        message.starts_with(fmt::format("the data directory '{}' is damaged: ", data_.string())))
        << message;
    EXPECT_TRUE(message.ends_with("; nothing was changed")) << message;
  }

  TemporaryDirectory temporary_;
  const fs::path original_ = temporary_.path() / "original";
  const fs::path data_ = temporary_.path() / "data";
  const fs::path ends_before_last_ = temporary_.path() / "ends";
  Durability durability_ = Durability::full;
};

}  // namespace stator::store
