#include "store/rados/format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace stator::store::rados {
namespace {

using namespace std::string_literals;

std::vector<std::string> some_keys() {
  std::vector<std::string> keys = {"a",   "a\0"s,  "a\0\0"s,    "a\xff"s,   "ab",
                                   "\0"s, "\xff"s, "\xff\xff"s, "b\0\xff"s, "b\xff\0"s};
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    std::string key(1 + random() % 4, '\0');
    for (char& byte : key) byte = "\x00\x01z\xfe\xff"[random() % 5];
    keys.push_back(std::move(key));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

TEST(RadosFormat, RowsSortLikeTheirKeysAndTwinsTheOtherWayRound) {
  const std::vector<std::string> keys = some_keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(key_of_row(row_key(keys[i])), keys[i]);
    EXPECT_EQ(key_of_twin(twin_key(keys[i])), keys[i]);
    if (i == 0) continue;
    EXPECT_LT(row_key(keys[i - 1]), row_key(keys[i]));
    EXPECT_GT(twin_key(keys[i - 1]), twin_key(keys[i]));
  }
}

TEST(RadosFormat, ARangeReadThatBeginsBeforeAKeyHasItAndNothingBelow) {
  const std::vector<std::string> keys = some_keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_GT(row_key(keys[i]), row_before(keys[i]));
    if (i > 0) { EXPECT_LE(row_key(keys[i - 1]), row_before(keys[i])); }
    EXPECT_GT(intent_key(keys[i]), intent_before(keys[i]));
    EXPECT_GT(sum_key(keys[i], 1), counters_from('c', keys[i]));
    if (i > 0) { EXPECT_LT(sum_key(keys[i - 1], UINT32_MAX), counters_from('c', keys[i])); }
  }
}

TEST(RadosFormat, CountersAreFoundInTheirKeys) {
  for (const std::string& key : some_keys()) {
    EXPECT_EQ(counter_of(sum_key(key, 77), 4), key);
    EXPECT_EQ(counter_of(part_key(key, 1ULL << 63), 8), key);
  }
}

// RADOS compares values by signed bytes, this program by unsigned ones: marks must give the same in
// both.
TEST(RadosFormat, MarksHaveNoByteThatIsNegative) {
  for (const Stamp stamp :
       {Stamp{0}, Stamp{127}, Stamp{128}, Stamp{255}, (Stamp{5} << 40) + 0x7f, kStampMask}) {
    for (const std::string& text : {row_mark(stamp), intent_mark(stamp), encode_ordered(stamp)}) {
      EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char byte) { return byte >= 0; }));
    }
    EXPECT_EQ(decode_ordered(encode_ordered(stamp)), stamp);
    if (stamp == kStampMask) continue;
    EXPECT_GT(encode_row({stamp, ""}), row_mark(stamp));
    EXPECT_LT(encode_row({stamp, "\xff\xff"}), row_mark(stamp + 1));
  }
}

TEST(RadosFormat, EntriesComeBack) {
  const std::string stored_row = encode_row({42, "\0v"s});
  const auto row = decode_row(stored_row);
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->version, 42u);
  EXPECT_EQ(row->value, "\0v"s);

  const std::string stored_intent = encode_intent({9, 8, Action::erase, "new"});
  const auto intent = decode_intent(stored_intent);
  ASSERT_TRUE(intent.has_value());
  EXPECT_EQ(intent->transaction, 9u);
  EXPECT_EQ(intent->home, 8u);
  EXPECT_EQ(intent->action, Action::erase);
  EXPECT_EQ(intent->value, "new");

  const Header header{3, 4, "from", "to", Split{"middle", 5}};
  const auto read = decode_header(encode_header(header));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->epoch, 3u);
  EXPECT_EQ(read->right, 4u);
  ASSERT_TRUE(read->split.has_value());
  EXPECT_EQ(read->split->at, "middle");
  EXPECT_TRUE(read->covers("n"));
  EXPECT_FALSE(read->covers("to"));
  EXPECT_TRUE(read->frozen("n"));
  EXPECT_FALSE(read->frozen("g"));

  const std::vector<std::string> keys = {"a", "", "\0"s};
  EXPECT_EQ(decode_keys(encode_keys(keys)).value(), keys);
  const std::vector<std::int64_t> sums = {1, -1, INT64_MIN};
  EXPECT_EQ(decode_sums(encode_sums(sums)), sums);
}

TEST(RadosFormat, DamageIsAnError) {
  for (const std::string& bytes : {""s, "\x01"s, "\x03xxxxxxxxxxxxx"s, "\x02short"s}) {
    EXPECT_FALSE(decode_row(bytes).has_value());
    EXPECT_FALSE(decode_intent(bytes).has_value());
  }
  EXPECT_FALSE(decode_header("short").has_value());
  EXPECT_FALSE(decode_keys("\x01\xff\xff\xff\xff"s).has_value());
}

}  // namespace
}  // namespace stator::store::rados
