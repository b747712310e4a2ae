#include "engine/row_key.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/change_log.h"
#include "engine/expiry.h"
#include "engine/test_support.h"
#include "item/number.h"

// The bytes below are on disks: a test that fails here asks for a migration, not for new bytes.
namespace stator::engine {
namespace {

using testing::B;
using testing::hex;
using testing::Item;
using testing::N;
using testing::S;

class RowKey : public ::testing::Test {
 protected:
  KeyValues key(const KeySchema& schema, const Item& item) {
    const auto values = find_key_values(schema, item, arena_);
    EXPECT_TRUE(values.has_value());
    return values.value_or(KeyValues());
  }
  std::string table_key(const Table& table, const Item& item) {
    return hex(table_row_key(table, key(table.key, item), arena_));
  }

  base::Arena arena_;
};

TEST_F(RowKey, OfATableRowIsSpaceHashAndKeyParts) {
  const Table simple = testing::table_of(testing::simple_request("t"), 0x01020304);
  EXPECT_EQ(table_key(simple, {{"pk", S("a")}}),
            "01020304"  // table
            "00"        // the table itself
            "30702d7b"  // hash of what follows
            "610001");
  const Table sorted = testing::table_of(testing::sorted_request("t"), 1);
  EXPECT_EQ(table_key(sorted, {{"pk", S("a")}, {"sk", N("1")}}), "000000010030702d7b610001c102");
  EXPECT_EQ(table_key(sorted, {{"pk", S("a")}, {"sk", N("-1")}}), "000000010030702d7b6100013efd");
}

TEST_F(RowKey, OfABinaryKeyEscapesZeros) {
  const Table table =
      testing::table_of(testing::table_request("t", {{"pk", item::Type::binary}}, {"pk"}), 1);
  EXPECT_EQ(table_key(table, {{"pk", B(std::string_view("a\0b", 3))}}).substr(18), "6100ff620001");
}

TEST_F(RowKey, OfAnIndexRowEndsWithTheTableKey) {
  const Table table = testing::table_of(testing::indexed_request("t"), 1);
  const Item item = {{"pk", S("a")}, {"sk", N("1")}, {"l", S("x")}, {"g", S("b")}, {"h", N("42")}};
  const KeyValues table_key = key(table.key, item);
  const auto index_key = [&](std::string_view name) {
    const Index& index = *table.find_index(name);
    return hex(index_row_key(table, index, key(index.key, item), table_key, arena_));
  };
  EXPECT_EQ(index_key("global_all"),
            "00000001"  // table
            "03"        // third index
            "d7b94942"  // hash of "b"
            "620001"
            "c154"    // 42
            "610001"  // the item's own key
            "c102");
  EXPECT_EQ(index_key("local_keys"), "000000010130702d7b610001780001610001c102");
}

TEST_F(RowKey, OfALocalIndexSharesTheHashOfTheTableRow) {
  const Table table = testing::table_of(testing::indexed_request("t"), 1);
  const Item item = {{"pk", S("partition")}, {"sk", N("1")}, {"l", S("x")}};
  const Index& index = *table.find_index("local_keys");
  const KeyValues own = key(table.key, item);
  const std::string_view row = table_row_key(table, own, arena_);
  const std::string_view index_row = index_row_key(table, index, key(index.key, item), own, arena_);
  EXPECT_EQ(row.substr(kSpaceBytes, 4), index_row.substr(kSpaceBytes, 4));
}

TEST_F(RowKey, OfACollectionIsInASpaceOfItsOwn) {
  const Table table = testing::table_of(testing::sorted_request("t"), 1);
  const KeyValues own = key(table.key, {{"pk", S("a")}, {"sk", N("1")}});
  EXPECT_EQ(hex(collection_key(table, own.partition, arena_)), "00000001fe30702d7b610001");
}

TEST_F(RowKey, OfTheSystemStartsWithTableZero) {
  EXPECT_EQ(hex(catalog_sequence_key()), "0000000001");
  EXPECT_EQ(hex(catalog_key("abc")), "0000000002616263");
  EXPECT_EQ(hex(statistics_key(0x01020304, 5)), "00000000030102030405");
  EXPECT_EQ(hex(dropped_table_key(0x01020304)), "000000000401020304");
}

TEST_F(RowKey, OfTheParallelOrdersOfATable) {
  const Table table = testing::table_of(testing::sorted_request("t"), 1);
  const KeyValues own = key(table.key, {{"pk", S("a")}, {"sk", N("1")}});
  const std::string_view row = table_row_key(table, own, arena_);
  EXPECT_EQ(hex(expiry_key(table, 0x0102, row, arena_)),
            "00000001fc"        // table, items by time to live
            "0000000000000102"  // second
            "30702d7b610001c102");
  EXPECT_EQ(hex(shard_prefix(1, 0x0203, 4)), "00000001fd020304");
  EXPECT_EQ(hex(build_progress_key(1, 3)), "00000000070000000103");
  EXPECT_EQ(hex(token_key("ab")), "00000000056162");
  EXPECT_EQ(hex(token_expiry_key(0x0102, "ab")), "000000000600000000000001026162");
}

TEST_F(RowKey, SortsAsTheValuesDo) {
  const Table table = testing::table_of(testing::sorted_request("t"), 1);
  std::vector<std::string> keys;
  for (const char* number : {"-100", "-1.5", "0", "0.001", "1", "2", "10", "1e2"}) {
    base::Arena arena;
    const auto canonical = item::canonical_number(number, arena);
    ASSERT_TRUE(canonical.has_value());
    keys.push_back(table_key(table, {{"pk", S("a")}, {"sk", N(*canonical)}}));
  }
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

TEST_F(RowKey, NeedsEveryKeyAttributeOfItsType) {
  const Table table = testing::table_of(testing::sorted_request("t"), 1);
  const std::pair<Item, bool> cases[] = {
      {{{"pk", S("a")}, {"sk", N("1")}}, true},
      {{{"sk", N("1")}, {"other", S("")}, {"pk", S("a")}}, true},
      {{{"pk", S("a")}}, false},
      {{{"sk", N("1")}}, false},
      {{{"pk", N("1")}, {"sk", N("1")}}, false},
      {{{"pk", S("a")}, {"sk", S("1")}}, false},
      {{{"pk", item::Value::null()}, {"sk", N("1")}}, false},
      {{}, false},
  };
  for (const auto& [item, found] : cases) {
    EXPECT_EQ(find_key_values(table.key, item, arena_).has_value(), found);
    const auto stored = item::StoredItem::open(item::encode_item(item, arena_));
    ASSERT_TRUE(stored.has_value());
    EXPECT_EQ(find_key_values(table.key, *stored, arena_).has_value(), found);
  }
}

}  // namespace
}  // namespace stator::engine
