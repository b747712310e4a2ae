// The rules of CreateTable that need nothing but the request.

#include <gtest/gtest.h>

#include <functional>

#include "engine/create_table.h"
#include "engine/test_support.h"

namespace stator::engine {
namespace {

using item::Type;
using testing::error_of;
using testing::index_input;

constexpr std::string_view kPrefix = "One or more parameter values were invalid: ";

struct SchemaCase {
  const char* name;
  std::function<void(CreateTableRequest&)> change;  // of an on-demand table pk:S sk:N
  std::string error;
};

std::string prefixed(std::string_view text) { return std::string(kPrefix).append(text); }

std::vector<IndexInput> many(std::size_t count, std::initializer_list<std::string_view> key) {
  static std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int i = 0; i < 30; ++i) all.push_back("index" + std::to_string(i));
    return all;
  }();
  std::vector<IndexInput> indexes;
  for (std::size_t i = 0; i < count; ++i) indexes.push_back(index_input(names[i], key));
  return indexes;
}

void expect_errors(std::initializer_list<SchemaCase> cases) {
  for (const SchemaCase& test : cases) {
    CreateTableRequest request = testing::sorted_request("t");
    test.change(request);
    EXPECT_EQ(error_of(build_table(request)), test.error) << test.name;
  }
}

TEST(TableSchema, OfThroughput) {
  expect_errors({
      {"none on demand", [](auto&) {}, "no error"},
      {"on demand with units",
       [](auto& t) {
         t.throughput = ThroughputInput{1, 1};
       },
       prefixed(
           "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode "
           "is PAY_PER_REQUEST")},
      {"provisioned without units", [](auto& t) { t.billing = BillingMode::provisioned; },
       prefixed("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode "
                "is PROVISIONED")},
      {"no mode without units", [](auto& t) { t.billing.reset(); },
       prefixed("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode "
                "is PROVISIONED")},
      {"too many read units",
       [](auto& t) {
         t.billing.reset();
         t.throughput = ThroughputInput{1'000'000'000'001, 1};
       },
       "Given value 1000000000001 for ReadCapacityUnits is out of bounds"},
      {"too many write units",
       [](auto& t) {
         t.billing.reset();
         t.throughput = ThroughputInput{1'000'000'000'000, 1'000'000'000'001};
       },
       "Given value 1000000000001 for WriteCapacityUnits is out of bounds"},
  });
}

