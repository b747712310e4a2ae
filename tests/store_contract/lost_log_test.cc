// Logs that have lost what was acknowledged: refused, with the name of the file and what is missing, and opened without it only
// for somebody who says so.

#include <fmt/format.h>

#include "damage.h"
#include "store/rocksdb/ends_file.h"

namespace stator::store {
namespace {

constexpr int kRows = 60;

class LostLog : public Damage, public testing::WithParamInterface<Durability> {
 protected:
  void SetUp() override {
    durability_ = GetParam();
    make_crashed(kRows);
    log_ = largest(".log");
    name_ = log_.filename();
    bytes_ = fs::file_size(log_);
    fs::copy(data_, whole_, fs::copy_options::recursive);
  }
  void restore() const {
    fs::remove_all(data_);
    fs::copy(whole_, data_, fs::copy_options::recursive);
  }
  // Gives the text, after looking for what all have in common.
  [[nodiscard]] std::string refusal() const {
    const std::vector<std::string> before = names();
    const auto refused = open(data_);
    EXPECT_FALSE(refused.has_value());
    if (refused) return {};
    EXPECT_EQ(refused.error().code, ErrorCode::corruption);
    EXPECT_EQ(names(), before);
    const std::string& text = refused.error().message;
    EXPECT_NE(text.find(fmt::format("stator serve --data {} --accept-loss", data_.string())), std::string::npos) << text;
    EXPECT_NE(text.find(name_), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("; nothing was changed")) << text;
    return text;
  }
  // How many rows are left for somebody who accepts the loss, and that it is told and over then.
  [[nodiscard]] std::size_t rows_after_acceptance() {
    RocksOptions options;
    options.directory = data_;
    options.durability = durability_;
    options.cache_bytes = 8 << 20;
    std::string told;
    options.accept_loss = [&](const std::string& lost) { told = lost; };
    auto store = open_rocksdb(options);
    EXPECT_TRUE(store.has_value()) << store.error().message;
    if (!store) return 0;
    EXPECT_NE(told.find(name_), std::string::npos) << told;
    EXPECT_OK(put(**store, "after", "v"));
    const std::size_t rows = scan(**store, {}).size() - 1;
    store->reset();
    const auto again = open(data_);
    EXPECT_TRUE(again.has_value()) << again.error().message;
    if (again) {
      EXPECT_EQ(scan(**again, {}).size(), rows + 1);
    }
    return rows;
  }

