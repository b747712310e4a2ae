#include "design/collide.h"

#include "design/test_support.h"

namespace stator::design {
namespace {

FieldShape shape_by_name(std::string_view name) {
  if (name == "number") return {TextShape::number, {}};
  if (name == "digits") return {TextShape::digits, {}};
  if (name == "date") return {TextShape::day, {}};
  if (name == "time") return {TextShape::time, {}};
  if (name == "path") return {TextShape::free, {}};
  if (name == "status") return {TextShape::one_of, {"OPEN", "PAID"}};
  return {};
}

struct Pair {
  std::string_view a, b;
  std::string_view common;  // "-": none
};

TEST(CommonText, IsFoundWhereTwoTemplatesMeet) {
  constexpr Pair kCases[] = {
      {"USER#{id}", "USER#{other}", "USER#x"},
      {"USER#{id}", "USER#{id}#{status}", "-"},  // a word has no delimiter
      {"USER#{path}", "USER#{id}#{status}", "USER#x#OPEN"},
      {"USER#{id}", "GROUP#{id}", "-"},
      {"PROFILE", "PROFILE", "PROFILE"},
      {"{status}", "OPEN", "OPEN"},
      {"{status}", "CLOSED", "-"},
      {"{status:lower}", "open", "open"},
      {"{date}", "{digits}", "-"},
      {"{date}", "{time}", "-"},
      {"{time:day}", "{date}", "1111-11-11"},
      {"{digits}", "{number}", "1"},
      {"{number}", "-1.5", "-1.5"},
      {"ITEM#{n:03}", "ITEM#{m:04}", "-"},
      {"ITEM#{n:03}", "ITEM#{digits}", "ITEM#111"},
      {"S#{shard(id, 10)}", "S#10", "-"},
      {"S#{shard(id, 11)}", "S#10", "S#10"},
      {"A{id}", "{id}B", "AB"},
  };
  for (const Pair& one : kCases) {
    const Template a = template_of(one.a);
    const Template b = template_of(one.b);
    EXPECT_EQ(common_text(a, shape_by_name, b, shape_by_name).value_or("-"), one.common) << one.a << " " << one.b;
    EXPECT_EQ(common_text(b, shape_by_name, a, shape_by_name).has_value(), one.common != "-") << one.b << " " << one.a;
  }
}

TEST(CommonPrefixText, SaysWhatBeginsWithReturns) {
  constexpr Pair kCases[] = {
      {"ORDER#", "ORDER#ITEM#{id}", "ORDER#ITEM#x"},
      {"ORDER#", "ORDER#{date}", "ORDER#1111-11-11"},
      {"ORDER#", "PROFILE", "-"},
      {"ORDER#{date}", "ORDER#ITEM#{id}", "-"},
      {"", "PROFILE", "PROFILE"},
      {"ORDER#OPEN#", "ORDER#{status}#{id}", "ORDER#OPEN#x"},
  };
  for (const Pair& one : kCases) {
    const auto text = common_prefix_text(template_of(one.a), shape_by_name, template_of(one.b), shape_by_name);
    EXPECT_EQ(text.value_or("-"), one.common) << one.a << " " << one.b;
  }
}

TEST(Align, PutsParametersBesideFields) {
  const Template reader = template_of("ORDER#{from}");
  const Template whole = template_of("ORDER#{date}#{id}");
  const Alignment alignment = align(reader, whole);
  EXPECT_TRUE(alignment.aligned);
  EXPECT_TRUE(alignment.ends_in_field);
  ASSERT_EQ(alignment.fields.size(), 1U);
  EXPECT_EQ(alignment.fields[0].first->text, "from");
  EXPECT_EQ(alignment.fields[0].second->text, "date");
  EXPECT_EQ(alignment.parts_covered, 2U);
}

TEST(Align, ALiteralGivesAFieldItsValue) {
  const Template whole = template_of("STATUS#{status}#{id}");
  const Template reader = template_of("STATUS#PENDING#");
  const Alignment alignment = align(reader, whole);
  EXPECT_TRUE(alignment.aligned);
  EXPECT_FALSE(alignment.ends_in_field);
  EXPECT_EQ(alignment.parts_covered, 3U);
}

TEST(Align, ACutTimeDoesNotFixItsField) {
  const Template whole = template_of("{placedAt}#{id}");
  const Template reader = template_of("{today:day}");
  const Alignment alignment = align(reader, whole);
  EXPECT_TRUE(alignment.aligned);
  EXPECT_EQ(alignment.parts_covered, 0U);
  EXPECT_FALSE(align(template_of("{today:day}#{id}"), whole).aligned);
}

TEST(Align, FailsOnOtherTextAndOnMoreThanThereIs) {
  EXPECT_FALSE(align(template_of("GROUP#{id}"), template_of("USER#{id}")).aligned);
  EXPECT_FALSE(align(template_of("USER#{id}#{more}"), template_of("USER#{id}")).aligned);
  EXPECT_FALSE(align(template_of("{id}"), template_of("USER#{id}")).aligned);
}

}  // namespace
}  // namespace stator::design
