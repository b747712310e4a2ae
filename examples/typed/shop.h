#pragma once

#include <stator/model.h>

#include <cstdint>
#include <string>

// The order model of examples/models/orders.yaml as C++ types: the same table, keys and items.
namespace shop {

using namespace stator::model;

struct Customer {
  std::string id = {};
  std::string name = {};
  std::string email = {};
  std::string tier = {};
  std::string created_at = {};
};

// An order as its customer sees it.
struct Order {
  std::string customer = {};
  std::string id = {};
  std::string date = {};
  std::string status = {};
  stator::Number total = {};
  std::int64_t version = 0;
};

// The order itself, at the head of the collection of its line items.
struct OrderHeader {
  std::string order = {};
  std::string status = {};
  std::int64_t version = 0;
};

struct LineItem {
  std::string order = {};
  int number = 0;
  std::string sku = {};
  int quantity = 0;
  stator::Number price = {};
};

using Customers = Entity<Customer, "Customer", Key<"PK", "CUST#{customerId}">, Key<"SK", "PROFILE">,
                         KeyOnly<"customerId", &Customer::id>, Attribute<"name", &Customer::name>,
                         Attribute<"email", &Customer::email>, Attribute<"tier", &Customer::tier>,
                         Attribute<"createdAt", &Customer::created_at>>;

using Orders =
    Entity<Order, "Order", Key<"PK", "CUST#{customerId}">, Key<"SK", "ORDER#{orderDate}#{orderId}">,
           Key<"GSI1PK", "CUST#{customerId}#{status}">, Key<"GSI1SK", "{orderDate}#{orderId}">,
           Key<"GSI2PK", "OPEN">, Key<"GSI2SK", "{orderDate}#{orderId}">,
           Sparse<"GSI2", "status", "OPEN">, KeyOnly<"customerId", &Order::customer>,
           KeyOnly<"orderId", &Order::id>, KeyOnly<"orderDate", &Order::date>,
           Attribute<"status", &Order::status>, Attribute<"total", &Order::total>,
           Version<"version", &Order::version>>;

using OrderHeaders =
    Entity<OrderHeader, "OrderHeader", Key<"PK", "ORDER#{orderId}">, Key<"SK", "META">,
           KeyOnly<"orderId", &OrderHeader::order>, Attribute<"status", &OrderHeader::status>,
           Version<"version", &OrderHeader::version>>;

using LineItems =
    Entity<LineItem, "LineItem", Key<"PK", "ORDER#{orderId}">, Key<"SK", "ITEM#{lineNumber:03}">,
           KeyOnly<"orderId", &LineItem::order>, KeyOnly<"lineNumber", &LineItem::number>,
           Attribute<"sku", &LineItem::sku>, Attribute<"qty", &LineItem::quantity>,
           Attribute<"price", &LineItem::price>>;

using Shop = Table<"app-main", Keys<"PK", "SK">, TypeAttribute<"entity_type">,
                   Indexes<Index<"GSI1", Keys<"GSI1PK", "GSI1SK">>,
                           Index<"GSI2", Keys<"GSI2PK", "GSI2SK">, Project<"status", "total">>>,
                   Customers, Orders, OrderHeaders, LineItems>;

}  // namespace shop
