#include "engine/transact_write_items.h"

#include <gtest/gtest.h>

#include "engine/batch_write_item.h"
#include "engine/hooked_store.h"
#include "engine/idempotency.h"
#include "engine/row_key.h"
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
      write({action(TransactKind::remove, "1"), action(TransactKind::update, "3", "SET g = a"),
             action(TransactKind::check, "2", "", "attribute_exists(pk)")});
  // SET g = a reads an item that is not there.
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

// A write that began before the transaction had its items is put in order with it; one that comes later is refused.
TEST_F(TransactWriteItems, RefusesAPlainWriteWhileItIsUnderWay) {
  ASSERT_TRUE(write({action(TransactKind::put, "1")}).has_value());
  const Item own = {{"pk", S("a")}, {"sk", N("1")}};
  const Item other = {{"pk", S("a")}, {"sk", N("2")}};
  int changes = 0;
  hooked().before_change = [&]() -> std::optional<Error> {
    if (changes++ != 0) return std::nullopt;
    for (const auto& refused : {error_of(database_.put("t", own)), error_of(database_.remove("t", own)),
                                error_of(database_.update("t", own, {"REMOVE g", {}}))}) {
      EXPECT_EQ(refused, "Transaction is ongoing for the item");
    }
    EXPECT_EQ(database_.put("t", own).error().code, ErrorCode::transaction_conflict);
    EXPECT_TRUE(database_.put("t", other).has_value());
    EXPECT_NE(get("1"), "");  // reads go on
    return std::nullopt;
  };
  EXPECT_TRUE(write({action(TransactKind::update, "1", "SET a = pk"),
                     action(TransactKind::check, "3", "", "attribute_not_exists(pk)")})
                  .has_value());
  hooked().before_change = nullptr;
  EXPECT_GT(changes, 0);
  EXPECT_TRUE(database_.put("t", own).has_value());
}

TEST_F(TransactWriteItems, IsPutInOrderWithAPlainWriteThatBeganBefore) {
  ASSERT_TRUE(write({action(TransactKind::put, "1")}).has_value());
  const Item key = {{"pk", S("a")}, {"sk", N("1")}};
  int changes = 0;
  hooked().before_change = [&]() -> std::optional<Error> {
    if (changes++ == 0) {
      EXPECT_TRUE(write({action(TransactKind::update, "1", "SET a = pk")}).has_value());
    }
    return std::nullopt;
  };
  EXPECT_TRUE(database_.update("t", key, {"SET b = pk", {}}).has_value());
  hooked().before_change = nullptr;
  EXPECT_NE(get("1").find(R"("a":)"), std::string::npos);
  EXPECT_NE(get("1").find(R"("b":)"), std::string::npos);
}

TEST_F(TransactWriteItems, RefusesAnEmptyIndexKeyBeforeAnythingIsDecided) {
  const Item values = {{":e", S("")}, {":n", N("1")}};
  TransactAction update = action(TransactKind::update, "1", "SET g = :e", "attribute_exists(pk)");
  update.parameters.values = item::Attributes(values).first(1);
  const auto refused = write({update});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::validation);
  EXPECT_TRUE(refused.error().message.starts_with(
      "One or more parameter values are not valid. The update expression attempted to update a secondary index key"))
      << refused.error().message;
  // A wrong type is a reason of cancellation.
  update.update = "SET g = :n";
  update.condition.reset();
  update.parameters.values = item::Attributes(values).subspan(1);
  const auto canceled = write({update});
  ASSERT_FALSE(canceled.has_value());
  EXPECT_EQ(canceled.error().code, ErrorCode::transaction_canceled);
}

