#pragma once

// Typed objects on one table: structs of the program, declared with the key templates of a model
// file.
//
//   struct Customer { std::string id, name; };
//   struct Order {
//     std::string customer, id, date, status;
//     Number total;
//     std::int64_t version = 0;
//   };
//
//   using namespace stator::model;
//   using Shop = Table<"app-main", Keys<"PK", "SK">, TypeAttribute<"entity_type">,
//       Indexes<Index<"GSI2", Keys<"GSI2PK", "GSI2SK">, Project<"status", "total">>>,
//       Entity<Customer, "Customer",
//              Key<"PK", "CUST#{customerId}">, Key<"SK", "PROFILE">,
//              KeyOnly<"customerId", &Customer::id>, Attribute<"name", &Customer::name>>,
//       Entity<Order, "Order",
//              Key<"PK", "CUST#{customerId}">, Key<"SK", "ORDER#{orderDate}#{orderId}">,
//              Key<"GSI2PK", "OPEN">, Key<"GSI2SK", "{orderDate}#{orderId}">,
//              Sparse<"GSI2", "status", "OPEN">,
//              KeyOnly<"customerId", &Order::customer>, KeyOnly<"orderId", &Order::id>,
//              KeyOnly<"orderDate", &Order::date>, Attribute<"status", &Order::status>,
//              Attribute<"total", &Order::total>, Version<"version", &Order::version>>>;
//
//   auto connection = stator::connect(database);   // or connect(EndpointOptions{...}).value()
//   Session<Shop> shop(*connection);
//   shop.put(order).value();
//   auto orders = shop.query<Order>({.customer = "a1b2"}).descending().limit(50).all().value();
//
// A template that names an undeclared field does not compile. docs/typed-models.md shows the rest.

#include "stator/model/codec.h"         // IWYU pragma: export
#include "stator/model/entity.h"        // IWYU pragma: export
#include "stator/model/key_template.h"  // IWYU pragma: export
#include "stator/model/merged_read.h"   // IWYU pragma: export
#include "stator/model/query.h"         // IWYU pragma: export
#include "stator/model/session.h"       // IWYU pragma: export
#include "stator/model/table.h"         // IWYU pragma: export
#include "stator/model/transaction.h"   // IWYU pragma: export
#include "stator/model/update.h"        // IWYU pragma: export
#include "stator/model/versions.h"      // IWYU pragma: export
