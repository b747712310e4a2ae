#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "model/test_model.h"

namespace stator::model::test {
namespace {

TEST_F(ShopTest, PutWritesTheItemOfTheModel) {
  Order order = order_9001();
  shop().put(order).value();
  const Item expected = {{"PK", "CUST#a1b2"},          {"SK", "ORDER#2026-06-01#o-9001"},
                         {"GSI1PK", "CUST#a1b2#OPEN"}, {"GSI1SK", "2026-06-01#o-9001"},
                         {"GSI2PK", "OPEN"},           {"GSI2SK", "2026-06-01#o-9001"},
                         {"entity_type", "Order"},     {"status", "OPEN"},
                         {"total", Number("149")},     {"version", 1}};
  EXPECT_EQ(stored("CUST#a1b2", "ORDER#2026-06-01#o-9001"), expected);
  EXPECT_EQ(order.version, 1);
}

TEST_F(ShopTest, GetReadsFieldsBackFromTheKeys) {
  Order order = order_9001();
  shop().put(order).value();
  const LineItem line{
      .order = "o-9001", .number = 7, .sku = "ABC", .quantity = 2, .price = Number("49.5")};
  shop().put(line).value();
  EXPECT_EQ(shop().get<Order>({.customer = "a1b2", .id = "o-9001", .date = "2026-06-01"}).value(),
            order);
  EXPECT_EQ(shop().get<LineItem>({.order = "o-9001", .number = 7}).value(), line);
  EXPECT_EQ(shop().get<LineItem>({.order = "o-9001", .number = 8}).value(), std::nullopt);
}

TEST_F(ShopTest, SparseKeysAreThereWhileTheConditionHolds) {
  Order order = order_9001();
  shop().put(order).value();
  order.status = "SHIPPED";
  shop().put(order).value();
  const Item item = stored("CUST#a1b2", "ORDER#2026-06-01#o-9001");
  EXPECT_FALSE(item.contains("GSI2PK"));
  EXPECT_EQ(item.at("GSI1PK"), AttributeValue("CUST#a1b2#SHIPPED"));
}

TEST_F(ShopTest, AnOutdatedObjectIsAConflict) {
  Order mine = order_9001();
  shop().put(mine).value();
  Order theirs = *shop().get(mine).value();
  theirs.status = "PAID";
  shop().put(theirs).value();
  mine.status = "CANCELLED";
  const Outcome<void> refused = shop().put(mine);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::version_conflict);
  EXPECT_EQ(refused.error().item.value().at("status"), AttributeValue("PAID"));
  EXPECT_EQ(mine.version, 1) << "a refused write changes no version";
  EXPECT_EQ(shop().get(mine).value()->status, "PAID");

  Order again = order_9001();  // version 0: only where there is none
  EXPECT_EQ(shop().put(again).error().kind, ErrorKind::version_conflict);
  EXPECT_EQ(shop().erase(mine).error().kind, ErrorKind::version_conflict);
  shop().erase(theirs).value();
  EXPECT_EQ(shop().get(mine).value(), std::nullopt);
}

TEST_F(ShopTest, CreateRefusesWhatIsThere) {
  const Customer ada{
      .id = "a1b2", .name = "Ada", .email = "a@b", .tier = "gold", .created_at = "2026"};
  shop().create(ada).value();
  EXPECT_EQ(shop().create(ada).error().kind, ErrorKind::conditional_check_failed);
  shop().put(ada).value();
}

TEST_F(ShopTest, ModifyIsNotLostAmongManyWriters) {
  OrderHeader header{.order = "o-9001", .status = "0"};
  shop().put(header).value();
  constexpr int kThreads = 4;
  constexpr int kChanges = 10;
  std::vector<std::thread> writers;
  std::atomic<int> done = 0;
  for (int i = 0; i < kThreads; ++i) {
    writers.emplace_back([&] {
      for (int change = 0; change < kChanges; ++change) {
        const auto changed = shop().modify(
            OrderHeader{.order = "o-9001"},
            [](OrderHeader& one) { one.status = std::to_string(std::stoi(one.status) + 1); }, 1000);
        if (changed && *changed) ++done;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(done, kThreads * kChanges);
  const OrderHeader last = *shop().get(header, true).value();
  EXPECT_EQ(last.status, std::to_string(kThreads * kChanges));
  EXPECT_EQ(last.version, 1 + kThreads * kChanges);
}

TEST_F(ShopTest, ModifyGivesUp) {
  EXPECT_EQ(shop().modify(OrderHeader{.order = "none"}, [](OrderHeader&) {}).value(), std::nullopt);
  OrderHeader header{.order = "o-9001", .status = "OPEN"};
  shop().put(header).value();
  const auto refused = shop().modify(header, [](OrderHeader&) -> Outcome<void> {
    return DatabaseError{.kind = ErrorKind::validation, .name = "No", .message = "not now"};
  });
  EXPECT_EQ(refused.error().message, "not now");
  int calls = 0;
  const auto lost = retry_on_conflict(
      [&]() -> Outcome<void> {
        ++calls;
        return DatabaseError{.kind = ErrorKind::version_conflict};
      },
      3);
  EXPECT_EQ(lost.error().kind, ErrorKind::version_conflict);
  EXPECT_EQ(calls, 3);
}

TEST_F(ShopTest, KeysThatCannotBeMadeAreRefused) {
  EXPECT_EQ(shop().get(Customer{}).error().message,
            "the field customerId is empty, and a key needs it");
  EXPECT_EQ(shop().put(LineItem{.order = "o", .number = 1000}).error().message,
            "the field lineNumber: 1000 does not fit into 3 characters");
  // It would be read back as another customer and order.
  Order order = order_9001();
  order.date = "2026#06";
  EXPECT_EQ(shop().put(order).error().message,
            "the field orderDate holds \"#\", which ends it in the key SK");
}

TEST_F(ShopTest, AnItemOfAnotherShapeIsSaid) {
  connection_
      ->put_item({.table_name = "app-main",
                  .item = {{"PK", "CUST#1"}, {"SK", "PROFILE"}, {"name", 1}, {"email", "e"}}})
      .value();
  const auto wrong = shop().get(Customer{.id = "1"});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("an item is no Customer"), std::string::npos);
}

TEST_F(ShopTest, LargeAttributesAreStoredCompressed) {
  const std::string text(20'000, 'x');
  const Event event{
      .pallet = "p", .id = "e1", .at = "2026", .detail = text, .picture = Binary(text)};
  shop().put(event).value();
  const std::string partition = "PALLET#p#" + std::to_string(shard_of("e1", 10));
  const Item item = stored(partition, "EVENT#2026#e1");
  EXPECT_LT(item.at("detail").as_binary().bytes.size(), 200U);
  EXPECT_LT(item.at("picture").as_binary().bytes.size(), 200U);
  EXPECT_EQ(shop().get(event).value(), event);

  const Event small{.pallet = "p", .id = "e1", .at = "2026", .detail = "short"};
  shop().put(small).value();
  EXPECT_EQ(stored(partition, "EVENT#2026#e1").at("detail"), AttributeValue("short"));
  EXPECT_EQ(shop().get(small).value(), small);
}

TEST_F(ShopTest, RandomShardsAreChosenOnceAndReadBack) {
  Counter counter{.board = "world", .points = 5};
  shop().put(counter).value();
  ASSERT_GE(counter.shard, 0);
  ASSERT_LT(counter.shard, 10);
  EXPECT_EQ(shop().get(counter).value(), counter);
  EXPECT_FALSE(shop().get(Counter{.board = "world"})) << "it can be in any of the shards";
}

}  // namespace
}  // namespace stator::model::test
