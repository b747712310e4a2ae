#include "store/rocksdb/log_room.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/sync_wait.h"
#include "base/temporary_directory.h"
#include "store/rocksdb/directory.h"
#include "store/rocksdb/log_end.h"
#include "store/rocksdb/open_internal.h"
#include "store/rocksdb/rocks_store.h"

namespace stator::store {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSectorBytes = 512;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// A store, and what its directory would be after a crash at any moment.
class LogRoomTest : public testing::Test {
 protected:
  void SetUp() override {
    store_ = open(directory_ / "data");
    ASSERT_TRUE(store_);
  }

  static std::unique_ptr<RocksStore> open(const fs::path& data, std::string* error = nullptr) {
    RocksOptions options;
    options.directory = data;
    options.cache_bytes = 8 << 20;
    Result<std::unique_ptr<RocksStore>> opened = open_rocks_store(options, nullptr);
    if (!opened && error != nullptr) *error = opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }
  void put(std::string_view key, std::string_view value) {
    Batch batch;
    batch.puts.push_back({key, value});
    ASSERT_TRUE(base::sync_wait(store_->commit(batch)));
  }
  static std::string value_in(RocksStore& store, std::string_view key) {
    const Result<Row> row = base::sync_wait(store.get(key, ReadMode::committed));
    if (!row) return row.error().message;
    return row->exists ? std::string(row->value.view()) : "<absent>";
  }
  [[nodiscard]] static fs::path log_in(const fs::path& data) {
    for (const auto& entry : fs::directory_iterator(data)) {
      if (entry.path().extension() == ".log") return entry.path();
    }
    return {};
  }
  [[nodiscard]] std::uint64_t log_end() const {
    const Result<std::uint64_t> end = find_log_end(log_in(directory_ / "data"));
    EXPECT_TRUE(end) << end.error().message;
    return end.value_or(0);
  }
  // The room is made by a thread of its own.
  void wait_for_room() const {
    const fs::path log = log_in(directory_ / "data");
    for (int i = 0; i < 2000 && fs::file_size(log) == log_end(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_GT(fs::file_size(log), log_end());
  }
  // The directory as a kill would leave it now, with other bytes in its log; or as one before the last commit was acknowledged.
  fs::path crash(const std::string& log_bytes, bool last_is_acknowledged = true) {
    const fs::path data = directory_ / "crashed";
    fs::remove_all(data);
    fs::copy(directory_ / "data", data);
    write_file(log_in(data), log_bytes);
    if (!last_is_acknowledged) write_file(data / "ENDS", ends_before_last_);
    return data;
  }
  // Commits of all sizes; where each ends in the log.
  std::vector<std::uint64_t> put_many() {
    std::vector<std::uint64_t> ends = {log_end()};
    for (const std::size_t bytes : {10u, 3'000u, 40u, 33'000u, 500u, 90'000u, 20u, 70'000u}) {
      ends_before_last_ = read_file(directory_ / "data" / "ENDS");
      put("k" + std::to_string(ends.size()), std::string(bytes, static_cast<char>('a' + ends.size())));
      ends.push_back(log_end());
    }
    wait_for_room();
    return ends;
  }

  const base::TemporaryDirectory temporary_;
  const fs::path& directory_ = temporary_.path();
  std::unique_ptr<RocksStore> store_;
  std::string ends_before_last_;
};

TEST_F(LogRoomTest, RecordsEndWhereTheRoomBegins) {
  const std::vector<std::uint64_t> ends = put_many();
  EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
  const std::string log = read_file(log_in(directory_ / "data"));
  ASSERT_GT(log.size(), ends.back());
  EXPECT_EQ(log.find_first_not_of('\0', ends.back()), std::string::npos);
  const auto crashed = open(crash(log));
  ASSERT_TRUE(crashed);
  for (std::size_t i = 1; i < ends.size(); ++i) {
    EXPECT_EQ(value_in(*crashed, "k" + std::to_string(i)), value_in(*store_, "k" + std::to_string(i)));
  }
}

TEST_F(LogRoomTest, OfAGroupThatWasNotSyncedAnyPartMayBeMissing) {
  const std::vector<std::uint64_t> ends = put_many();
  const std::string log = read_file(log_in(directory_ / "data"));
  const std::uint64_t begin = ends[ends.size() - 2];
  std::mt19937 random(1);
  for (int round = 0; round < 25; ++round) {
    std::string torn = log;
    for (std::uint64_t sector = begin / kSectorBytes; sector <= ends.back() / kSectorBytes; ++sector) {
      const std::uint64_t from = std::max(begin, sector * kSectorBytes);
      const std::uint64_t to = std::min(ends.back(), (sector + 1) * kSectorBytes);
      if (from < to && random() % 4 == 0) std::fill(torn.begin() + static_cast<std::ptrdiff_t>(from),
                                                    torn.begin() + static_cast<std::ptrdiff_t>(to), '\0');
    }
    std::string error;
    const auto crashed = open(crash(torn, false), &error);
    ASSERT_TRUE(crashed) << "round " << round << ": " << error;
    EXPECT_EQ(value_in(*crashed, "k7"), std::string(20, 'h'));
    const std::string last = value_in(*crashed, "k8");
    EXPECT_EQ(last, torn == log ? std::string(70'000, 'i') : "<absent>");
  }
}

TEST_F(LogRoomTest, ALogMayEndAnywhereInItsLastGroup) {
  const std::vector<std::uint64_t> ends = put_many();
  const std::string log = read_file(log_in(directory_ / "data"));
  const std::uint64_t begin = ends[ends.size() - 2];
  for (const std::uint64_t size : {begin, begin + 1, begin + 7, begin + 40'000, ends.back() - 1}) {
    const auto crashed = open(crash(log.substr(0, size), false));
    ASSERT_TRUE(crashed) << size;
    EXPECT_EQ(value_in(*crashed, "k7"), std::string(20, 'h'));
    EXPECT_EQ(value_in(*crashed, "k8"), "<absent>");
  }
}

TEST_F(LogRoomTest, DamageBeforeTheLastGroupIsRefused) {
  const std::vector<std::uint64_t> ends = put_many();
  const std::string log = read_file(log_in(directory_ / "data"));
  const std::uint64_t last = ends[ends.size() - 2];
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    std::string damaged = log;
    const std::uint64_t at = round < 100 ? static_cast<std::uint64_t>(round) : random() % last;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    write_file(directory_ / "damaged.log", damaged);
    const Result<std::uint64_t> end = find_log_end(directory_ / "damaged.log");
    ASSERT_FALSE(end.has_value()) << at;
    EXPECT_EQ(end.error().code, ErrorCode::corruption);
  }
  std::string error;
  std::string damaged = log;
  damaged[ends[3]] = static_cast<char>(damaged[ends[3]] ^ 1);
  const fs::path data = crash(damaged);
  EXPECT_FALSE(open(data, &error));
  EXPECT_NE(error.find("damaged"), std::string::npos) << error;
  EXPECT_EQ(read_file(log_in(data)), damaged);
}

TEST_F(LogRoomTest, RoomGrowsBesideCommitsAndCoversNoneOfThem) {
  std::mt19937 random(3);
  std::vector<std::string> values;
  for (int i = 0; i < 1500; ++i) {
    values.push_back(std::string(random() % 12'000, static_cast<char>('a' + i % 26)));
    put("row" + std::to_string(i), values.back());
  }
  const auto crashed = open(crash(read_file(log_in(directory_ / "data"))));
  ASSERT_TRUE(crashed);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(value_in(*crashed, "row" + std::to_string(i)), values[i]) << i;
  }
}

TEST_F(LogRoomTest, AStartNeedsAsMuchOfTheDiskAsThereAreRecords) {
  const std::uint64_t end = put_many().back();
  const fs::path data = crash(read_file(log_in(directory_ / "data")));
  ASSERT_GT(fs::file_size(log_in(data)), end);
  write_file(data / "000099.sst", std::string(500'000, 'r'));
  EXPECT_TRUE(check_room(data, 4'000'000 + end));
  const Result<void> full = check_room(data, 4'000'000 + end - 1);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::out_of_space);
  EXPECT_EQ(full.error().message,
            "the disk of the data directory '" + data.string() + "' is full: 5 MB are needed to open it");
}

TEST_F(LogRoomTest, WithoutSyncsThereIsNoRoom) {
  store_.reset();
  RocksOptions options;
  options.directory = directory_ / "relaxed";
  options.durability = Durability::relaxed;
  auto opened = open_rocks_store(options, nullptr);
  ASSERT_TRUE(opened.has_value());
  store_ = std::move(*opened);
  for (int i = 0; i < 100; ++i) put("k", std::string(5'000, 'x'));
  const fs::path log = log_in(directory_ / "relaxed");
  const Result<std::uint64_t> end = find_log_end(log);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(fs::file_size(log), *end);
}

}  // namespace
}  // namespace stator::store
