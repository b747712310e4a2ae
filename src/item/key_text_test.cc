#include "item/key_text.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::item {
namespace {

// The figures are those of Python: int.from_bytes(hashlib.md5(b"o-9001").digest(), "big") % 10.
TEST(ShardOf, IsTheMd5OfTheTextModuloTheCount) {
  EXPECT_EQ(shard_of("o-9001", 1), 0);
  EXPECT_EQ(shard_of("o-9001", 10), 3);
  EXPECT_EQ(shard_of("", 7), 1);
  EXPECT_EQ(shard_of("a", 10'000), 6497);
}

struct PaddedCase {
  const char* value;
  int width;
  int decimals;
  const char* expected;  // null: an error
};

TEST(PaddedNumber, FillsUpAndNeverCuts) {
  constexpr PaddedCase kCases[] = {{"7", 3, 0, "007"},     {"4.5", 5, 2, "04.50"},
                                   {"-7", 3, 0, "-07"},    {"7.0", 3, 0, "007"},
                                   {"999", 3, 0, "999"},   {"1000", 3, 0, nullptr},
                                   {"7.5", 3, 0, nullptr}, {"seven", 3, 0, nullptr},
                                   {"", 3, 0, nullptr},    {"1e3", 5, 0, nullptr}};
  for (const PaddedCase& one : kCases) {
    const Result<std::string> text = padded_number(one.value, one.width, one.decimals);
    EXPECT_EQ(text.has_value(), one.expected != nullptr) << one.value;
    if (!text || one.expected == nullptr) continue;
    EXPECT_EQ(*text, one.expected);
  }
}

TEST(CutTime, EndsAtTheUnit) {
  constexpr std::string_view kTime = "2026-06-01T12:34:56Z";
  EXPECT_EQ(*cut_time(kTime, TimeUnit::year), "2026");
  EXPECT_EQ(*cut_time(kTime, TimeUnit::day), "2026-06-01");
  EXPECT_EQ(*cut_time(kTime, TimeUnit::second), "2026-06-01T12:34:56");
  EXPECT_EQ(*cut_time("2026-06-01", TimeUnit::day), "2026-06-01");
  EXPECT_FALSE(cut_time("2026-06-01", TimeUnit::hour));
  EXPECT_FALSE(cut_time("01.06.2026 12", TimeUnit::day));
}

}  // namespace
}  // namespace stator::item