TEST(TableSchema, OfTheKey) {
  expect_errors({
      {"more elements than definitions", [](auto& t) { t.definitions.pop_back(); },
       "Invalid KeySchema: Some index key attribute have no definition"},
      {"undefined element", [](auto& t) { t.key[1].name = "other"; },
       prefixed("Some index key attributes are not defined in AttributeDefinitions. Keys: [pk, "
                "other], AttributeDefinitions: [pk, sk]")},
      {"one name twice", [](auto& t) { t.key[1].name = "pk"; },
       "Both the Hash Key and the Range Key element in the KeySchema have the same name"},
      {"sort key first", [](auto& t) { t.key[0].is_partition = false; },
       "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
      {"two partition keys", [](auto& t) { t.key[1].is_partition = true; },
       "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
      {"unused definition",
       [](auto& t) {
         t.definitions.push_back({"x", Type::string});
       },
       prefixed("Number of attributes in KeySchema does not exactly match number of attributes "
                "defined in AttributeDefinitions")},
  });
}

TEST(TableSchema, OfLocalIndexes) {
  using L = std::vector<IndexInput>;
  const auto with = [](L indexes) {
    return [indexes](CreateTableRequest& t) {
      t.definitions.push_back({"l", Type::string});
      t.local_indexes = indexes;
    };
  };
  expect_errors({
      {"good", with(L{index_input("local", {"pk", "l"})}), "no error"},
      {"empty list", with(L{}), prefixed("List of LocalSecondaryIndexes is empty")},
      {"no sort key",
       [](auto& t) {
         t = testing::simple_request("t");
         t.local_indexes = L{index_input("local", {"pk"})};
       },
       prefixed("Table KeySchema does not have a range key, which is required when specifying a "
                "LocalSecondaryIndex")},
      {"undefined key", with(L{index_input("local", {"pk", "other"})}),
       prefixed("Some index key attributes are not defined in AttributeDefinitions. Keys: [pk, "
                "other], AttributeDefinitions: [pk, sk, l]")},
      {"no range key", with(L{index_input("local", {"pk"})}),
       prefixed("Index KeySchema does not have a range key for index: local")},
      {"another hash key", with(L{index_input("local", {"sk", "l"})}),
       prefixed("Index KeySchema does not have the same leading hash key as table KeySchema for "
                "index: local. index hash key: sk, table hash key: pk")},
      {"one name twice",
       with(L{index_input("local", {"pk", "l"}), index_input("local", {"pk", "l"})}),
       prefixed("Duplicate index name: local")},
      {"six", with(many(6, {"pk", "l"})),
       prefixed("Number of LocalSecondaryIndexes exceeds per-table limit of 5")},
      {"five", with(many(5, {"pk", "l"})), "no error"},
  });
}

TEST(TableSchema, OfGlobalIndexes) {
  using L = std::vector<IndexInput>;
  const auto with = [](L indexes) {
    return [indexes](CreateTableRequest& t) {
      t.definitions.push_back({"g", Type::string});
      t.global_indexes = indexes;
    };
  };
  IndexInput provisioned = index_input("global", {"g"});
  provisioned.throughput = ThroughputInput{1, 1};
  expect_errors({
      {"good", with(L{index_input("global", {"g", "pk"})}), "no error"},
      {"empty list", with(L{}), prefixed("List of GlobalSecondaryIndexes is empty")},
      {"undefined key", with(L{index_input("global", {"other"})}),
       prefixed("Some index key attributes are not defined in AttributeDefinitions. Keys: [other], "
                "AttributeDefinitions: [pk, sk, g]")},
      {"units on demand", with(L{provisioned}),
       prefixed("ProvisionedThroughput should not be specified for index: global when BillingMode "
                "is PAY_PER_REQUEST")},
      {"no units provisioned",
       [&](auto& t) {
         with(L{index_input("global", {"g"})})(t);
         t.billing.reset();
         t.throughput = ThroughputInput{1, 1};
       },
       prefixed("ProvisionedThroughput is not specified for index: global")},
      {"name of a local index",
       [&](auto& t) {
         with(L{index_input("same", {"g"})})(t);
         t.local_indexes = L{index_input("same", {"pk", "g"})};
       },
       prefixed("Duplicate index name: same")},
      {"twenty-one", with(many(21, {"g"})),
       prefixed("GlobalSecondaryIndex count exceeds the per-table limit of 20")},
      {"twenty", with(many(20, {"g"})), "no error"},
      {"unused definition", with(L{index_input("global", {"pk"})}),
       prefixed("Some AttributeDefinitions are not used. AttributeDefinitions: [pk, sk, g], keys "
                "used: [pk, sk]")},
  });
}

TEST(TableSchema, OfProjections) {
  const auto with = [](std::optional<ProjectionKind> kind,
                       std::optional<std::vector<std::string_view>> included) {
    return [=](CreateTableRequest& t) {
      IndexInput index = index_input("global", {"pk"});
      index.projection = kind;
      index.included = included;
      t.global_indexes = {index};
    };
  };
  using Names = std::vector<std::string_view>;
  expect_errors({
      {"none", with(std::nullopt, std::nullopt), prefixed("Unknown ProjectionType: null")},
      {"all with names", with(ProjectionKind::all, Names{"a"}),
       prefixed("ProjectionType is ALL, but NonKeyAttributes is specified")},
      {"keys with names", with(ProjectionKind::keys_only, Names{"a"}),
       prefixed("ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified")},
      {"include without names", with(ProjectionKind::include, std::nullopt),
       prefixed("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")},
      {"include", with(ProjectionKind::include, Names{"a"}), "no error"},
  });
}

TEST(TableSchema, GivesIndexesTheirIdsAndProjectedNames) {
  const Table table = testing::table_of(testing::indexed_request("t"));
  ASSERT_EQ(table.indexes.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(table.indexes[i].id, i + 1);
  EXPECT_EQ(table.next_index_id, 6);
  using Names = std::vector<std::string>;
  EXPECT_EQ(table.find_index("local_keys")->projected, (Names{"pk", "sk", "l"}));
  EXPECT_EQ(table.find_index("global_some")->projected, (Names{"pk", "sk", "g", "a", "b"}));
  EXPECT_TRUE(table.find_index("global_all")->projected.empty());
  EXPECT_TRUE(table.has_local_indexes());
}

}  // namespace
}  // namespace stator::engine
