#include "item/value.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace stator::item {
namespace {

constexpr Type kAllTypes[] = {Type::string,     Type::number,    Type::binary, Type::boolean,
                              Type::null,       Type::map,       Type::list,   Type::string_set,
                              Type::number_set, Type::binary_set};

TEST(Type, NamesAreThoseOfTheWire) {
  std::string names;
  for (const Type type : kAllTypes) {
    names.append(type_name(type)).append(" ");
    EXPECT_EQ(type_from_name(type_name(type)), type);
  }
  EXPECT_EQ(names, "S N B BOOL NULL M L SS NS BS ");
  for (const std::string_view unknown : {"", "s", "SSS", "STRING", "X"}) {
    EXPECT_EQ(type_from_name(unknown), std::nullopt) << unknown;
  }
}

TEST(Type, SetsHaveTheirMembersType) {
  EXPECT_EQ(set_member_type(Type::string_set), Type::string);
  EXPECT_EQ(set_member_type(Type::number_set), Type::number);
  EXPECT_EQ(set_member_type(Type::binary_set), Type::binary);
  EXPECT_FALSE(is_set(Type::list));
}

TEST(Value, FindsAttributesOfMapsOnly) {
  const Attribute attributes[] = {{"a", Value::number("1")}, {"b", Value::null()}};
  const Value map = Value::map(attributes);
  ASSERT_NE(map.find("a"), nullptr);
  EXPECT_EQ(map.find("a")->text(), "1");
  EXPECT_EQ(map.find("c"), nullptr);
  EXPECT_EQ(Value::string("a").find("a"), nullptr);
  EXPECT_EQ(find(attributes, "b"), &attributes[1].value);
}

TEST(Value, EqualityNeedsTheSameType) {
  EXPECT_TRUE(equal(Value::string("1"), Value::string("1")));
  EXPECT_FALSE(equal(Value::string("1"), Value::number("1")));
  EXPECT_FALSE(equal(Value::string("1"), Value::binary("1")));
  EXPECT_FALSE(equal(Value::string("1"), Value::string("12")));
  EXPECT_TRUE(equal(Value::boolean(true), Value::boolean(true)));
  EXPECT_FALSE(equal(Value::boolean(true), Value::boolean(false)));
  EXPECT_TRUE(equal(Value::null(), Value::null()));
  EXPECT_FALSE(equal(Value::list({}), Value::map({})));
}

TEST(Value, EqualityOfListsIsByPosition) {
  const Value one_two[] = {Value::number("1"), Value::number("2")};
  const Value two_one[] = {Value::number("2"), Value::number("1")};
  EXPECT_TRUE(equal(Value::list(one_two), Value::list(one_two)));
  EXPECT_FALSE(equal(Value::list(one_two), Value::list(two_one)));
  EXPECT_FALSE(equal(Value::list(one_two), Value::list(std::span(one_two).first(1))));
}

// Small and large containers are compared in different ways.
class EqualityOfSize : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    for (int i = 0; i < GetParam(); ++i) names_.push_back("name" + std::to_string(i));
    for (const std::string& name : names_) forward_.push_back(Value::string(name));
    backward_.assign(forward_.rbegin(), forward_.rend());
  }
  std::vector<std::string> names_;
  std::vector<Value> forward_;
  std::vector<Value> backward_;
};

TEST_P(EqualityOfSize, OfSetsIgnoresOrder) {
  const Value set = Value::set(Type::string_set, forward_);
  EXPECT_TRUE(equal(set, Value::set(Type::string_set, backward_)));
  EXPECT_FALSE(equal(set, Value::set(Type::string_set, std::span(backward_).subspan(1))));
  backward_.front() = Value::string("other");
  EXPECT_FALSE(equal(set, Value::set(Type::string_set, backward_)));
}

