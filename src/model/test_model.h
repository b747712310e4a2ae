#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "stator/model.h"
#include "stator/stator.h"

// The order model of examples/models/orders.yaml as types, with what it does not have: shards,
// compression, optional attributes. The studio's tests compare the keys with those of the model
// file.
namespace stator::model::test {

struct Customer {
  std::string id = {};
  std::string name = {};
  std::string email = {};
  std::string tier = {};
  std::string created_at = {};
  friend bool operator==(const Customer&, const Customer&) = default;
};

struct Order {
  std::string customer = {};
  std::string id = {};
  std::string date = {};
  std::string status = {};
  Number total = {};
  std::int64_t version = 0;
  friend bool operator==(const Order&, const Order&) = default;
};

struct OrderHeader {
  std::string order = {};
  std::string status = {};
  std::int64_t version = 0;
  friend bool operator==(const OrderHeader&, const OrderHeader&) = default;
};

struct LineItem {
  std::string order = {};
  int number = 0;
  std::string sku = {};
  int quantity = 0;
  Number price = {};
  friend bool operator==(const LineItem&, const LineItem&) = default;
};

// An event of a pallet, in one of ten shards chosen by the event's id.
struct Event {
  std::string pallet = {};
  std::string id = {};
  std::string at = {};
  std::optional<std::string> note = {};
  std::string detail = {};
  std::optional<Binary> picture = {};
  friend bool operator==(const Event&, const Event&) = default;
};

// A counter in shards chosen at random.
struct Counter {
  std::string board = {};
  std::int64_t points = 0;
  int shard = -1;
  friend bool operator==(const Counter&, const Counter&) = default;
};

using Shop = Table<
    "app-main", Keys<"PK", "SK">, TypeAttribute<"entity_type">,
    Indexes<Index<"GSI1", Keys<"GSI1PK", "GSI1SK">>,
            Index<"GSI2", Keys<"GSI2PK", "GSI2SK">, Project<"status", "total">>>,
    Entity<Customer, "Customer", Key<"PK", "CUST#{customerId}">, Key<"SK", "PROFILE">,
           KeyOnly<"customerId", &Customer::id>, Attribute<"name", &Customer::name>,
           Attribute<"email", &Customer::email>, Attribute<"tier", &Customer::tier>,
           Attribute<"createdAt", &Customer::created_at>>,
    Entity<Order, "Order", Key<"PK", "CUST#{customerId}">, Key<"SK", "ORDER#{orderDate}#{orderId}">,
           Key<"GSI1PK", "CUST#{customerId}#{status}">, Key<"GSI1SK", "{orderDate}#{orderId}">,
           Key<"GSI2PK", "OPEN">, Key<"GSI2SK", "{orderDate}#{orderId}">,
           Sparse<"GSI2", "status", "OPEN">, KeyOnly<"customerId", &Order::customer>,
           KeyOnly<"orderId", &Order::id>, KeyOnly<"orderDate", &Order::date>,
           Attribute<"status", &Order::status>, Attribute<"total", &Order::total>,
           Version<"version", &Order::version>>,
    Entity<OrderHeader, "OrderHeader", Key<"PK", "ORDER#{orderId}">, Key<"SK", "META">,
           KeyOnly<"orderId", &OrderHeader::order>, Attribute<"status", &OrderHeader::status>,
           Version<"version", &OrderHeader::version>>,
    Entity<LineItem, "LineItem", Key<"PK", "ORDER#{orderId}">, Key<"SK", "ITEM#{lineNumber:03}">,
           KeyOnly<"orderId", &LineItem::order>, KeyOnly<"lineNumber", &LineItem::number>,
           Attribute<"sku", &LineItem::sku>, Attribute<"qty", &LineItem::quantity>,
           Attribute<"price", &LineItem::price>>,
    Entity<Event, "Event", Key<"PK", "PALLET#{palletId}#{shard(eventId, 10)}">,
           Key<"SK", "EVENT#{happenedAt}#{eventId}">, KeyOnly<"palletId", &Event::pallet>,
           KeyOnly<"eventId", &Event::id>, KeyOnly<"happenedAt", &Event::at>,
           Attribute<"note", &Event::note>, Compressed<"detail", &Event::detail>,
           Compressed<"picture", &Event::picture>>,
    Entity<Counter, "Counter", Key<"PK", "LEADERBOARD#{board}#{shard(random, 10)}">,
           Key<"SK", "COUNT">, KeyOnly<"board", &Counter::board>,
           Attribute<"points", &Counter::points>, ShardNumber<&Counter::shard>>>;

// A session on a database in memory, or on the endpoint that STATOR_ENDPOINT names: tests/design
// runs these tests a second time against a server.
class ShopTest : public testing::Test {
 protected:
  ShopTest() {
    if (const char* endpoint = std::getenv("STATOR_ENDPOINT")) {
      connection_ = connect(EndpointOptions{.endpoint = endpoint}).value();
    } else {
      database_.emplace(Database::open({.in_memory = true}).value());
      connection_ = connect(*database_);
    }
    shop_.emplace(*connection_);
    shop_->create_table().value();
  }
  ~ShopTest() override { static_cast<void>(connection_->delete_table({.table_name = "app-main"})); }

  [[nodiscard]] Session<Shop>& shop() { return *shop_; }
  // An item as it is stored; empty where there is none.
  [[nodiscard]] Item stored(const std::string& partition, const std::string& sort) {
    const GetItemRequest request{.table_name = "app-main",
                                 .key = {{"PK", partition}, {"SK", sort}},
                                 .consistent_read = true};
    return connection_->get_item(request).value().item.value_or(Item{});
  }

  std::optional<Database> database_;
  std::unique_ptr<Connection> connection_;

 private:
  std::optional<Session<Shop>> shop_;
};

inline Order order_9001() {
  return {.customer = "a1b2",
          .id = "o-9001",
          .date = "2026-06-01",
          .status = "OPEN",
          .total = Number("149.00")};
}

}  // namespace stator::model::test
