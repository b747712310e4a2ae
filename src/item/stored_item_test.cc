#include "item/stored_item.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "item/size.h"

namespace stator::item {
namespace {

using namespace std::literals;

struct Example {
  std::vector<Value> tags = {Value::string("x"), Value::string("y\"z")};
  std::vector<Attribute> address = {{"city", Value::string("K\xc3\xb6ln")},
                                    {"zip", Value::number("50667")}};
  std::vector<Attribute> attributes = {
      {"pk", Value::string("user#1")},  {"odd \"name\"\n", Value::boolean(true)},
      {"n", Value::number("-1.5")},     {"tags", Value::set(Type::string_set, tags)},
      {"address", Value::map(address)}, {"blob", Value::binary("\0\xff"sv)}};
};

StoredItem open(std::string_view bytes) {
  const auto item = StoredItem::open(bytes);
  EXPECT_TRUE(item.has_value());
  return item.value();
}

TEST(StoredItem, BytesAreAStoredFormat) {
  base::Arena arena;
  const Attribute attributes[] = {{"pk", Value::string("a")}, {"n", Value::number("12")}};
  EXPECT_EQ(encode_item(attributes, arena),
            "\x01\x06\x02\x02\x09\x01\x0a"
            R"({"pk":{"S":"a"},"n":{"N":"12"}})");
  EXPECT_EQ(encode_item({}, arena), "\x01\0\0{}"s);
}

TEST(StoredItem, GivesBackWhatWasEncoded) {
  base::Arena arena;
  const Example example;
  const StoredItem item = open(encode_item(example.attributes, arena));
  EXPECT_EQ(item.attribute_count(), example.attributes.size());
  EXPECT_EQ(item.item_bytes(), item_bytes(example.attributes));
  EXPECT_TRUE(equal(Value::map(item.decode(arena)), Value::map(example.attributes)));
  EXPECT_TRUE(
      equal(Value::map(item.decode_checked(arena).value()), Value::map(example.attributes)));
  base::Buffer text;
  append_attributes(text, example.attributes);
  EXPECT_EQ(item.text(), text.view());
}

TEST(StoredItem, FindsAttributesByTheirUnescapedName) {
  base::Arena arena;
  const Example example;
  const StoredItem item = open(encode_item(example.attributes, arena));
  for (const Attribute& attribute : example.attributes) {
    const auto found = item.find(attribute.name, arena);
    ASSERT_TRUE(found.has_value()) << attribute.name;
    EXPECT_TRUE(equal(*found, attribute.value)) << attribute.name;
  }
  EXPECT_EQ(item.find_text("n"), R"({"N":"-1.5"})");
  for (const std::string_view missing : {"", "p", "pkk", "city", "odd \\\"name\\\"\\n", "\""}) {
    EXPECT_EQ(item.find_text(missing), std::nullopt) << missing;
    EXPECT_FALSE(item.find(missing, arena).has_value()) << missing;
  }
}

TEST(StoredItem, LongNamesAndValuesNeedLongerLengths) {
  base::Arena arena;
  const std::string name(70000, 'n');
  const std::string value(300000, 'v');
  const Attribute attributes[] = {{name, Value::string(value)}, {"z", Value::null()}};
  const StoredItem item = open(encode_item(attributes, arena));
  EXPECT_EQ(item.item_bytes(), 370002u);
  EXPECT_EQ(item.find(name, arena)->text(), value);
  EXPECT_TRUE(item.find("z", arena)->is(Type::null));
}

TEST(StoredItem, DecodedStringsAreViewsIntoTheItem) {
  base::Arena arena;
  const Example example;
  const std::string_view bytes = encode_item(example.attributes, arena);
  const char* const text = open(bytes).find("pk", arena)->text().data();
  EXPECT_GE(text, bytes.data());
  EXPECT_LT(text, bytes.data() + bytes.size());
}

TEST(StoredItem, RefusesEveryCutAndEveryExtraByte) {
  base::Arena arena;
  const Example example;
  const std::string bytes(encode_item(example.attributes, arena));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // A copy of exactly that size lets the address sanitizer see a read behind it.
    const std::vector<char> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const auto item = StoredItem::open({cut.data(), cut.size()});
    ASSERT_FALSE(item.has_value()) << size;
    EXPECT_EQ(item.error().code, ErrorCode::corruption);
  }
  EXPECT_FALSE(StoredItem::open(bytes + "}").has_value());
}

TEST(StoredItem, RefusesAnotherFrame) {
  const std::string text = R"({"pk":{"S":"a"},"n":{"N":"12"}})";
  ASSERT_TRUE(StoredItem::open("\x01\x06\x02\x02\x09\x01\x0a" + text).has_value());
  for (const std::string& bytes : {
           "\x02\x06\x02\x02\x09\x01\x0a" + text,                  // format
           "\x01\x06\x01\x02\x09\x01\x0a" + text,                  // count
           "\x01\x06\x02\x0b\x00\x01\x0a"s + text,                 // value too short to be one
           "\x01\x06\x02\x02\xff\xff\xff\xff\xff\x01\x0a" + text,  // length without end
           "\x01\x06\xff\xff\xff\xff\x0f\x02\x09\x01\x0a" + text,  // count beyond the bytes
           "\x01\x06\x02\x02\x09\x01\x0a[" + text.substr(1),
           "\x01\x06\x02\x02\x09\x01\x0a" + text.substr(0, text.size() - 1) + "]",
       }) {
    EXPECT_FALSE(StoredItem::open(bytes).has_value()) << testing::PrintToString(bytes);
  }
}

TEST(StoredItem, DamageBetweenLengthsThatFitIsNoticedByDecodeChecked) {
  base::Arena arena;
  const std::string text = R"({"pk":{"S":"a"},"n":{"N":"12"}})";
  for (const std::string& bytes : {
           "\x01\x06\x02\x01\x0a\x01\x0a" + text,  // name length, the sum is right
           "\x01\x06\x02\x02\x0a\x01\x09" + text,  // value length, the sum is right
           "\x01\x06\x02\x02\x09\x01\x0a"
           R"({"pk":{"S":"a"};"n":{"N":"12"}})"s,
           "\x01\x06\x02\x02\x09\x01\x0a"
           R"({"pk":{"S":"a"},'n":{"N":"12"}})"s,
           "\x01\x06\x02\x02\x09\x01\x0a"
           R"({"pk"={"S":"a"},"n":{"N":"12"}})"s,
       }) {
    const StoredItem item = open(bytes);
    static_cast<void>(item.decode(arena));
    EXPECT_FALSE(item.decode_checked(arena).has_value()) << testing::PrintToString(bytes);
  }
}

