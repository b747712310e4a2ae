#include <set>

#include "embed/test_support.h"

namespace stator {
namespace {

class Pages : public AppTest {
 protected:
  void SetUp() override {
    AppTest::SetUp();
    for (int i = 10; i < 20; ++i) {
      put({{"PK", "C"},
           {"SK", "ORDER#" + std::to_string(i)},
           {"status", i % 2 == 0 ? "open" : "shipped"},
           {"placed", std::to_string(i)},
           {"amount", i}});
    }
  }
  [[nodiscard]] static QueryRequest orders() {
    return {.table_name = "app",
            .key_condition = "PK = :c AND begins_with(SK, :o)",
            .values = {{":c", "C"}, {":o", "ORDER#"}}};
  }
};
STATOR_ON_BOTH_BACKENDS(Pages);

TEST_P(Pages, OfAQueryComeInOrderOneAfterTheOther) {
  QueryRequest request = orders();
  request.limit = 4;
  request.scan_index_forward = false;
  std::vector<std::int64_t> amounts;
  std::vector<std::size_t> sizes;
  do {
    const QueryResponse page = db().query(request).value();
    EXPECT_EQ(page.count, static_cast<std::int64_t>(page.items.size()));
    sizes.push_back(page.items.size());
    for (const Item& item : page.items)
      amounts.push_back(*item.at("amount").as_number().to_int64());
    request.exclusive_start_key = page.last_evaluated_key;
  } while (request.exclusive_start_key);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 2}));
  EXPECT_EQ(amounts, (std::vector<std::int64_t>{19, 18, 17, 16, 15, 14, 13, 12, 11, 10}));
}

TEST_P(Pages, AreFollowedByQueryEach) {
  QueryRequest request = orders();
  request.limit = 3;
  std::vector<std::string> keys;
  ASSERT_TRUE(db().query_each(
      request, [&](const Item& item) { keys.push_back(item.at("SK").as_string()); }));
  EXPECT_EQ(keys.size(), 10U);
  EXPECT_EQ(keys.front(), "ORDER#10");
  EXPECT_EQ(keys.back(), "ORDER#19");

  int seen = 0;
  ASSERT_TRUE(db().query_each(request, [&](const Item&) { return ++seen < 5; }));
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(error_text(db().query_each({.table_name = "none", .key_condition = "a = b"},
                                       [](const Item&) {})),
            error_text(db().query({.table_name = "none", .key_condition = "a = b"})));
}

TEST_P(Pages, OfAnIndexHoldItsItemsOnly) {
  const auto open = db().query({.table_name = "app",
                                .index_name = "by-status",
                                .key_condition = "#s = :open AND placed > :from",
                                .filter = "amount <> :not",
                                .projection = "SK",
                                .names = {{"#s", "status"}},
                                .values = {{":open", "open"}, {":from", "10"}, {":not", 14}},
                                .return_consumed_capacity = ReturnConsumedCapacity::indexes});
  const QueryResponse& page = open.value();
  EXPECT_EQ(page.items,
            (std::vector<Item>{{{"SK", "ORDER#12"}}, {{"SK", "ORDER#16"}}, {{"SK", "ORDER#18"}}}));
  EXPECT_EQ(page.count, 3);
  EXPECT_EQ(page.scanned_count, 4);
  EXPECT_FALSE(page.last_evaluated_key);
  EXPECT_EQ(page.consumed_capacity.value().global_indexes,
            (std::map<std::string, double>{{"by-status", 0.5}}));
}

TEST_P(Pages, CanBeCountedOnly) {
  QueryRequest request = orders();
  request.select = Select::count;
  const QueryResponse page = db().query(request).value();
  EXPECT_TRUE(page.items.empty());
  EXPECT_EQ(page.count, 10);
}

TEST_P(Pages, OfAllSegmentsOfAScanHoldEachItemOnce) {
  for (int i = 0; i < 30; ++i) put({{"PK", "P" + std::to_string(i)}, {"SK", "1"}});
  std::multiset<std::string> keys;
  for (int segment = 0; segment < 3; ++segment) {
    ASSERT_TRUE(
        db().scan_each({.table_name = "app", .limit = 5, .segment = segment, .total_segments = 3},
                       [&](const Item& item) {
                         keys.insert(item.at("PK").as_string() + item.at("SK").as_string());
                       }));
  }
  EXPECT_EQ(keys.size(), 40U);
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 40U);
}

TEST_P(Pages, EndAfterAMegabyte) {
  const std::string filling(300'000, 'x');
  for (int i = 0; i < 5; ++i) put({{"PK", "BIG"}, {"SK", std::to_string(i)}, {"filling", filling}});
  const QueryResponse first =
      db().query({.table_name = "app", .key_condition = "PK = :b", .values = {{":b", "BIG"}}})
          .value();
  EXPECT_EQ(first.count, 4);
  EXPECT_EQ(first.last_evaluated_key, (Item{{"PK", "BIG"}, {"SK", "3"}}));
}

TEST_P(Pages, AreRefusedWithTheTextsOfTheService) {
  const struct {
    QueryRequest request;
    std::string error;
  } queries[] = {
      {{.table_name = "app"},
       "ValidationException: Either the KeyConditions or KeyConditionExpression parameter must be "
       "specified in the "
       "request."},
      {{.table_name = "app", .key_condition = "PK = :c", .limit = 0},
       "ValidationException: 1 validation error detected: Value at 'Limit' failed to satisfy "
       "constraint: Member must "
       "have value greater than or equal to 1"},
      {{.table_name = "app", .key_condition = "PK = :c", .select = Select::specific_attributes},
       "ValidationException: Must specify the AttributesToGet or ProjectionExpression when "
       "choosing to get "
       "SPECIFIC_ATTRIBUTES"},
      {{.table_name = "app",
        .key_condition = "PK = :c",
        .projection = "a",
        .select = Select::count},
       "ValidationException: Cannot specify the ProjectionExpression when choosing to get COUNT"},
      {{.table_name = "app",
        .key_condition = "PK = :c",
        .select = Select::all_projected_attributes},
       "ValidationException: One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES "
       "can be used only "
       "when Querying using an IndexName"},
      {{.table_name = "app", .key_condition = "SK = :c", .values = {{":c", "x"}}},
       "ValidationException: Query condition missed key schema element: PK"},
  };
  for (const auto& [request, error] : queries) EXPECT_EQ(error_text(db().query(request)), error);

  const struct {
    ScanRequest request;
    std::string error;
  } scans[] = {
      {{.table_name = "app", .segment = 0, .total_segments = 0},
       "ValidationException: 1 validation error detected: Value '0' at 'totalSegments' failed to "
       "satisfy constraint: "
       "Member must have value greater than or equal to 1"},
      {{.table_name = "app", .segment = 1},
       "ValidationException: The TotalSegments parameter is required but was not present in the "
       "request when Segment "
       "parameter is present"},
      {{.table_name = "app", .total_segments = 1},
       "ValidationException: The Segment parameter is required but was not present in the request "
       "when parameter "
       "TotalSegments is present"},
      {{.table_name = "app", .segment = 2, .total_segments = 2},
       "ValidationException: The Segment parameter is zero-based and must be less than parameter "
       "TotalSegments: "
       "Segment: 2 is not less than TotalSegments: 2"},
  };
  for (const auto& [request, error] : scans) EXPECT_EQ(error_text(db().scan(request)), error);
}

}  // namespace
}  // namespace stator
