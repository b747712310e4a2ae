#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "model/test_model.h"

namespace stator::model::test {
namespace {

class QueryTest : public ShopTest {
 protected:
  QueryTest() {
    shop().put(Customer{.id = "a1b2", .name = "Ada"}).value();
    for (int day = 1; day <= 9; ++day) {
      Order order = order_9001();
      order.id = "o-" + std::to_string(day);
      order.date = "2026-0" + std::to_string(day <= 4 ? 6 : 7) + "-0" + std::to_string(day);
      order.status = day % 3 == 0 ? "SHIPPED" : "OPEN";
      shop().put(order).value();
    }
    OrderHeader header{.order = "o-1", .status = "OPEN"};
    shop().put(header).value();
    for (const int number : {1, 2, 10})
      shop().put(LineItem{.order = "o-1", .number = number, .sku = "ABC"}).value();
  }

  static std::string ids(const std::vector<Order>& orders) {
    std::string text;
    for (const Order& order : orders) text += (text.empty() ? "" : " ") + order.id;
    return text;
  }
};

TEST_F(QueryTest, OneStructIsItsPartOfTheCollection) {
  EXPECT_EQ(ids(shop().query<Order>({.customer = "a1b2"}).all().value()),
            "o-1 o-2 o-3 o-4 o-5 o-6 o-7 o-8 o-9");
  EXPECT_EQ(ids(shop().query<Order>({.customer = "a1b2"}).descending().limit(2).all().value()),
            "o-9 o-8");
  EXPECT_EQ(shop().query<Customer>({.id = "a1b2"}).all().value().size(), 1U);
  EXPECT_EQ(shop().query<Order>({.customer = "a1b2"}).descending().first().value()->id, "o-9");
  EXPECT_EQ(shop().query<Order>({.customer = "nobody"}).first().value(), std::nullopt);
}

TEST_F(QueryTest, SortKeysCanBeNarrowed) {
  const auto orders = [&] {
    return shop().query<Order>({.customer = "a1b2", .date = "2026-06-03"});
  };
  EXPECT_EQ(ids(orders().begins_with("ORDER#2026-06").all().value()), "o-1 o-2 o-3 o-4");
  EXPECT_EQ(ids(orders().up_to<"orderDate">().all().value()), "o-3");
  EXPECT_EQ(ids(orders().between("ORDER#2026-06-02", "ORDER#2026-06-04").all().value()), "o-2 o-3");
  EXPECT_EQ(
      ids(orders()
              .between({.id = "o-2", .date = "2026-06-02"}, {.id = "o-5", .date = "2026-07-05"})
              .all()
              .value()),
      "o-2 o-3 o-4 o-5");
  EXPECT_EQ(ids(orders()
                    .filter("#status = :s", {{":s", "SHIPPED"}}, {{"#status", "status"}})
                    .all()
                    .value()),
            "o-3 o-6 o-9");
  EXPECT_FALSE(orders().limit(0).all());
}

TEST_F(QueryTest, SeveralStructsAreAVariantInTheOrderOfTheKey) {
  const auto parts =
      shop().query<OrderHeader, LineItem>({.order = "o-1"}).descending().all().value();
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(std::get<OrderHeader>(parts[0]).status, "OPEN");
  EXPECT_EQ(std::get<LineItem>(parts[1]).number, 10);
  EXPECT_EQ(std::get<LineItem>(parts[3]).number, 1);
}

TEST_F(QueryTest, EachVisitsByStruct) {
  int lines = 0;
  int headers = 0;
  shop()
      .query<OrderHeader, LineItem>({.order = "o-1"})
      .each([&](const OrderHeader&) { ++headers; }, [&](const LineItem&) { ++lines; })
      .value();
  EXPECT_EQ(headers, 1);
  EXPECT_EQ(lines, 3);
}

TEST_F(QueryTest, OtherEntitiesAreLeftOut) {
  EXPECT_EQ((shop().query<Customer, Order>({.id = "a1b2"}).all().value().size()), 10U);
  EXPECT_EQ(shop().query<Customer>({.id = "a1b2"}).begins_with("").all().value().size(), 1U);
}

TEST_F(QueryTest, IndexesHoldTheirProjection) {
  EXPECT_EQ(ids(shop()
                    .query_index<"GSI1", Order>({.customer = "a1b2", .status = "SHIPPED"})
                    .all()
                    .value()),
            "o-3 o-6 o-9");
  const auto open = shop().query_index<"GSI2", Order>({}).limit(2).all().value();
  ASSERT_EQ(open.size(), 2U);
  EXPECT_EQ(open[0], (Order{.customer = "a1b2",
                            .id = "o-1",
                            .date = "2026-06-01",
                            .status = "OPEN",
                            .total = Number("149"),
                            .version = 0}))
      << "the version is not projected";
}

TEST_F(QueryTest, PagesGoOnWhereTheLastEnded) {
  std::string found;
  std::optional<Item> next;
  int pages = 0;
  do {
    auto page = shop().query<Order>({.customer = "a1b2"}).limit(4).page(next).value();
    found += (found.empty() ? "" : " ") + ids(page.items);
    next = page.next;
    ++pages;
  } while (next);
  EXPECT_EQ(found, "o-1 o-2 o-3 o-4 o-5 o-6 o-7 o-8 o-9");
  EXPECT_EQ(pages, 3);
}

TEST_F(QueryTest, ShardsAreReadAsOneInOrder) {
  std::set<std::string> partitions;
  for (int minute = 0; minute < 60; ++minute) {
    const std::string number = std::to_string(minute);
    const Event event{
        .pallet = "p-1",
        .id = "e" + number,
        .at = "2026-06-01T12:" + std::string(2 - number.size(), '0') + number + ":00Z"};
    shop().put(event).value();
    partitions.insert(std::to_string(shard_of(event.id, 10)));
  }
  ASSERT_GT(partitions.size(), 5U) << "the test needs several shards";
  const auto all = shop().query<Event>({.pallet = "p-1"}).all().value();
  ASSERT_EQ(all.size(), 60U);
  for (int minute = 0; minute < 60; ++minute)
    EXPECT_EQ(all[minute].id, "e" + std::to_string(minute));
  const auto newest = shop().query<Event>({.pallet = "p-1"}).descending().limit(7).all().value();
  ASSERT_EQ(newest.size(), 7U);
  EXPECT_EQ(newest[0].id, "e59");
  EXPECT_EQ(newest[6].id, "e53");
}

TEST_F(QueryTest, RandomShardsAreSummedUp) {
  for (int i = 0; i < 30; ++i) {
    Counter counter{.board = "world"};
    detail::choose_shard<Shop::EntityOf<Counter>>(counter);
    if (const auto there = shop().get(counter).value()) counter = *there;
    counter.points += 2;
    shop().put(counter).value();
  }
  std::int64_t points = 0;
  shop()
      .query<Counter>({.board = "world"})
      .each([&](const Counter& one) { points += one.points; })
      .value();
  EXPECT_EQ(points, 60);
}

}  // namespace
}  // namespace stator::model::test
