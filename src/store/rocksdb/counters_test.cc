#include "store/rocksdb/counters.h"

#include <gtest/gtest.h>

#include <array>

namespace stator::store {
namespace {

using Sums = std::vector<std::int64_t>;

TEST(Counters, EncodedRowsComeBack) {
  const Sums sums = {0, 1, -1, INT64_MAX, INT64_MIN};
  EXPECT_EQ(decode_counters(encode_counters(sums), 5), sums);
  EXPECT_EQ(decode_counters(encode_counters(sums), 2), (Sums{0, 1}));
  EXPECT_EQ(decode_counters("", 2), (Sums{0, 0}));
}

TEST(Counters, StoredFormIsLittleEndian) {
  EXPECT_EQ(encode_counters(Sums{258}), std::string("\2\1\0\0\0\0\0\0", 8));
}

TEST(Counters, ARowOfAnotherLengthIsCorruption) {
  const auto sums = decode_counters("1234567", 1);
  ASSERT_FALSE(sums.has_value());
  EXPECT_EQ(sums.error().code, ErrorCode::corruption);
}

TEST(Counters, DeltasAreSummedByKey) {
  const std::array<std::int64_t, 1> one = {1};
  const std::array<std::int64_t, 2> two = {2, 5};
  DeltaSums sums;
  sums.add({"a", two});
  sums.add({"a", one});
  sums.add({"b", one});
  EXPECT_EQ(sums.sums().at("a"), (Sums{3, 5}));
  EXPECT_EQ(sums.sums().at("b"), (Sums{1}));
  sums.clear();
  EXPECT_TRUE(sums.sums().empty());
}

}  // namespace
}  // namespace stator::store
