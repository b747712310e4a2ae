#include "embed/test_support.h"

namespace stator {
namespace {

class Transactions : public AppTest {};
STATOR_ON_BOTH_BACKENDS(Transactions);

Item item(const char* sort, int value) { return {{"PK", "a"}, {"SK", sort}, {"value", value}}; }

TEST_P(Transactions, WriteAllOrNothing) {
  put(item("2", 2));
  const TransactWriteItemsRequest request{
      .items = {TransactPut{.table_name = "app", .item = item("1", 1)},
                TransactUpdate{.table_name = "app",
                               .key = {{"PK", "a"}, {"SK", "2"}},
                               .update = "ADD #v :one",
                               .names = {{"#v", "value"}},
                               .values = {{":one", 1}}},
                TransactCheck{.table_name = "app",
                              .key = {{"PK", "a"}, {"SK", "3"}},
                              .condition = "attribute_not_exists(PK)"}},
      .return_consumed_capacity = ReturnConsumedCapacity::total};
  const auto done = db().transact_write_items(request).value();
  ASSERT_EQ(done.consumed_capacity.size(), 1U);
  EXPECT_EQ(done.consumed_capacity[0].capacity_units, 6);
  EXPECT_EQ(get("a", "1"), item("1", 1));
  EXPECT_EQ(get("a", "2"), item("2", 3));

  put(item("3", 3));
  const auto refused = db().transact_write_items(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::transaction_canceled);
  ASSERT_EQ(refused.error().reasons.size(), 3U);
  EXPECT_EQ(refused.error().reasons[0].code, "None");
  EXPECT_EQ(refused.error().reasons[2].code, "ConditionalCheckFailed");
  EXPECT_EQ(get("a", "2"), item("2", 3));
}

TEST_P(Transactions, ReasonsHoldTheItemWhereItWasAskedFor) {
  put(item("1", 7));
  const auto refused =
      db().transact_write_items({.items = {TransactDelete{.table_name = "app",
                                                          .key = {{"PK", "a"}, {"SK", "1"}},
                                                          .condition = "attribute_not_exists(PK)",
                                                          .return_item_on_failure = true}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reasons.at(0).item, item("1", 7));
}

TEST_P(Transactions, ATokenMakesARepetitionHarmless) {
  TransactWriteItemsRequest request{.items = {TransactUpdate{.table_name = "app",
                                                             .key = {{"PK", "a"}, {"SK", "1"}},
                                                             .update = "ADD visits :one",
                                                             .values = {{":one", 1}}}},
                                    .client_request_token = "token-1"};
  db().transact_write_items(request).value();
  db().transact_write_items(request).value();
  EXPECT_EQ(get("a", "1")->at("visits"), AttributeValue(1));
  std::get<TransactUpdate>(request.items[0]).values = {{":one", 2}};
  EXPECT_EQ(db().transact_write_items(request).error().kind,
            ErrorKind::idempotent_parameter_mismatch);
}

TEST_P(Transactions, GetsAreOneForEachKeyInOrder) {
  put(item("1", 1));
  const auto got =
      db().transact_get_items({.items = {{.table_name = "app", .key = {{"PK", "a"}, {"SK", "2"}}},
                                         {.table_name = "app",
                                          .key = {{"PK", "a"}, {"SK", "1"}},
                                          .projection = "SK, #v",
                                          .names = {{"#v", "value"}}}}})
          .value();
  ASSERT_EQ(got.items.size(), 2U);
  EXPECT_EQ(got.items[0], std::nullopt);
  EXPECT_EQ(got.items[1], (Item{{"SK", "1"}, {"value", 1}}));
}

TEST_P(Transactions, SizesAreChecked) {
  EXPECT_EQ(db().transact_write_items({}).error().kind, ErrorKind::validation);
  TransactGetItemsRequest many;
  many.items.resize(101, {.table_name = "app", .key = {{"PK", "a"}, {"SK", "1"}}});
  EXPECT_EQ(db().transact_get_items(many).error().kind, ErrorKind::validation);
  EXPECT_EQ(
      db().transact_write_items({.items = {TransactPut{.table_name = "app", .item = item("1", 1)}},
                                 .client_request_token = std::string(37, 'x')})
          .error()
          .kind,
      ErrorKind::validation);
}

}  // namespace
}  // namespace stator
