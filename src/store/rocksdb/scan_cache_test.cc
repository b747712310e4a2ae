#include "store/rocksdb/scan_cache.h"

#include <gtest/gtest.h>

#include <vector>

namespace stator::store {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

class ScanCacheTest : public ::testing::Test {
 protected:
  static constexpr const char* kFrom = "collect-1/a";
  static constexpr const char* kTo = "collect-1/z";

  // As a scan does that finds nothing: true if its rows were kept.
  bool keep(const Rows& rows, bool complete = true) {
    const ScanCache::Place place = cache_.place({kFrom, kTo}, Direction::ascending);
    if (!place.cacheable() || !cache_.wanted(place)) return false;
    ScanPieceBuilder builder;
    for (const auto& [key, value] : rows) builder.add(key, value);
    const auto piece = builder.finish(complete);
    if (piece) cache_.insert(place, *piece);
    return piece.has_value();
  }
  void keep_at_last(const Rows& rows, bool complete = true) {
    keep(rows, complete);
    ASSERT_TRUE(keep(rows, complete));
  }
  std::optional<Rows> find(Direction direction = Direction::ascending, std::string_view to = kTo) {
    const ScanCache::Place place = cache_.place({kFrom, to}, direction);
    Bytes bytes;
    if (!place.cacheable() || !cache_.find(place, bytes)) return std::nullopt;
    ScanPiece piece(bytes.view());
    Rows rows;
    std::string_view key;
    std::string_view value;
    while (piece.next(key, value)) rows.emplace_back(key, value);
    return rows;
  }
  void write(std::string_view key, bool successfully = true) {
    cache_.will_write(key);
    cache_.written(successfully);
  }

  ScanCache cache_{std::size_t{4} << 20};
  const Rows rows_{{"collect-1/a", "1"}, {"collect-1/b", ""}};
};

TEST_F(ScanCacheTest, KeepsWhatIsAskedForTwice) {
  EXPECT_FALSE(keep(rows_));
  EXPECT_EQ(find(), std::nullopt);
  EXPECT_TRUE(keep(rows_));
  EXPECT_EQ(find(), rows_);
  EXPECT_EQ(find(Direction::descending), std::nullopt);
  EXPECT_EQ(find(Direction::ascending, "collect-1/y"), std::nullopt);
}

TEST_F(ScanCacheTest, AWriteToTheCollectionMakesItAMiss) {
  keep_at_last(rows_);
  write("collect-2/a");
  EXPECT_EQ(find(), rows_);
  cache_.will_write("collect-1/elsewhere");
  EXPECT_EQ(find(), std::nullopt);
}

TEST_F(ScanCacheTest, NothingIsKeptWhileAWriteIsUnderWay) {
  keep(rows_);
  cache_.will_write("collect-1/c");
  EXPECT_FALSE(keep(rows_));
  cache_.written(true);
  EXPECT_TRUE(keep(rows_));
}

TEST_F(ScanCacheTest, AWriteDuringTheScanKeepsItOut) {
  keep(rows_);
  const ScanCache::Place place = cache_.place({kFrom, kTo}, Direction::ascending);
  ASSERT_TRUE(cache_.wanted(place));
  ScanPieceBuilder builder;
  write("collect-1/c");
  EXPECT_FALSE(cache_.is_current(place));
  cache_.insert(place, *builder.finish(true));
  EXPECT_EQ(find(), std::nullopt);
}

TEST_F(ScanCacheTest, AnErasedRangeMayBeAnywhere) {
  keep_at_last(rows_);
  cache_.will_erase_range();
  cache_.written(true);
  EXPECT_EQ(find(), std::nullopt);
}

TEST_F(ScanCacheTest, AFailureStopsItUntilRecovery) {
  keep_at_last(rows_);
  write("collect-2/a", false);
  EXPECT_EQ(find(), std::nullopt);
  EXPECT_FALSE(keep(rows_));
  cache_.recovered();
  EXPECT_EQ(find(), std::nullopt);
  keep_at_last(rows_);
  EXPECT_EQ(find(), rows_);
}

TEST_F(ScanCacheTest, RangesOverSeveralCollectionsAreNotKept) {
  EXPECT_FALSE(cache_.place({"collect-1/a", "collect-2/a"}, Direction::ascending).cacheable());
  EXPECT_FALSE(cache_.place({"collect-1/a", ""}, Direction::ascending).cacheable());
  EXPECT_FALSE(cache_.place({"c", "d"}, Direction::ascending).cacheable());
}

TEST_F(ScanCacheTest, LargePiecesAreNotKept) {
  const Rows large{{"collect-1/a", std::string(ScanCache::kPieceBytesMax, 'x')}};
  keep(large);
  EXPECT_FALSE(keep(large));
}

}  // namespace
}  // namespace stator::store
