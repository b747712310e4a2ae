#include "engine/transact_write_items.h"

#include <gtest/gtest.h>

#include "engine/hooked_store.h"
#include "engine/idempotency.h"
#include "engine/test_support.h"
#include "engine/transact_get_items.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::HookedStore;
using testing::Item;
using testing::N;
using testing::S;

class TransactWriteItems : public ::testing::Test {
 protected:
  TransactWriteItems() { database_.create(testing::indexed_request("t")); }

  TransactAction action(TransactKind kind, const char* sort, std::string_view update = {},
                        std::string_view condition = {}) {
    const Item key = {{"pk", S("a")}, {"sk", N(sort)}};
    TransactAction result;
    result.kind = kind;
    result.table_name = "t";
    result.attributes = database_.arena.copy(item::Attributes(key));
    if (!update.empty()) result.update = update;
    if (!condition.empty()) result.condition = condition;
    result.return_item_on_failure = true;
    return result;
  }
  Result<TransactWriteResult> write(const std::vector<TransactAction>& actions,
                                    std::string_view token = {},
                                    std::string_view fingerprint = "f") {
    const TransactWriteRequest request = {actions, token, fingerprint, false};
    return sync_wait(transact_write_items(database_.engine, request, database_.arena));
  }
  std::string get(const char* sort) {
    return database_.get("t", {{"pk", S("a")}, {"sk", N(sort)}});
  }
  HookedStore& hooked() { return static_cast<HookedStore&>(*database_.store); }

  Database database_{std::make_unique<HookedStore>()};
};

TEST_F(TransactWriteItems, DoesAllOfIt) {
  ASSERT_TRUE(write({action(TransactKind::put, "1"), action(TransactKind::put, "2")}).has_value());
  const auto result =
      write({action(TransactKind::remove, "1"), action(TransactKind::update, "3", "SET g = pk"),
             action(TransactKind::check, "2", "", "attribute_exists(pk)")});
  // SET g = pk reads an item that is not there.
  EXPECT_FALSE(result.has_value());
  EXPECT_NE(get("1"), "");
  const auto again =
      write({action(TransactKind::remove, "1"), action(TransactKind::update, "2", "SET g = pk"),
             action(TransactKind::check, "3", "", "attribute_not_exists(pk)")});
  ASSERT_TRUE(again.has_value()) << error_of(again);
  EXPECT_EQ(get("1"), "");
  EXPECT_EQ(get("2"), R"({"pk":{"S":"a"},"sk":{"N":"2"},"g":{"S":"a"}})");
  EXPECT_EQ(get("3"), "");
  EXPECT_EQ(again->outcomes[0].consumed.table_cost, 2 * write_cost(1));
}

TEST_F(TransactWriteItems, DoesNothingWhereOneActionIsRefusedAndTellsWhich) {
  ASSERT_TRUE(write({action(TransactKind::put, "1")}).has_value());
  const auto canceled = write({action(TransactKind::put, "2"),
                               action(TransactKind::put, "1", "", "attribute_not_exists(pk)"),
                               action(TransactKind::check, "3", "", "attribute_exists(pk)")});
  ASSERT_FALSE(canceled.has_value());
  EXPECT_EQ(canceled.error().code, ErrorCode::transaction_canceled);
  EXPECT_EQ(canceled.error().message,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "ConditionalCheckFailed, ConditionalCheckFailed]");
  const auto* detail =
      dynamic_cast<const TransactionCanceledDetail*>(canceled.error().detail.get());
  ASSERT_NE(detail, nullptr);
  ASSERT_EQ(detail->reasons.size(), 3u);
  EXPECT_EQ(detail->reasons[1].item_text, R"({"pk":{"S":"a"},"sk":{"N":"1"}})");
  EXPECT_EQ(detail->reasons[2].item_text, "");
  EXPECT_EQ(get("2"), "");
}

TEST_F(TransactWriteItems, RefusesTwoActionsOnOneItem) {
  EXPECT_EQ(error_of(write({action(TransactKind::put, "1"),
                            action(TransactKind::check, "1", "", "attribute_exists(pk)")})),
            "Transaction request cannot include multiple operations on one item");
}

