#include "partiql/next_token.h"

#include <gtest/gtest.h>

namespace stator::partiql {
namespace {

TEST(NextToken, ComesBackAsItWent) {
  base::Arena arena;
  const std::string token = encode_next_token({3, R"({"pk":{"S":"a"}})"}, 42);
  const Result<NextPage> page = decode_next_token(token, 42, arena);
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->part, 3U);
  EXPECT_EQ(page->last_key_text, R"({"pk":{"S":"a"}})");
}

TEST(NextToken, OfAnotherStatementIsRefused) {
  base::Arena arena;
  const item::Value one = item::Value::number("1");
  const item::Value two = item::Value::number("2");
  const std::uint64_t hash = statement_hash("SELECT * FROM t WHERE a = ?", {&one, 1});
  const std::uint64_t other = statement_hash("SELECT * FROM t WHERE a = ?", {&two, 1});
  const std::string token = encode_next_token({0, "{}"}, hash);
  EXPECT_TRUE(decode_next_token(token, hash, arena).has_value());
  EXPECT_EQ(decode_next_token(token, other, arena).error().message, "NextToken does not match request");
}

TEST(NextToken, OfAnyOtherTextIsInvalid) {
  base::Arena arena;
  std::string token = encode_next_token({0, R"({"pk":{"S":"a"}})"}, 7);
  token[30] = token[30] == 'A' ? 'B' : 'A';
  for (const std::string& text : {std::string("x"), std::string("AAAA"), std::string(), token}) {
    EXPECT_EQ(decode_next_token(text, 7, arena).error().message, "Invalid NextToken") << text;
  }
}

}  // namespace
}  // namespace stator::partiql
