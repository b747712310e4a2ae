// Updates and transactions.
#include <gtest/gtest.h>

#include "model/test_model.h"

namespace stator::model::test {
namespace {

TEST_F(ShopTest, UpdateRewritesTheKeysThatFollow) {
  Order order = order_9001();
  shop().put(order).value();
  const Order shipped = shop()
                            .update(Order{.customer = "a1b2", .id = "o-9001", .date = "2026-06-01"})
                            .set<"status">("SHIPPED")
                            .run()
                            .value();
  EXPECT_EQ(shipped.status, "SHIPPED");
  EXPECT_EQ(shipped.total, Number("149"));
  EXPECT_EQ(shipped.version, 2);
  const auto open_orders = [&] {
    return shop().query_index<"GSI2", Order>({}).all().value().size();
  };
  const auto orders_in = [&](const char* status) {
    return shop()
        .query_index<"GSI1", Order>({.customer = "a1b2", .status = status})
        .all()
        .value()
        .size();
  };
  EXPECT_EQ(open_orders(), 0U);
  EXPECT_EQ(orders_in("SHIPPED"), 1U);
  EXPECT_EQ(orders_in("OPEN"), 0U);
  shop().update(order).set<"status">("OPEN").run().value();
  EXPECT_EQ(open_orders(), 1U);
}

TEST_F(ShopTest, UpdateUnderAVersion) {
  Order order = order_9001();
  shop().put(order).value();
  shop().update(order).set<"total">(Number("1")).expect_version(1).run().value();
  const auto refused = shop().update(order).set<"total">(Number("2")).expect_version(1).run();
  EXPECT_EQ(refused.error().kind, ErrorKind::version_conflict);
  const auto failed = shop()
                          .update(order)
                          .set<"total">(Number("2"))
                          .when("#total > :t", {{":t", 5}}, {{"#total", "total"}})
                          .run();
  EXPECT_EQ(failed.error().kind, ErrorKind::conditional_check_failed);
  EXPECT_EQ(shop().get(order).value()->total, Number("1"));
}

TEST_F(ShopTest, UpdateMakesNoItem) {
  const auto refused = shop().update(order_9001()).set<"status">("PAID").run();
  EXPECT_EQ(refused.error().kind, ErrorKind::conditional_check_failed);
  EXPECT_EQ(shop().get(order_9001()).value(), std::nullopt);
}

TEST_F(ShopTest, UpdateAddsAndRemoves) {
  const LineItem line{.order = "o", .number = 1, .sku = "A", .quantity = 2};
  shop().put(line).value();
  EXPECT_EQ(shop().update(line).add<"qty">(5).run().value().quantity, 7);
  const Event event{.pallet = "p", .id = "e", .at = "2026", .note = "fragile"};
  shop().put(event).value();
  EXPECT_EQ(shop().update(event).remove<"note">().run().value().note, std::nullopt);
  EXPECT_EQ(shop().update(event).set<"note">("again").run().value().note, "again");
}

TEST_F(ShopTest, TransactionWritesAllOrNothing) {
  Order order = order_9001();
  OrderHeader header{.order = "o-9001", .status = "OPEN"};
  const LineItem first{.order = "o-9001", .number = 1, .sku = "ABC", .quantity = 2};
  LineItem second{.order = "o-9001", .number = 2, .sku = "XYZ", .quantity = 1};
  shop().transaction().create(order).create(header).put(first).put(second).commit().value();
  EXPECT_EQ(order.version, 1);
  EXPECT_EQ(header.version, 1);
  EXPECT_EQ((shop().query<OrderHeader, LineItem>({.order = "o-9001"}).all().value().size()), 3U);

  Order again = order_9001();
  second.quantity = 99;
  const auto refused = shop().transaction().create(again).put(second).commit();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::transaction_canceled);
  ASSERT_EQ(refused.error().reasons.size(), 2U);
  EXPECT_EQ(refused.error().reasons[0].code, "ConditionalCheckFailed");
  EXPECT_EQ(refused.error().reasons[1].code, "None");
  EXPECT_EQ(shop().get(second).value()->quantity, 1);
  EXPECT_EQ(again.version, 0);
}

TEST_F(ShopTest, TransactionUnderVersionsIsAConflict) {
  Order order = order_9001();
  OrderHeader header{.order = "o-9001", .status = "OPEN"};
  shop().transaction().put(order).put(header).commit().value();
  Order outdated = order;
  order.status = "PAID";
  header.status = "PAID";
  shop().transaction().put(order).put(header).commit().value();
  EXPECT_EQ(order.version, 2);
  const auto refused = shop().transaction().put(outdated).put(header).commit();
  EXPECT_EQ(refused.error().kind, ErrorKind::version_conflict);
  EXPECT_EQ(header.version, 2);
  EXPECT_EQ(shop().transaction().erase(outdated).commit().error().kind,
            ErrorKind::version_conflict);
  shop().transaction().erase(order).check(header, "version = :v", {{":v", 2}}).commit().value();
  EXPECT_EQ(shop().get(order).value(), std::nullopt);
  const auto unmet = shop().transaction().check(header, "version = :v", {{":v", 7}}).commit();
  EXPECT_EQ(unmet.error().kind, ErrorKind::transaction_canceled);
}

TEST_F(ShopTest, TransactGetReadsOneMoment) {
  Order order = order_9001();
  shop().put(order).value();
  const auto [found, missing] = shop().transact_get(order, OrderHeader{.order = "none"}).value();
  EXPECT_EQ(found, order);
  EXPECT_EQ(missing, std::nullopt);
}

}  // namespace
}  // namespace stator::model::test
