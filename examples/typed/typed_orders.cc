// The access patterns of examples/models/orders.yaml with typed objects, on either transport:
//
//   typed_orders                          in memory, inside this program
//   typed_orders http://127.0.0.1:8000    at an endpoint: Stator or any other DynamoDB

#include <stator/stator.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <optional>

#include "shop.h"

using namespace shop;
using stator::Number;

namespace {

void show(const Order& order) {
  std::printf("  %s %s  %-8s %7s\n", order.date.c_str(), order.id.c_str(), order.status.c_str(),
              order.total.text().c_str());
}

// A6: the order, its header and its line items, or nothing.
void place_order(Session<Shop>& shop, const std::string& id, const std::string& date,
                 Number total) {
  Order order{
      .customer = "a1b2", .id = id, .date = date, .status = "OPEN", .total = std::move(total)};
  OrderHeader header{.order = id, .status = "OPEN"};
  const LineItem first{
      .order = id, .number = 1, .sku = "ABC", .quantity = 2, .price = Number("49.50")};
  const LineItem second{
      .order = id, .number = 2, .sku = "XYZ", .quantity = 1, .price = Number("50")};
  const auto placed =
      shop.transaction().create(order).create(header).put(first).put(second).commit();
  std::printf("place %s: %s\n", id.c_str(),
              placed ? "done" : placed.error().reasons.at(0).code.c_str());
}

void show_order(Session<Shop>& shop, const std::string& id) {  // A3
  std::printf("order %s:\n", id.c_str());
  shop.query<OrderHeader, LineItem>({.order = id})
      .each([](const OrderHeader& header) { std::printf("  header: %s\n", header.status.c_str()); },
            [](const LineItem& line) {
              std::printf("  line %d: %d x %s\n", line.number, line.quantity, line.sku.c_str());
            })
      .value();
}

// A7: two people change the same order; one of them has read an old version.
void ship(Session<Shop>& shop, const Order& key) {
  Order mine = shop.get(key, true).value().value();
  const Order shipped = shop.update(key).set<"status">("SHIPPED").run().value();
  std::printf("shipped %s, version %lld\n", shipped.id.c_str(),
              static_cast<long long>(shipped.version));
  mine.status = "CANCELLED";
  const auto late = shop.put(mine);
  std::printf("cancel it as it was read before: %s\n", late ? "done" : late.error().name.c_str());
  const auto changed =
      shop.modify(key, [](Order& order) { order.total = Number("150"); }).value();  // reads again
  std::printf("with its new version: %s for %s\n", changed->status.c_str(),
              changed->total.text().c_str());
}

void run(stator::Connection& connection) {
  Session<Shop> shop(connection);
  shop.create_table().value();
  shop.put(Customer{.id = "a1b2",
                    .name = "Ada Lovelace",
                    .email = "ada@example.com",
                    .tier = "gold",
                    .created_at = "2026-01-01T00:00:00Z"})
      .value();
  const auto ada = shop.get(Customer{.id = "a1b2"}).value();  // A1
  std::printf("customer %s: %s\n", ada->id.c_str(), ada->name.c_str());

  place_order(shop, "o-9001", "2026-06-01", Number("149"));
  place_order(shop, "o-9044", "2026-06-03", Number("72.50"));
  place_order(shop, "o-9001", "2026-06-01", Number("1"));  // refused: it is there
  std::printf("orders of a1b2, newest first:\n");          // A2
  shop.query<Order>({.customer = "a1b2"}).descending().limit(50).each(show).value();
  show_order(shop, "o-9001");

  ship(shop, {.customer = "a1b2", .id = "o-9001", .date = "2026-06-01"});
  std::printf("shipped orders of a1b2:\n");  // A4
  shop.query_index<"GSI1", Order>({.customer = "a1b2", .status = "SHIPPED"}).each(show).value();
  std::printf("open orders of all customers:\n");  // A5
  shop.query_index<"GSI2", Order>({}).each(show).value();
}

}  // namespace

int main(int count, char** arguments) try {
  if (count > 1) {
    const auto endpoint =
        stator::connect(stator::EndpointOptions{.endpoint = arguments[1]}).value();
    run(*endpoint);
  } else {
    auto database = stator::Database::open({.in_memory = true}).value();
    const auto connection = stator::connect(database);
    run(*connection);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "typed_orders: %s\n", error.what());
  return 1;
}