  fs::path log_;
  std::string name_;
  std::uintmax_t bytes_ = 0;
  const fs::path whole_ = temporary_.path() / "whole";
};
INSTANTIATE_TEST_SUITE_P(Durabilities, LostLog, testing::Values(Durability::full, Durability::relaxed), [](const auto& tested) {
  return std::string(tested.param == Durability::full ? "full" : "relaxed");
});

TEST_P(LostLog, ARemovedOneIsRefused) {
  fs::remove(log_);
  const std::string text = refusal();
  EXPECT_NE(text.find(fmt::format("{} is gone: {} commits and {} bytes, acknowledged up to 2", name_, kRows, bytes_)), std::string::npos)
      << text;
  EXPECT_EQ(rows_after_acceptance(), 0u);
}

TEST_P(LostLog, AnEmptiedOneIsRefused) {
  fs::resize_file(log_, 0);
  const std::string text = refusal();
  EXPECT_NE(text.find(fmt::format("{} is cut or damaged at byte 0: {} commits", name_, kRows)), std::string::npos) << text;
  EXPECT_EQ(rows_after_acceptance(), 0u);
}

TEST_P(LostLog, ACutOneIsRefusedWhereverItIsCut) {
  for (std::uintmax_t bytes = bytes_ - 1; bytes > 0; bytes -= std::min<std::uintmax_t>(bytes, bytes > bytes_ - 40 ? 1 : 997)) {
    fs::resize_file(log_, bytes);
    const std::string text = refusal();
    ASSERT_NE(text.find("is cut or damaged at byte "), std::string::npos) << text;
  }
  restore();
  EXPECT_TRUE(open(data_).has_value());
}

TEST_P(LostLog, WhatIsLeftOfACutOneIsReadForWhoAcceptsTheLoss) {
  fs::resize_file(log_, bytes_ - 2 * (bytes_ / kRows) - 10);
  const std::string text = refusal();
  EXPECT_NE(text.find(fmt::format("at least 3 of {} commits", kRows)), std::string::npos) << text;
  EXPECT_EQ(rows_after_acceptance(), kRows - 3u);
}

TEST_P(LostLog, AnEndOfZerosIsRefused) {
  for (const std::uintmax_t zeros : {1u, 100u, 1'000u, 40'000u}) {
    restore();
    fs::resize_file(log_, bytes_ - zeros);
    fs::resize_file(log_, bytes_ + 100'000);
    static_cast<void>(refusal());
  }
}

TEST_P(LostLog, ADamagedByteOfTheLastGroupIsRefused) {
  flip_byte(log_, bytes_ - 1);
  static_cast<void>(refusal());
  EXPECT_EQ(rows_after_acceptance(), kRows - 1u);
}

TEST_P(LostLog, DamageInTheMiddleIsRefusedAndCanBeAccepted) {
  flip_byte(log_, bytes_ / 2);
  static_cast<void>(refusal());
  const std::size_t rows = rows_after_acceptance();
  EXPECT_GT(rows, kRows / 3u);
  EXPECT_LT(rows, kRows * 2u / 3);
}

TEST_P(LostLog, WhatWasNotAcknowledgedMayBeMissing) {
  forget_last_acknowledgement();
  fs::resize_file(log_, bytes_ - 5);
  const auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), kRows - 1u);
}

// A power loss takes what was not synced, and may leave the record of it.
TEST_P(LostLog, AfterAPowerLossOnlyWhatWasSyncedIsAskedFor) {
  const auto ends = read_ends(data_);
  ASSERT_OK(ends);
  EndsFile file;
  ASSERT_OK(file.open(data_));
  for (std::size_t place = 0; place < ends->size(); ++place) {
    AcknowledgedEnd end = (*ends)[place];
    if (end.log == 0) continue;
    if (end.boot != 0) ++end.boot;  // as if the machine had been started since
    for (const bool copy : {false, true}) file.write(place, copy, end);
  }
  fs::resize_file(log_, bytes_ / 2);
  if (durability_ == Durability::full) {
    static_cast<void>(refusal());
    return;
  }
  const auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_LT(scan(**store, {}).size(), std::size_t{kRows});
}

// A program from before there was such a file opens the directory, and this one again.
TEST_P(LostLog, RecordsOfAnEarlierManifestAskForNothing) {
  fs::copy_file(data_ / "ENDS", temporary_.path() / "old", fs::copy_options::overwrite_existing);
  {
    auto store = open(data_);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    ASSERT_OK((*store)->close());
  }
  EXPECT_FALSE(fs::exists(log_));
  fs::copy_file(temporary_.path() / "old", data_ / "ENDS", fs::copy_options::overwrite_existing);
  const auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), std::size_t{kRows});
}

TEST_P(LostLog, ADirectoryFromBeforeThereWasSuchAFileGetsOne) {
  fs::remove(data_ / "ENDS");
  const auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), std::size_t{kRows});
  EXPECT_TRUE(fs::exists(data_ / "ENDS"));
}

TEST_P(LostLog, ADamagedCopyIsNoHarmAndTwoAreRefused) {
  const auto ends = read_ends(data_);
  ASSERT_OK(ends);
  std::size_t place = 0;
  while ((*ends)[place].log == 0) ++place;
  const std::uintmax_t at = 2 * kEndCopyBytes * (place + 1);
  flip_byte(data_ / "ENDS", at + 9);
  EXPECT_TRUE(open(data_).has_value());
  restore();
  flip_byte(data_ / "ENDS", at + 9);
  flip_byte(data_ / "ENDS", at + kEndCopyBytes + 9);
  expect_damaged();
  restore();
  fs::resize_file(data_ / "ENDS", 100);
  expect_damaged();
}

TEST_P(LostLog, AfterACleanCloseThereIsNothingToLose) {
  {
    auto store = open(data_);
    ASSERT_TRUE(store.has_value()) << store.error().message;
    ASSERT_OK((*store)->close());
  }
  for (const auto& entry : fs::directory_iterator(data_)) {
    if (entry.path().extension() == ".log") fs::remove(entry.path());
  }
  const auto store = open(data_);
  ASSERT_TRUE(store.has_value()) << store.error().message;
  EXPECT_EQ(scan(**store, {}).size(), std::size_t{kRows});
}

}  // namespace
}  // namespace stator::store