TEST(ItemCollections, HaveALimitInTablesWithLocalIndexes) {
  Database database(EngineOptions{.collection_bytes_max = 3000});
  database.create(testing::indexed_request("t"));
  const std::string text(1000, 'x');
  const auto item = [&](const char* partition, const char* sort) {
    return Item{{"pk", S(partition)}, {"sk", N(sort)}, {"v", S(text)}};
  };
  ASSERT_TRUE(database.put("t", item("a", "1")).has_value());
  ASSERT_TRUE(database.put("t", item("a", "2")).has_value());
  const auto refused = database.put("t", item("a", "3"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::collection_too_large);
  EXPECT_EQ(refused.error().message, "Collection size exceeded.");
  EXPECT_TRUE(database.put("t", item("b", "3")).has_value());
  EXPECT_TRUE(database.put("t", item("a", "2")).has_value());  // does not grow

  const Item too_much = item("a", "3");
  const Item fits = item("b", "4");
  std::vector<BatchWrite> batch(2);
  batch[0] = {"t", fits};
  batch[1] = {"t", too_much};
  const auto together = sync_wait(batch_write_item(database.engine, batch, false, database.arena));
  ASSERT_FALSE(together.has_value());
  EXPECT_EQ(together.error().code, ErrorCode::collection_too_large);

  std::vector<TransactAction> actions(2);
  actions[0].table_name = actions[1].table_name = "t";
  actions[0].attributes = fits;
  actions[1].attributes = too_much;
  const auto canceled =
      sync_wait(transact_write_items(database.engine, {.actions = actions}, database.arena));
  EXPECT_EQ(error_of(canceled),
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "ItemCollectionSizeLimitExceeded]");
  EXPECT_EQ(database.get("t", {{"pk", S("b")}, {"sk", N("4")}}), "");

  ASSERT_TRUE(database.remove("t", {{"pk", S("a")}, {"sk", N("1")}}).has_value());
  EXPECT_TRUE(database.put("t", too_much).has_value());
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

TEST_F(TransactWriteItems, ARepeatedRequestPaysByTheSizesOfTheFirst) {
  const std::string large(9000, 'x');
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"big", S(large)}}).has_value());
  const std::vector<TransactAction> actions = {action(TransactKind::remove, "1"), action(TransactKind::put, "2")};
  for (const std::vector<HalfUnits>& wanted : {std::vector<HalfUnits>{36, 4}, std::vector<HalfUnits>{12, 4}}) {
    const auto result = write(actions, "token");
    ASSERT_TRUE(result.has_value());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(result->outcomes[i].consumed.table_cost, wanted[i]);
  }
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

// The same request, sent to two nodes at once: the second one is as good as repeated.
class TransactOnTwoNodes : public TransactWriteItems {
 protected:
  TransactOnTwoNodes() {
    hooked().is_shared = true;
    other_.emplace(*database_.store, database_.clock);
    EXPECT_TRUE(sync_wait(other_->catalog.load()).has_value());
  }
  // Lets the other node carry the request out before the next change of this one.
  void overtake(const std::vector<TransactAction>& actions) {
    hooked().before_change = [this, actions]() -> std::optional<Error> {
      if (std::exchange(overtaken_, true)) return std::nullopt;
      const TransactWriteRequest request = {actions, "token", "f", false};
      const auto written = sync_wait(transact_write_items(*other_, request, database_.arena));
      EXPECT_TRUE(written.has_value()) << error_of(written);
      return std::nullopt;
    };
  }
  std::optional<Engine> other_;
  bool overtaken_ = false;
};

TEST_F(TransactOnTwoNodes, IsDoneOnce) {
  const std::vector<TransactAction> put = {action(TransactKind::put, "1", "", "attribute_not_exists(pk)")};
  overtake(put);
  const auto written = write(put, "token");
  ASSERT_TRUE(written.has_value()) << error_of(written);
  EXPECT_TRUE(written->replayed);
}

TEST_F(TransactOnTwoNodes, IsNotRefusedForItsOwnEffect) {
  const std::vector<TransactAction> put = {action(TransactKind::put, "1", "", "attribute_not_exists(pk)")};
  // Between the look at the token and that at the items.
  hooked().before_read = [&](std::string_view key) {
    if (key.starts_with(token_key(""))) return;
    hooked().before_read = nullptr;
    const TransactWriteRequest request = {put, "token", "f", false};
    EXPECT_TRUE(sync_wait(transact_write_items(*other_, request, database_.arena)).has_value());
  };
  const auto written = write(put, "token");
  ASSERT_TRUE(written.has_value()) << error_of(written);
  EXPECT_TRUE(written->replayed);
}

}  // namespace
}  // namespace stator::engine
