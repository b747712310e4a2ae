// Damaged, missing and full disks: a clear error, or everything that was acknowledged. Never
// something in between.

#include <fmt/format.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "backends.h"
#include "store/rocksdb/log_end.h"

namespace stator::store {
namespace {

namespace fs = std::filesystem;

class Damage : public testing::Test {
 protected:
  Result<std::unique_ptr<Store>> open(const fs::path& directory) const {
    RocksOptions options;
    options.directory = directory;
    options.cache_bytes = 8 << 20;
    return open_rocksdb(options);
  }

  // A directory as a killed process leaves it, with `rows` rows in the log and nothing else.
  void make_crashed(int rows, std::size_t value_bytes = 1000) {
    auto store = open(original_);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const std::string value(value_bytes, 'v');
    for (int i = 0; i < rows; ++i) ASSERT_OK(put(**store, fmt::format("k{:04}", i), value));
    fs::copy(original_, data_, fs::copy_options::recursive);
    ASSERT_OK((*store)->close());
    // Without the room behind its records, so that places in the log can be counted from its end.
    const fs::path log = largest(".log");
    const Result<std::uint64_t> end = find_log_end(log);
    ASSERT_TRUE(end.has_value()) << end.error().message;
    fs::resize_file(log, *end);
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
};

TEST_F(Damage, ATornEndOfTheLogLosesOnlyWhatWasTorn) {
  make_crashed(100);
  const fs::path log = largest(".log");
  for (const int cut : {1, 500, 3}) {
    fs::resize_file(log, fs::file_size(log) - static_cast<std::uintmax_t>(cut));
  }
  auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), 99u);
  ASSERT_OK(put(**store, "k", "v"));
  ASSERT_OK((*store)->close());
}

TEST_F(Damage, ADamagedLogIsRefusedEachTime) {
  make_crashed(100);
  const fs::path log = largest(".log");
  flip_byte(log, fs::file_size(log) / 2);
  expect_damaged();
  expect_damaged();
  flip_byte(log, fs::file_size(log) / 2);
  auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), 100u) << "the failed attempts have changed something";
}

TEST_F(Damage, ADamagedRowIsAnErrorForItsReadersOnly) {
  make_closed(500);
  const fs::path table = largest(".sst");
  flip_byte(table, 100);
  auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  const auto row = base::sync_wait((*store)->get("k0000", ReadMode::committed));
  EXPECT_ERROR(row, ErrorCode::corruption);
  Collector collector;
  EXPECT_ERROR(base::sync_wait((*store)->scan({}, Direction::ascending, collector)),
               ErrorCode::corruption);
  EXPECT_TRUE(get(**store, "k0499").exists);
}

TEST_F(Damage, ACutTableFileIsRefused) {
  make_closed(500);
  const fs::path table = largest(".sst");
  fs::resize_file(table, fs::file_size(table) / 2);
  expect_damaged();
}

TEST_F(Damage, AMissingTableFileIsRefused) {
  make_closed(500);
  fs::remove(largest(".sst"));
  expect_damaged();
}

TEST_F(Damage, ADamagedManifestIsRefused) {
  make_closed(10);
  const fs::path manifest = largest("MANIFEST");
  flip_byte(manifest, 20);
  expect_damaged();
}

// RocksDB would take most of these for a torn end, open an older state and delete the newer files.
TEST_F(Damage, AManifestCutAnywhereIsRefusedAndNothingIsDeleted) {
  for (const bool closed : {true, false}) {
    fs::remove_all(data_);
    fs::remove_all(original_);
    closed ? make_closed(100) : make_crashed(100);
    const fs::path manifest = largest("MANIFEST");
    const fs::path whole = temporary_.path() / "whole";
    fs::copy_file(manifest, whole, fs::copy_options::overwrite_existing);
    const auto files = names();
    for (std::uintmax_t bytes = 0; bytes < fs::file_size(whole); bytes += 7) {
      fs::resize_file(manifest, bytes);
      expect_damaged();
      ASSERT_EQ(names(), files);
      ASSERT_EQ(fs::file_size(manifest), bytes);
      fs::copy_file(whole, manifest, fs::copy_options::overwrite_existing);
    }
    auto store = open(data_);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    EXPECT_EQ(scan(**store, {}).size(), 100u);
    ASSERT_OK((*store)->close());
  }
}