TEST_P(EqualityOfSize, OfMapsIgnoresOrderAtEveryDepth) {
  const Value set = Value::set(Type::string_set, forward_);
  const Value same_set = Value::set(Type::string_set, backward_);
  std::vector<Attribute> attributes;
  std::vector<Attribute> reordered;
  for (const std::string& name : names_) {
    attributes.push_back({name, set});
    reordered.insert(reordered.begin(), {name, same_set});
  }
  const Value map = Value::map(attributes);
  EXPECT_TRUE(equal(map, Value::map(reordered)));
  reordered.back().value = Value::null();
  EXPECT_FALSE(equal(map, Value::map(reordered)));
  reordered.back() = {"other", same_set};
  EXPECT_FALSE(equal(map, Value::map(reordered)));
  EXPECT_FALSE(equal(map, Value::map(std::span(attributes).subspan(1))));
}

INSTANTIATE_TEST_SUITE_P(SmallAndLarge, EqualityOfSize, testing::Values(1, 2, 8, 9, 300));

TEST(Value, ComparesWithinOneScalarType) {
  const auto sign = [](std::optional<int> order) {
    return order ? (*order > 0) - (*order < 0) : 99;
  };
  EXPECT_EQ(sign(compare(Value::string("a"), Value::string("b"))), -1);
  EXPECT_EQ(sign(compare(Value::string("a"), Value::string("a"))), 0);
  EXPECT_EQ(sign(compare(Value::string("ab"), Value::string("a"))), 1);
  EXPECT_EQ(sign(compare(Value::string("z"), Value::string("\xc3\xa4"))), -1);
  EXPECT_EQ(sign(compare(Value::binary("\xff"), Value::binary("\x01"))), 1);
  EXPECT_EQ(sign(compare(Value::number("9"), Value::number("10"))), -1);
  EXPECT_EQ(sign(compare(Value::number("-9"), Value::number("-10"))), 1);
  EXPECT_EQ(sign(compare(Value::number("0"), Value::number("-0.1"))), 1);
  EXPECT_EQ(sign(compare(Value::number("0.1"), Value::number("0"))), 1);
  EXPECT_EQ(sign(compare(Value::number("-0.1"), Value::number("0"))), -1);
  EXPECT_EQ(sign(compare(Value::number("1.5"), Value::number("1.5"))), 0);
  EXPECT_EQ(sign(compare(Value::number("1.5"), Value::number("1.49"))), 1);
  EXPECT_EQ(compare(Value::number("1"), Value::string("1")), std::nullopt);
  EXPECT_EQ(compare(Value::boolean(true), Value::boolean(false)), std::nullopt);
  EXPECT_EQ(compare(Value::list({}), Value::list({})), std::nullopt);
}

TEST(Value, IsEqualToItselfInOrder) {
  base::Arena arena;
  std::vector<Value> up;
  std::vector<Attribute> names;
  for (int i = 0; i < 100; ++i) {
    up.push_back(Value::string(arena.copy(std::to_string(i))));
    names.push_back({arena.copy(std::to_string(i)), Value::null()});
  }
  const std::vector<Value> down(up.rbegin(), up.rend());
  std::vector<Value> other = down;
  other.back() = Value::string("other");
  std::vector<Attribute> names_down(names.rbegin(), names.rend());
  const Value set = Value::set(Type::string_set, up);
  const Value reversed = Value::set(Type::string_set, down);
  const Value different = Value::set(Type::string_set, other);
  names_down[3].value = Value::list(std::span(&reversed, 1));
  names[96].value = Value::list(std::span(&set, 1));
  const Value map = Value::map(names);
  const Value map_down = Value::map(names_down);
  EXPECT_FALSE(set.is_sorted());
  EXPECT_TRUE(sorted(set, arena).is_sorted());
  EXPECT_TRUE(sorted(map, arena).is_sorted());
  for (const auto& [a, b] : {std::pair(set, reversed), std::pair(map, map_down)}) {
    EXPECT_TRUE(equal(a, b));
    EXPECT_TRUE(equal(sorted(a, arena), b));
    EXPECT_TRUE(equal(a, sorted(b, arena)));
    EXPECT_TRUE(equal(sorted(a, arena), sorted(b, arena)));
  }
  for (const bool first : {false, true}) {
    for (const bool second : {false, true}) {
      EXPECT_FALSE(equal(first ? sorted(set, arena) : set, second ? sorted(different, arena) : different));
    }
  }
}

}  // namespace
}  // namespace stator::item