TEST_F(TransactWriteItems, IsCanceledByAnotherOneOnTheSameItem) {
  // The second transaction comes while the first one waits for its commit.
  hooked().before_change = [&]() -> std::optional<Error> {
    hooked().before_change = nullptr;
    const auto second = write({action(TransactKind::put, "2"), action(TransactKind::put, "1")});
    EXPECT_EQ(error_of(second),
              "Transaction cancelled, please refer cancellation reasons for specific reasons "
              "[None, TransactionConflict]");
    EXPECT_TRUE(write({action(TransactKind::put, "3")}).has_value());
    return std::nullopt;
  };
  ASSERT_TRUE(write({action(TransactKind::put, "1")}).has_value());
  EXPECT_TRUE(hooked().before_change == nullptr);
  EXPECT_EQ(get("2"), "");
  EXPECT_TRUE(write({action(TransactKind::put, "1")}).has_value());
}

TEST_F(TransactWriteItems, ChecksAgainOnWhatAFasterWriterLeft) {
  ASSERT_TRUE(write({action(TransactKind::put, "1")}).has_value());
  hooked().before_change = testing::conflict_times(3);
  ASSERT_TRUE(write({action(TransactKind::update, "1", "SET g = pk"),
                     action(TransactKind::check, "2", "", "attribute_not_exists(pk)")})
                  .has_value());
  EXPECT_EQ(get("1"), R"({"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"a"}})");
}

TEST_F(TransactWriteItems, DoesARepeatedRequestOnce) {
  const std::vector<TransactAction> put = {action(TransactKind::put, "1")};
  EXPECT_FALSE(write(put, "token")->replayed);
  ASSERT_TRUE(database_.remove("t", {{"pk", S("a")}, {"sk", N("1")}}).has_value());
  EXPECT_TRUE(write(put, "token")->replayed);
  EXPECT_EQ(get("1"), "");
  EXPECT_EQ(error_of(write(put, "token", "another request")),
            "Request parameters do not match the parameters of the original request with this "
            "client token");
  database_.clock.advance(kTokenLifetimeMs);
  EXPECT_FALSE(write(put, "token")->replayed);
  EXPECT_NE(get("1"), "");
}

TEST_F(TransactWriteItems, ForgetsOldTokensAndKeepsThoseUsedAgain) {
  const std::vector<TransactAction> put = {action(TransactKind::put, "1")};
  const auto token_rows = [&] {
    return testing::StoredRows(*database_.store, token_key(""), token_expiry_key(INT64_MAX, ""))
        .rows.size();
  };
  ASSERT_TRUE(write(put, "old").has_value());
  ASSERT_TRUE(write(put, "again").has_value());
  EXPECT_EQ(token_rows(), 4u);
  database_.clock.advance(kTokenLifetimeMs + 1);
  ASSERT_TRUE(write(put, "again").has_value());
  ASSERT_TRUE(sync_wait(forget_expired_tokens(database_.engine)).has_value());
  EXPECT_EQ(token_rows(), 2u);
  EXPECT_TRUE(write(put, "again")->replayed);
}

TEST_F(TransactWriteItems, ForgetsATokenThatWasUsedTwiceBeforeAnyoneLooked) {
  const std::vector<TransactAction> put = {action(TransactKind::put, "1")};
  ASSERT_TRUE(write(put, "token").has_value());
  database_.clock.advance(kTokenLifetimeMs + 1);
  ASSERT_TRUE(write(put, "token").has_value());
  database_.clock.advance(kTokenLifetimeMs + 1);
  ASSERT_TRUE(sync_wait(forget_expired_tokens(database_.engine)).has_value());
  EXPECT_TRUE(testing::StoredRows(*database_.store, token_key(""), token_expiry_key(INT64_MAX, ""))
                  .rows.empty());
}

TEST_F(TransactWriteItems, IsSeenWholeByATransactionalRead) {
  ASSERT_TRUE(write({action(TransactKind::put, "1"), action(TransactKind::put, "2")}).has_value());
  const Item first = {{"pk", S("a")}, {"sk", N("1")}};
  const Item absent = {{"pk", S("a")}, {"sk", N("3")}};
  const TransactGet gets[] = {{"t", first, {}, {}}, {"t", absent, {}, {}}};
  const auto items = sync_wait(transact_get_items(database_.engine, gets, database_.arena));
  ASSERT_TRUE(items.has_value()) << error_of(items);
  EXPECT_EQ((*items)[0].item->text(), R"({"pk":{"S":"a"},"sk":{"N":"1"}})");
  EXPECT_FALSE((*items)[1].item.has_value());
  EXPECT_EQ((*items)[0].consumed.table_cost, 2 * read_cost(1, true));
}

}  // namespace
}  // namespace stator::engine