TEST_F(Damage, AnyDamagedByteOfTheManifestOrOfStateIsRefused) {
  make_closed(100);
  for (const char* name : {"MANIFEST", "CURRENT", "STATE"}) {
    const fs::path file = largest(name);
    for (std::uintmax_t at = 0; at < fs::file_size(file); ++at) {
      flip_byte(file, at);
      expect_damaged();
      flip_byte(file, at);
    }
  }
  auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), 100u);
}

TEST_F(Damage, ATornRecordBehindTheKnownPartOfTheManifestIsDropped) {
  make_crashed(100);
  // The head of a record of 256 bytes, and the first of them.
  std::ofstream(largest("MANIFEST"), std::ios::binary | std::ios::app)
      << std::string("\x12\x34\x56\x78\x00\x01\x01", 7) << "the rest was not written";
  auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), 100u);
  ASSERT_OK((*store)->close());
}

TEST_F(Damage, ADirectoryFromBeforeThereWasAStateFileGetsOne) {
  make_closed(10);
  fs::remove(data_ / "STATE");
  auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), 10u);
  ASSERT_OK((*store)->close());
  EXPECT_TRUE(fs::exists(data_ / "STATE"));
  fs::resize_file(largest("MANIFEST"), 60);
  expect_damaged();
}

TEST_F(Damage, AMissingCurrentFileIsRefused) {
  make_closed(10);
  fs::remove(data_ / "CURRENT");
  expect_damaged();
  EXPECT_TRUE(fs::exists(largest(".sst")));
}

TEST_F(Damage, TheSameProcessCannotOpenADirectoryTwice) {
  auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  const auto second = open(data_);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().message,
            fmt::format("the data directory '{}' is in use by another process", data_.string()));
}

TEST_F(Damage, AMissingParentIsRefused) {
  const auto store = open(temporary_.path() / "absent" / "data");
  ASSERT_FALSE(store.has_value());
  EXPECT_NE(store.error().message.find("cannot be created: No such file or directory"),
            std::string::npos)
      << store.error().message;
}

// A file system of its own, so that a test can fill it or make it read-only.
class Mount {
 public:
  explicit Mount(fs::path at) : at_(std::move(at)) {
    fs::create_directories(at_);
    mounted_ = ::mount("tmpfs", at_.c_str(), "tmpfs", 0, "size=40m") == 0;
  }
  ~Mount() {
    if (mounted_) ::umount2(at_.c_str(), MNT_DETACH);
  }
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;
  [[nodiscard]] bool mounted() const { return mounted_; }
  [[nodiscard]] bool make_read_only() const {
    return ::mount("tmpfs", at_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=40m") == 0;
  }

 private:
  fs::path at_;
  bool mounted_ = false;
};

TEST_F(Damage, AReadOnlyDiskIsRefused) {
  const fs::path at = temporary_.path() / "mount";
  const Mount mount(at);
  if (!mount.mounted()) GTEST_SKIP() << "mounting a tmpfs needs root: " << std::strerror(errno);
  auto store = open(at / "data");
  ASSERT_TRUE(store.has_value()) << store.error().message;
  ASSERT_OK((*store)->close());
  store->reset();
  ASSERT_TRUE(mount.make_read_only());
  for (const char* name : {"data", "new"}) {
    const auto again = open(at / name);
    ASSERT_FALSE(again.has_value());
    EXPECT_EQ(again.error().code, ErrorCode::out_of_space);
    EXPECT_NE(again.error().message.find("Read-only file system"), std::string::npos)
        << again.error().message;
  }
}

TEST_F(Damage, ADirectoryWithoutPermissionIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directory(data_);
  fs::permissions(data_, fs::perms::owner_read | fs::perms::owner_exec);
  const auto store = open(data_);
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code, ErrorCode::out_of_space);
}

