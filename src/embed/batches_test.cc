#include "embed/test_support.h"

namespace stator {
namespace {

class Batches : public AppTest {
 protected:
  [[nodiscard]] static Item key(int i) { return {{"PK", "B"}, {"SK", std::to_string(i)}}; }
};
STATOR_ON_BOTH_BACKENDS(Batches);

TEST_P(Batches, PutAndDeleteInSeveralTables) {
  db().create_table({.table_name = "other", .key = {.partition = {{"id", ScalarType::number}}}})
      .value();
  put(key(1));
  const auto written = db().batch_write_item(
      {.request_items = {{"app", {DeleteRequest{.key = key(1)}, PutRequest{.item = key(2)}}},
                         {"other", {PutRequest{.item = {{"id", 7}, {"v", "x"}}}}}},
       .return_consumed_capacity = ReturnConsumedCapacity::total});
  const std::vector<ConsumedCapacity>& consumed = written.value().consumed_capacity;
  ASSERT_EQ(consumed.size(), 2U);
  EXPECT_EQ(consumed[0].table_name, "app");
  EXPECT_EQ(consumed[0].capacity_units, 2);

  const auto read = db().batch_get_item(
      {.request_items = {{"app", {.keys = {key(1), key(2)}}},
                         {"other",
                          {.keys = {{{"id", 7}}}, .projection = "v", .consistent_read = true}}},
       .return_consumed_capacity = ReturnConsumedCapacity::total});
  const BatchGetItemResponse& response = read.value();
  EXPECT_EQ(response.responses.at("app"), std::vector<Item>{key(2)});
  EXPECT_EQ(response.responses.at("other"), (std::vector<Item>{{{"v", "x"}}}));
  EXPECT_TRUE(response.unprocessed_keys.empty());
  ASSERT_EQ(response.consumed_capacity.size(), 2U);
  EXPECT_EQ(response.consumed_capacity[0].capacity_units,
            1);  // one item and one that is not there, half each
  EXPECT_EQ(response.consumed_capacity[1].capacity_units, 1);
}

TEST_P(Batches, LeaveKeysUnprocessedBeyondSixteenMegabytes) {
  const std::string filling(390'000, 'x');
  KeysAndAttributes wanted = {.projection = "SK", .consistent_read = true};
  for (int i = 0; i < 45; ++i) {
    Item item = key(i);
    wanted.keys.push_back(item);
    item["filling"] = filling;
    put(std::move(item));
  }
  BatchGetItemRequest request = {.request_items = {{"app", wanted}}};
  std::size_t items = 0;
  int calls = 0;
  while (!request.request_items.empty()) {
    const BatchGetItemResponse response = db().batch_get_item(request).value();
    items += response.responses.at("app").size();
    request.request_items = response.unprocessed_keys;
    if (!request.request_items.empty()) {
      EXPECT_EQ(request.request_items.at("app").projection, "SK");
      EXPECT_TRUE(request.request_items.at("app").consistent_read);
    }
    ASSERT_LE(++calls, 3);
  }
  EXPECT_EQ(items, 45U);
  EXPECT_EQ(calls, 2);
}

TEST_P(Batches, HaveASize) {
  std::vector<WriteRequest> writes;
  std::vector<Item> keys;
  for (int i = 0; i < 101; ++i) {
    if (i < 26) writes.push_back(PutRequest{.item = key(i)});
    keys.push_back(key(i));
  }
  EXPECT_EQ(error_text(db().batch_write_item({.request_items = {{"app", writes}}})),
            "ValidationException: Too many items requested for the BatchWriteItem call");
  writes.pop_back();
  EXPECT_TRUE(db().batch_write_item({.request_items = {{"app", writes}}}));

  EXPECT_EQ(error_text(db().batch_get_item({.request_items = {{"app", {.keys = keys}}}})),
            "ValidationException: Too many items requested for the BatchGetItem call");
  keys.pop_back();
  EXPECT_EQ(db().batch_get_item({.request_items = {{"app", {.keys = keys}}}})
                .value()
                .responses.at("app")
                .size(),
            25U);

  EXPECT_EQ(error_text(db().batch_write_item({})),
            "ValidationException: The requestItems parameter is required for BatchWriteItem");
  EXPECT_EQ(error_text(db().batch_get_item({})),
            "ValidationException: The requestItems parameter is required for BatchGetItem");
  EXPECT_EQ(error_text(db().batch_write_item({.request_items = {{"app", {}}}})),
            "ValidationException: 1 validation error detected: Value '{app=[]}' at 'requestItems' "
            "failed to satisfy "
            "constraint: Map value must satisfy constraint: [Member must have length less than or "
            "equal to 25, Member "
            "must have length greater than or equal to 1]");
  EXPECT_EQ(error_text(db().batch_get_item({.request_items = {{"app", {}}}})),
            "ValidationException: 1 validation error detected: Value '[]' at "
            "'requestItems.app.member.keys' failed "
            "to satisfy constraint: Member must have length greater than or equal to 1");
}

TEST_P(Batches, WriteAllOrNothing) {
  EXPECT_EQ(error_text(db().batch_write_item(
                {.request_items = {{"app",
                                    {PutRequest{.item = key(1)}, DeleteRequest{.key = key(1)}}}}})),
            "ValidationException: Provided list of item keys contains duplicates");
  EXPECT_FALSE(get("B", "1"));
}

}  // namespace
}  // namespace stator
