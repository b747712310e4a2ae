// Keys and compressed attributes, without a database.
#include <gtest/gtest.h>

#include "model/test_model.h"

namespace stator::model {
namespace {

template <FixedText Text>
constexpr TemplateProblem kProblem = kParsed<Text>.problem;

// What the compiler finds wrong; Key<> turns each into a message.
static_assert(kProblem<"CUST#{customerId}"> == TemplateProblem::none);
static_assert(kProblem<"{{text}}"> == TemplateProblem::none);
static_assert(kProblem<"a{b"> == TemplateProblem::brace);
static_assert(kProblem<"a}b"> == TemplateProblem::brace);
static_assert(kProblem<"{}"> == TemplateProblem::name);
static_assert(kProblem<"{a:week}"> == TemplateProblem::format);
static_assert(kProblem<"{a:00}"> == TemplateProblem::format);
static_assert(kProblem<"{a:04.3}"> == TemplateProblem::format);
static_assert(kProblem<"{a:06.3}"> == TemplateProblem::none);
static_assert(kProblem<"{shard(a, 0)}"> == TemplateProblem::shard);
static_assert(kProblem<"{shard(a)}"> == TemplateProblem::shard);
static_assert(kProblem<"{shard(a, 2)}{shard(b, 2)}"> == TemplateProblem::second_shard);
static_assert(kParsed<"OPEN#{shard(orderId, 10)}">.shard_count() == 10);
static_assert(kParsed<"OPEN#{shard(orderId, 10)}">.uses("orderId"));

TEST(KeyTemplate, IsTakenApartAgain) {
  constexpr auto kParts = kParsed<"ORDER#{orderDate}#{line:03}{state}">.view();
  const std::string_view key = "ORDER#2026-06-01#007OPEN";
  EXPECT_EQ(detail::part_of_key(key, kParts, 1), "2026-06-01");
  EXPECT_EQ(detail::part_of_key(key, kParts, 3), "007");
  EXPECT_EQ(detail::part_of_key(key, kParts, 4), "OPEN");
  EXPECT_FALSE(detail::matches("ORDER#2026-06-01#007", kParts)) << "a part is missing";
  EXPECT_FALSE(detail::matches("ITEM#2026-06-01#007OPEN", kParts));
  EXPECT_FALSE(detail::matches("PROFILE#x", kParsed<"PROFILE">.view()));
}

TEST(KeyTemplate, DoubledBracesAreText) {
  constexpr auto kParts = kParsed<"{{{a}}}">.view();
  EXPECT_EQ(detail::part_of_key("{x}", kParts, 1), "x");
}

TEST(Compressed, KeepsWhatItIsGiven) {
  const std::string large(5000, 'a');
  const AttributeValue packed = compressed(large);
  ASSERT_TRUE(packed.is(AttributeType::binary));
  EXPECT_EQ(decompressed(packed, true), AttributeValue(large));
  EXPECT_EQ(compressed(std::string("short")), AttributeValue("short"));
  // Bytes that begin like gzip are packed whatever their size, so that they are not unpacked
  // wrongly.
  const AttributeValue disguised{Binary("\x1f\x8b is not gzip")};
  EXPECT_NE(compressed(disguised), disguised);
  EXPECT_EQ(decompressed(compressed(disguised), false), disguised);
}

TEST(Compressed, DamagedBytesAreNothing) {
  std::string bytes = compressed(std::string(5000, 'a')).as_binary().bytes;
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_EQ(decompressed(AttributeValue(Binary(bytes)), true), std::nullopt);
  EXPECT_EQ(decompressed(AttributeValue(Binary("")), true), std::nullopt);
  bytes = compressed(std::string(5000, 'a')).as_binary().bytes;
  bytes.back() = '\x7f';  // claims to be 2 GB
  EXPECT_EQ(decompressed(AttributeValue(Binary(bytes)), true), std::nullopt);
}

}  // namespace
}  // namespace stator::model