TEST(StoredItem, ADamagedValueIsNoticedWhereItIsRead) {
  base::Arena arena;
  const std::string bytes =
      "\x01\x06\x02\x02\x09\x01\x0a"
      R"({"pk":{"S":"a"},"n":{"N":"1x"}})"s;
  const StoredItem item = open(bytes);
  EXPECT_EQ(item.find("pk", arena)->text(), "a");
  EXPECT_FALSE(item.find("n", arena).has_value());
  ASSERT_FALSE(item.decode_checked(arena).has_value());
  EXPECT_EQ(item.decode_checked(arena).error().code, ErrorCode::corruption);
  EXPECT_TRUE(item.decode(arena)[1].value.is(Type::null));
}

TEST(StoredItem, ADamagedNameIsNoticedByDecodeChecked) {
  base::Arena arena;
  const StoredItem item = open(
      "\x01\x03\x01\x02\x09"
      R"({"\x":{"S":"a"}})"sv);
  EXPECT_EQ(item.decode(arena)[0].name, "\\x");
  EXPECT_FALSE(item.decode_checked(arena).has_value());
}

TEST(StoredItemBuilder, WritesWhatEncodeItemWrites) {
  base::Arena arena;
  const Example example;
  const std::string_view expected = encode_item(example.attributes, arena);
  StoredItemBuilder from_values(arena);
  for (const Attribute& attribute : example.attributes)
    from_values.add(attribute.name, attribute.value);
  EXPECT_EQ(from_values.finish(item_bytes(example.attributes)), expected);

  const StoredItem item = open(expected);
  StoredItemBuilder from_slices(arena);
  from_slices.reserve(1);
  item.for_each(
      [&](std::string_view name, std::string_view text) { from_slices.add_text(name, text); });
  EXPECT_EQ(from_slices.finish(item.item_bytes()), expected);

  StoredItemBuilder empty(arena);
  EXPECT_EQ(empty.finish(0), encode_item({}, arena));
}

TEST(StoredItemBuilder, MixesNewValuesWithSlices) {
  base::Arena arena;
  const Example example;
  const StoredItem old_item = open(encode_item(example.attributes, arena));
  StoredItemBuilder builder(arena);
  old_item.for_each([&](std::string_view name, std::string_view text) {
    if (name == "n") {
      builder.add("n", Value::number("7"));
    } else {
      builder.add_text(name, text);
    }
  });
  builder.add("\t", Value::string("new"));
  const StoredItem item = open(builder.finish(123));
  EXPECT_EQ(item.item_bytes(), 123u);
  EXPECT_EQ(item.attribute_count(), example.attributes.size() + 1);
  EXPECT_EQ(item.find("n", arena)->text(), "7");
  EXPECT_EQ(item.find("\t", arena)->text(), "new");
  EXPECT_EQ(item.find_text("address"), old_item.find_text("address"));
}

TEST(StoredItemBuilder, GrowsBeyondWhatWasReserved) {
  base::Arena arena;
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("name" + std::to_string(i));
  StoredItemBuilder builder(arena);
  builder.reserve(5);
  for (const std::string& name : names) builder.add(name, Value::string(name));
  const StoredItem item = open(builder.finish(1));
  ASSERT_EQ(item.attribute_count(), names.size());
  for (const std::string& name : names) EXPECT_EQ(item.find(name, arena)->text(), name);
}

}  // namespace
}  // namespace stator::item
