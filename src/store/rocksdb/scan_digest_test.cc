// What a visitor makes of a range's rows comes back as long as none of them has changed.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "base/sync_wait.h"
#include "store/rocksdb/open_internal.h"
#include "store/rocksdb/rocks_store.h"

namespace stator::store {
namespace {

// Joins the values of rows.
class Joined final : public RowVisitor {
 public:
  explicit Joined(std::uint8_t kind, bool takes_digests = true) : kind_(kind), takes_digests_(takes_digests) {}
  Visit row(std::string_view /*key*/, std::string_view value) override {
    text += value;
    return text.size() < 1000 ? Visit::next : Visit::stop;
  }
  std::uint8_t digest_kind() const noexcept override { return kind_; }
  std::string_view make_digest(std::size_t bytes_max) const override {
    return text.size() <= bytes_max ? std::string_view(text) : std::string_view();
  }
  bool take_digest(std::string_view digest) override {
    if (!takes_digests_) return false;
    taken = true;
    text = digest;
    return true;
  }
  std::string text;
  bool taken = false;

 private:
  const std::uint8_t kind_;
  const bool takes_digests_;
};

class ScanDigest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "stator-digest-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    RocksOptions options;
    options.directory = directory_ / "data";
    options.cache_bytes = 32 << 20;
    Result<std::unique_ptr<RocksStore>> opened = open_rocks_store(options, nullptr);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    store_ = std::move(*opened);
    put("collect-1/a", "A");
    put("collect-1/b", "B");
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(directory_);
  }
  void put(std::string_view key, std::string_view value) {
    Batch batch;
    batch.puts.push_back({key, value});
    ASSERT_TRUE(base::sync_wait(store_->commit(batch)));
  }
  Joined scan(std::uint8_t kind, Direction direction = Direction::ascending, bool takes_digests = true) {
    Joined visitor(kind, takes_digests);
    const auto done = base::sync_wait(store_->scan({"collect-1/", "collect-1/z"}, direction, visitor));
    EXPECT_TRUE(done.has_value()) << done.error().message;
    return visitor;
  }
  void scan_twice(std::uint8_t kind) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(scan(kind).text, "AB");
  }

  std::filesystem::path directory_;
  std::unique_ptr<RocksStore> store_;
};

TEST_F(ScanDigest, ComesBackToVisitorsOfItsKind) {
  scan_twice(1);
  const Joined again = scan(1);
  EXPECT_TRUE(again.taken);
  EXPECT_EQ(again.text, "AB");
  EXPECT_FALSE(scan(2).taken);
  EXPECT_FALSE(scan(0).taken);
  const Joined backwards = scan(1, Direction::descending);
  EXPECT_FALSE(backwards.taken);
  EXPECT_EQ(backwards.text, "BA");
}

TEST_F(ScanDigest, IsGoneWhenARowHasChanged) {
  scan_twice(1);
  put("collect-1/b", "C");
  const Joined changed = scan(1);
  EXPECT_FALSE(changed.taken);
  EXPECT_EQ(changed.text, "AC");
  put("collect-1/c", "D");
  EXPECT_EQ(scan(1).text, "ACD");
  EXPECT_EQ(scan(1).text, "ACD");
  EXPECT_TRUE(scan(1).taken);
  ASSERT_TRUE(base::sync_wait(store_->erase_range({"collect-1/a", "collect-1/b"})));
  EXPECT_EQ(scan(1).text, "CD");
}

TEST_F(ScanDigest, GivesWayToRowsWhereTheVisitorWantsThem) {
  scan_twice(1);
  const Joined rows = scan(1, Direction::ascending, false);
  EXPECT_FALSE(rows.taken);
  EXPECT_EQ(rows.text, "AB");
}

TEST_F(ScanDigest, IsNotMadeOfAPartOfTheRange) {
  put("collect-1/c", std::string(1000, 'x'));
  put("collect-1/d", "D");
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(scan(1).taken);
}

}  // namespace
}  // namespace stator::store