TEST_F(Damage, AFullDiskLosesNothingAndWorksAgainWhenThereIsRoom) {
  const fs::path at = temporary_.path() / "mount";
  const Mount mount(at);
  if (!mount.mounted()) GTEST_SKIP() << "mounting a tmpfs needs root: " << std::strerror(errno);
  // Something that can be removed later.
  std::ofstream(at / "ballast") << std::string(28 << 20, 'x');
  auto opened = open(at / "data");
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  std::unique_ptr<Store> store = std::move(*opened);

  std::string value(16 << 10, '\0');
  std::vector<std::string> acknowledged;
  Result<void> done;
  for (int i = 0; done && i < 10000; ++i) {
    for (std::size_t at_byte = 0; at_byte < value.size(); ++at_byte) {
      value[at_byte] =
          static_cast<char>((at_byte * 2654435761u + static_cast<unsigned>(i) * 40503u) >> 8);
    }
    std::string key = fmt::format("k{:05}", i);
    done = put(*store, key, value);
    if (done) acknowledged.push_back(std::move(key));
  }
  EXPECT_ERROR(done, ErrorCode::out_of_space);
  ASSERT_GT(acknowledged.size(), 100u);
  for (const std::string& key : acknowledged) ASSERT_TRUE(get(*store, key).exists) << key;

  fs::remove(at / "ballast");
  do {
    done = put(*store, "after", "there is room again");
  } while (!done && done.error().code == ErrorCode::out_of_space);
  ASSERT_OK(done);
  acknowledged.push_back("after");
  ASSERT_OK(store->close());
  opened = open(at / "data");
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  store = std::move(*opened);
  for (const std::string& key : acknowledged) ASSERT_TRUE(get(*store, key).exists) << key;
  ASSERT_OK(store->close());
}

TEST_F(Damage, AStartOnAFullDiskIsRefusedUntilThereIsRoom) {
  const fs::path at = temporary_.path() / "mount";
  const Mount mount(at);
  if (!mount.mounted()) GTEST_SKIP() << "mounting a tmpfs needs root: " << std::strerror(errno);
  make_crashed(100, 52'000);
  fs::copy(data_, at / "data", fs::copy_options::recursive);
  const auto taken = (40 << 20) - fs::space(at).available;
  std::ofstream(at / "ballast") << std::string((38 << 20) - taken, 'x');
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto refused = open(at / "data");
    EXPECT_ERROR(refused, ErrorCode::out_of_space);
    EXPECT_EQ(
        refused.error().message,
        fmt::format("the disk of the data directory '{}' is full: 10 MB are needed to open it",
                    (at / "data").string()));
  }
  fs::remove(at / "ballast");
  auto store = open(at / "data");
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), 100u);
  ASSERT_OK((*store)->close());
}

TEST_F(Damage, AFullDiskIsReadableAfterAReopen) {
  const fs::path at = temporary_.path() / "mount";
  const Mount mount(at);
  if (!mount.mounted()) GTEST_SKIP() << "mounting a tmpfs needs root: " << std::strerror(errno);
  std::ofstream(at / "ballast") << std::string(28 << 20, 'x');
  std::vector<std::string> acknowledged;
  {
    auto store = open(at / "data");
    ASSERT_TRUE(store.has_value()) << store.error().message;
    const std::string value(16 << 10, 'v');
    Result<void> done;
    for (int i = 0; done && i < 10000; ++i) {
      std::string key = fmt::format("k{:05}", i);
      done = put(**store, key, value);
      if (done) acknowledged.push_back(std::move(key));
    }
    EXPECT_ERROR(done, ErrorCode::out_of_space);
  }  // destroyed, not closed: whatever the flush of a close could do fails
  fs::remove(at / "ballast");
  auto store = open(at / "data");
  ASSERT_TRUE(store.has_value()) << store.error().message;
  for (const std::string& key : acknowledged) ASSERT_TRUE(get(**store, key).exists) << key;
  ASSERT_OK((*store)->close());
}

}  // namespace
}  // namespace stator::store
