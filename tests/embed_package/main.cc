// Opens a database on disk, which needs all that the package links.
#include <stator/stator.h>

#include <iostream>

int main(int, char** argv) {
  stator::Database db = stator::Database::open({.directory = argv[1]}).value();
  db.create_table({.table_name = "app", .key = {.partition = {"PK"}, .sort = {"SK"}}}).value();
  db.put_item({.table_name = "app",
               .item = {{"PK", "CUST#1"}, {"SK", "ORDER#7"}, {"total", stator::Number("149.00")}}})
      .value();
  const auto got =
      db.get_item({.table_name = "app", .key = {{"PK", "CUST#1"}, {"SK", "ORDER#7"}}}).value();
  std::cout << stator::to_json(got.item.value()) << "\n";
}
