#include "design/template.h"

#include "design/test_support.h"

namespace stator::design {
namespace {

TEST(Template, ReadsLiteralsFieldsAndFormats) {
  const Template key = template_of("ORDER#{orderDate:day}#{orderId}");
  ASSERT_EQ(key.parts().size(), 4U);
  EXPECT_EQ(key.literal_prefix(), "ORDER#");
  EXPECT_EQ(key.parts()[1].text, "orderDate");
  EXPECT_EQ(key.parts()[1].format.unit, TimeUnit::day);
  EXPECT_EQ(key.fields(), (std::vector<std::string>{"orderDate", "orderId"}));
  EXPECT_FALSE(key.is_constant());
  EXPECT_TRUE(template_of("PROFILE").is_constant());
}

TEST(Template, DoubledBracesAreText) {
  EXPECT_EQ(template_of("a{{b}}").evaluate({}).value(), "a{b}");
  EXPECT_TRUE(template_of("a{{b}}").is_constant());
}

TEST(Template, ReadsShards) {
  const Template calculated = template_of("OPEN#{shard(orderId, 10)}");
  ASSERT_NE(calculated.shard(), nullptr);
  EXPECT_EQ(calculated.shard()->shard_kind, ShardKind::calculated);
  EXPECT_EQ(calculated.shard()->shard_count, 10);
  EXPECT_EQ(calculated.fields(), std::vector<std::string>{"orderId"});
  EXPECT_EQ(template_of("{shard(random,3)}").shard()->shard_kind, ShardKind::random);
  EXPECT_EQ(template_of("{shard(*, 3)}").shard()->shard_kind, ShardKind::every);
  EXPECT_EQ(template_of("{shard}").shard(), nullptr);  // a field of that name
}

struct WrongTemplate {
  std::string_view text, message;
};

TEST(Template, SaysWhereItIsWrong) {
  constexpr WrongTemplate kCases[] = {
      {"ORDER#{orderId", "at character 15: expected \"}\""},
      {"{}", "at character 2: expected the name of a field after \"{\""},
      {"a}b", "at character 2: a lone \"}\"; write \"}}\" for a brace of the text"},
      {"{shard(orderId)}", "at character 15: expected \",\" and the number of shards, as in shard(orderId, 10)"},
      {"{shard(orderId, 0)}", "at character 18: expected a number of shards from 1 to 10000"},
      {"{shard(orderId, 10001)}", "at character 22: expected a number of shards from 1 to 10000"},
      {"{shard(a, 2)}{shard(b, 2)}", "at character 21: a second shard; a key has one at most"},
  };
  for (const WrongTemplate& one : kCases) {
    const auto parsed = Template::parse(one.text);
    ASSERT_FALSE(parsed) << one.text;
    EXPECT_EQ(parsed.error().message, one.message) << one.text;
  }
  for (const std::string_view format : {"{a:0}", "{a:65}", "{a:4.3}", "{a:days}", "{a:08x}", "{a:}"}) {
    EXPECT_FALSE(Template::parse(format)) << format;
  }
}

struct Formatted {
  std::string_view key, value, text;  // no text: refused
};

TEST(Template, FormatsValues) {
  constexpr Formatted kCases[] = {
      {"{v:03}", "7", "007"},
      {"{v:03}", "123", "123"},
      {"{v:03}", "1234", ""},
      {"{v:04}", "-7", "-007"},
      {"{v:05.2}", "4.8", "04.80"},
      {"{v:3.1}", "4.80", "4.8"},
      {"{v:3.1}", "4.85", ""},  // cutting would make two numbers one key
      {"{v:03}", "x", ""},
      {"{v:day}", "2026-06-01T12:00:00Z", "2026-06-01"},
      {"{v:month}", "2026-06-01", "2026-06"},
      {"{v:hour}", "2026-06-01", ""},
      {"{v:day}", "01.06.2026", ""},
      {"{v:upper}", "open", "OPEN"},
      {"{v:lower}", "Open", "open"},
      {"{v}", "any#thing", "any#thing"},
  };
  for (const Formatted& one : kCases) {
    const auto text = template_of(one.key).evaluate({{"v", std::string(one.value)}});
    EXPECT_EQ(text.has_value(), !one.text.empty()) << one.key << " " << one.value;
    EXPECT_EQ(text.value_or(""), one.text) << one.key << " " << one.value;
  }
}

TEST(Template, ShardIsMd5AsABigEndianNumber) {
  // int(hashlib.md5(b"o-9001").hexdigest(), 16) % n in Python
  EXPECT_EQ(shard_of("o-9001", 10), 3);
  EXPECT_EQ(shard_of("o-9001", 1), 0);
  EXPECT_EQ(shard_of("", 1000), 366);
  EXPECT_EQ(template_of("OPEN#{shard(orderId, 10)}").evaluate({{"orderId", "o-9001"}}).value(), "OPEN#3");
  EXPECT_EQ(template_of("OPEN#{shard(*, 10)}").evaluate({}, 7).value(), "OPEN#7");
  EXPECT_EQ(template_of("OPEN#{shard(random, 10)}").evaluate({}, 4).value(), "OPEN#4");
}

TEST(Template, NamesTheFieldWithoutAValue) {
  const auto text = template_of("A#{b}#{c}").evaluate({{"b", "1"}});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "the field c has no value");
}

}  // namespace
}  // namespace stator::design
