// Opens a database on disk, which needs all that the package links, and uses it with a typed model
// too.
#include <stator/model.h>
#include <stator/stator.h>

#include <iostream>

struct Order {
  std::string id;
  stator::Number total;
};
using namespace stator::model;
using Shop = Table<"app", Keys<"PK", "SK">, NoTypeAttribute, Indexes<>,
                   Entity<Order, "Order", Key<"PK", "CUST#1">, Key<"SK", "ORDER#{id}">,
                          KeyOnly<"id", &Order::id>, Attribute<"total", &Order::total>>>;

int main(int, char** argv) {
  stator::Database db = stator::Database::open({.directory = argv[1]}).value();
  db.create_table({.table_name = "app", .key = {.partition = {"PK"}, .sort = {"SK"}}}).value();
  const auto connection = stator::connect(db);
  Session<Shop>(*connection).put(Order{.id = "7", .total = stator::Number("149.00")}).value();
  const auto got =
      db.get_item({.table_name = "app", .key = {{"PK", "CUST#1"}, {"SK", "ORDER#7"}}}).value();
  std::cout << stator::to_json(got.item.value()) << "\n";
}
