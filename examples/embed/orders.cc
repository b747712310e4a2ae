// A small shop on one table, inside the program that uses it. Each access pattern is one call.
//
//   PK             SK                   GSI1PK           GSI1SK
//   CUST#ada       PROFILE                                                a customer
//   CUST#ada       ORDER#2024-03-01#1   STATUS#open      2024-03-01#1     her orders; in the index
//   while they are open ORDER#1        LINE#1                                                 the
//   lines of an order
//
//   orders               keeps everything in memory
//   orders <directory>   keeps it on disk, and finds it again

#include <stator/stator.h>

#include <cstdio>
#include <exception>
#include <string>

using namespace stator;

namespace {

constexpr const char* kTable = "shop";

const char* text(const Item& item, const char* name) { return item.at(name).as_string().c_str(); }
const char* number(const Item& item, const char* name) {
  return item.at(name).as_number().text().c_str();
}

void create_shop(Database& db) {
  db.create_table(
        {.table_name = kTable,
         .key = {.partition = {"PK"}, .sort = {"SK"}},
         .global_secondary_indexes = {{.index_name = "GSI1",
                                       .key = {.partition = {"GSI1PK"}, .sort = {"GSI1SK"}}}}})
      .value();
  std::printf("created the table %s\n", kTable);
}

void add_customer(Database& db, const std::string& id, const std::string& name) {
  const auto added = db.put_item({.table_name = kTable,
                                  .item = {{"PK", "CUST#" + id},
                                           {"SK", "PROFILE"},
                                           {"name", name},
                                           {"order_count", 0},
                                           {"address", Item{{"city", "London"}, {"zip", "W1"}}}},
                                  .condition = "attribute_not_exists(PK)"});
  if (added) {
    std::printf("added the customer %s\n", name.c_str());
  } else if (added.error().kind == ErrorKind::conditional_check_failed) {
    std::printf("the customer %s is there already\n", id.c_str());
  } else {
    throw DatabaseException(added.error());
  }
}

// The order, its lines and the customer's counter.
void place_order(Database& db, const std::string& customer, const std::string& day,
                 const std::string& order, const Number& total,
                 const std::vector<std::string>& articles) {
  std::vector<WriteRequest> writes = {PutRequest{.item = {{"PK", "CUST#" + customer},
                                                          {"SK", "ORDER#" + day + "#" + order},
                                                          {"GSI1PK", "STATUS#open"},
                                                          {"GSI1SK", day + "#" + order},
                                                          {"order", order},
                                                          {"customer", customer},
                                                          {"status", "open"},
                                                          {"total", total}}}};
  int line = 0;
  for (const std::string& article : articles) {
    writes.push_back(PutRequest{.item = {{"PK", "ORDER#" + order},
                                         {"SK", "LINE#" + std::to_string(++line)},
                                         {"article", article}}});
  }
  db.batch_write_item({.request_items = {{kTable, writes}}}).value();
  const auto counted = db.update_item({.table_name = kTable,
                                       .key = {{"PK", "CUST#" + customer}, {"SK", "PROFILE"}},
                                       .update = "ADD order_count :one",
                                       .values = {{":one", 1}},
                                       .return_values = ReturnValues::updated_new});
  std::printf("order %s of %s: %s, %d lines; orders so far: %s\n", order.c_str(), customer.c_str(),
              total.text().c_str(), line, number(*counted.value().attributes, "order_count"));
}

void show_customer(Database& db, const std::string& id) {
  const auto got = db.get_item({.table_name = kTable,
                                .key = {{"PK", "CUST#" + id}, {"SK", "PROFILE"}},
                                .projection = "#name, address.city, order_count",
                                .names = {{"#name", "name"}}});
  std::printf("profile of %s: %s\n", id.c_str(), to_json(got.value().item.value()).c_str());
}

void show_last_orders(Database& db, const std::string& customer, int count) {
  std::printf("the last %d orders of %s:\n", count, customer.c_str());
  const auto page = db.query({.table_name = kTable,
                              .key_condition = "PK = :customer AND begins_with(SK, :orders)",
                              .values = {{":customer", "CUST#" + customer}, {":orders", "ORDER#"}},
                              .scan_index_forward = false,
                              .limit = count,
                              .return_consumed_capacity = ReturnConsumedCapacity::total});
  for (const Item& order : page.value().items) {
    std::printf("  %s  %-8s %8s\n", text(order, "order"), text(order, "status"),
                number(order, "total"));
  }
  std::printf("  (%.1f read units, %s)\n", page->consumed_capacity->capacity_units,
              page->last_evaluated_key ? "more to come" : "no more");
}

void show_open_orders(Database& db) {
  std::printf("open orders of all customers:\n");
  db.query_each({.table_name = kTable,
                 .index_name = "GSI1",
                 .key_condition = "GSI1PK = :open",
                 .values = {{":open", "STATUS#open"}},
                 .limit = 2},
                [](const Item& order) {
                  std::printf("  %s of %s\n", text(order, "order"), text(order, "customer"));
                })
      .value();
}

// Leaves the index by losing the index's key.
void ship(Database& db, const std::string& customer, const std::string& day,
          const std::string& order) {
  const auto shipped =
      db.update_item({.table_name = kTable,
                      .key = {{"PK", "CUST#" + customer}, {"SK", "ORDER#" + day + "#" + order}},
                      .update = "SET #status = :shipped REMOVE GSI1PK, GSI1SK",
                      .condition = "#status = :open",
                      .names = {{"#status", "status"}},
                      .values = {{":shipped", "shipped"}, {":open", "open"}},
                      .return_item_on_failure = true});
  if (shipped) {
    std::printf("shipped order %s\n", order.c_str());
  } else {
    std::printf("order %s is not shipped: %s (it is %s)\n", order.c_str(),
                shipped.error().message.c_str(),
                shipped.error().item ? text(*shipped.error().item, "status") : "unknown");
  }
}

void show_lines(Database& db, const std::string& order) {
  std::printf("order %s:", order.c_str());
  db.query_each(
        {.table_name = kTable, .key_condition = "PK = :o", .values = {{":o", "ORDER#" + order}}},
        [](const Item& line) { std::printf(" %s", text(line, "article")); })
      .value();
  std::printf("\n");
}

void run(const Options& options) {
  Database db = Database::open(options).value();
  if (!db.describe_table({.table_name = kTable})) create_shop(db);
  add_customer(db, "ada", "Ada Lovelace");
  add_customer(db, "ada", "Somebody Else");
  add_customer(db, "alan", "Alan Turing");
  place_order(db, "ada", "2024-03-01", "1", Number("149.00"), {"lamp", "desk"});
  place_order(db, "ada", "2024-03-09", "2", Number("12.50"), {"ink"});
  place_order(db, "alan", "2024-03-10", "3", Number("1000"), {"tape", "tape", "motor"});
  place_order(db, "ada", "2024-04-02", "4", Number("0.99"), {"nib"});
  show_customer(db, "ada");
  show_last_orders(db, "ada", 2);
  show_open_orders(db);
  ship(db, "ada", "2024-03-01", "1");
  ship(db, "ada", "2024-03-01", "1");
  show_open_orders(db);
  show_lines(db, "3");
  const TableDescription table = db.describe_table({.table_name = kTable}).value();
  std::printf("%lld items, %lld of them in the index\n", static_cast<long long>(table.item_count),
              static_cast<long long>(table.global_secondary_indexes.front().item_count));
  db.close().value();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? Options{.directory = argv[1]} : Options{.in_memory = true});
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "orders: %s\n", error.what());
    return 1;
  }
}
