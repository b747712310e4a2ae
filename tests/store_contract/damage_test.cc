// Damaged and missing files: a clear error, or everything that was acknowledged. Never something in
// between.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "damage.h"

namespace stator::store {
namespace {

TEST_F(Damage, ATornEndOfTheLogLosesOnlyWhatWasTorn) {
  make_crashed(100);
  forget_last_acknowledgement();
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

}  // namespace
}  // namespace stator::store
