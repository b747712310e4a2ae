#include "engine/key_check.h"

#include <gtest/gtest.h>

#include "engine/test_support.h"

namespace stator::engine {
namespace {

using testing::B;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

constexpr std::string_view kMismatch = "The provided key element does not match the schema";
constexpr std::string_view kPartitionTooLong =
    "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
    "limit "
    "of2048 bytes";
constexpr std::string_view kSortTooLong =
    "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the "
    "size limit of 1024 bytes";

struct KeyCase {
  Item attributes;
  std::string_view error = "no error";
};

const std::string k2048(2048, 'x');
const std::string k2049(2049, 'x');
const std::string k1024(1024, 'x');
const std::string k1025(1025, 'x');

// pk:S sk:B, and indexes on g:S, h:N and on l:S
Table checked_table() {
  using item::Type;
  CreateTableRequest request = testing::table_request("t",
                                                      {{"pk", Type::string},
                                                       {"sk", Type::binary},
                                                       {"g", Type::string},
                                                       {"h", Type::binary},
                                                       {"l", Type::number}},
                                                      {"pk", "sk"});
  request.local_indexes = {testing::index_input("local", {"pk", "l"})};
  request.global_indexes = {testing::index_input("global", {"g", "h"})};
  return testing::table_of(request);
}

TEST(CheckKey, TakesExactlyTheKey) {
  const Table table = checked_table();
  const KeyCase cases[] = {
      {{{"pk", S("a")}, {"sk", B("b")}}},
      {{{"sk", B("b")}, {"pk", S("a")}}},
      {{{"pk", S("a")}}, kMismatch},
      {{}, kMismatch},
      {{{"pk", S("a")}, {"sk", B("b")}, {"more", S("c")}}, kMismatch},
      {{{"pk", S("a")}, {"other", B("b")}}, kMismatch},
      {{{"pk", N("1")}, {"sk", B("b")}}, kMismatch},
      {{{"pk", S("a")}, {"sk", S("b")}}, kMismatch},
      {{{"pk", S("")}, {"sk", B("b")}},
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty string value. Key: pk"},
      {{{"pk", S("a")}, {"sk", B("")}},
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty binary value. Key: sk"},
      {{{"pk", S(k2048)}, {"sk", B(k1024)}}},
      {{{"pk", S(k2049)}, {"sk", B("b")}}, kPartitionTooLong},
      {{{"pk", S("a")}, {"sk", B(k1025)}}, kSortTooLong},
  };
  for (const KeyCase& test : cases) {
    base::Arena arena;
    EXPECT_EQ(error_of(check_key(table, test.attributes, arena)), test.error);
  }
}

const KeyCase kItemCases[] = {
    {{{"pk", S("a")}, {"sk", B("b")}, {"anything", item::Value::null()}}},
    {{{"pk", S("a")}, {"sk", B("b")}, {"g", S("x")}, {"h", B("y")}, {"l", N("1")}}},
    {{{"pk", S("")}, {"sk", B("b")}},
     "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
     "contain an empty string value. Key: pk"},
    {{{"pk", S(k2049)}, {"sk", B("b")}}, kPartitionTooLong},
    {{{"pk", S("a")}, {"sk", B(k1025)}}, kSortTooLong},
    {{{"pk", S("a")}, {"sk", B("b")}, {"g", N("1")}},
     "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: "
     "N IndexName: global"},
    {{{"pk", S("a")}, {"sk", B("b")}, {"h", item::Value::null()}},
     "One or more parameter values were invalid: Type mismatch for Index Key h Expected: B Actual: "
     "NULL IndexName: global"},
    {{{"pk", S("a")}, {"sk", B("b")}, {"l", S("x")}},
     "One or more parameter values were invalid: Type mismatch for Index Key l Expected: N Actual: "
     "S IndexName: local"},
    // Global indexes come first.
    {{{"pk", S("a")}, {"sk", B("b")}, {"l", S("x")}, {"g", N("1")}},
     "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: "
     "N IndexName: global"},
    {{{"pk", S("a")}, {"sk", B("b")}, {"g", S("")}},
     "One or more parameter values are not valid. A value specified for a secondary index key is "
     "not supported. The AttributeValue for a key attribute cannot contain an empty string value. "
     "IndexName: global, IndexKey: g"},
    {{{"pk", S("a")}, {"sk", B("b")}, {"h", B("")}},
     "One or more parameter values are not valid. A value specified for a secondary index key is "
     "not supported. The AttributeValue for a key attribute cannot contain an empty binary value. "
     "IndexName: global, IndexKey: h"},
    {{{"pk", S("a")}, {"sk", B("b")}, {"g", S(k2048)}, {"h", B(k1024)}}},
    {{{"pk", S("a")}, {"sk", B("b")}, {"g", S(k2049)}}, kPartitionTooLong},
    {{{"pk", S("a")}, {"sk", B("b")}, {"h", B(k1025)}}, kSortTooLong},
};

TEST(CheckItem, NeedsTheKeyAndRightIndexKeys) {
  const Table table = checked_table();
  base::Arena arena;
  for (const KeyCase& test : kItemCases) {
    EXPECT_EQ(error_of(check_item(table, test.attributes, arena)), test.error);
    EXPECT_EQ(error_of(check_batch_item(table, test.attributes, arena)), test.error);
  }
}

TEST(CheckItem, NamesAMissingOrMistypedKeyButNotInABatch) {
  const Table table = checked_table();
  const KeyCase cases[] = {
      {{{"sk", B("b")}},
       "One or more parameter values were invalid: Missing the key pk in the item"},
      {{{"pk", S("a")}},
       "One or more parameter values were invalid: Missing the key sk in the item"},
      {{{"pk", N("1")}, {"sk", B("b")}},
       "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N"},
      {{{"pk", S("a")}, {"sk", item::Value::boolean(true)}},
       "One or more parameter values were invalid: Type mismatch for key sk expected: B actual: "
       "BOOL"},
  };
  base::Arena arena;
  for (const KeyCase& test : cases) {
    EXPECT_EQ(error_of(check_item(table, test.attributes, arena)), test.error);
    EXPECT_EQ(error_of(check_batch_item(table, test.attributes, arena)), kMismatch);
  }
}

TEST(CheckItem, GivesTheKeyInTheOrderOfTheSchema) {
  const Table table = checked_table();
  base::Arena arena;
  const Item item = {{"other", N("1")}, {"sk", B("b")}, {"pk", S("a")}};
  const Result<KeyValues> key = check_item(table, item, arena);
  ASSERT_TRUE(key.has_value()) << error_of(key);
  ASSERT_EQ(key->partition.size(), 1u);
  ASSERT_EQ(key->sort.size(), 1u);
  EXPECT_EQ(key->partition[0].text(), "a");
  EXPECT_EQ(key->sort[0].text(), "b");
}

}  // namespace
}  // namespace stator::engine
