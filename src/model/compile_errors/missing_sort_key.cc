// says: an entity lacks a template for the table's partition or sort key
// says: Customer
#include "stator/model.h"
using namespace stator::model;
struct Customer {
  std::string id;
};
using Shop = Table<"app", Keys<"PK", "SK">, NoTypeAttribute, Indexes<>,
                   Entity<Customer, "Customer", Key<"PK", "CUST#{customerId}">,
                          KeyOnly<"customerId", &Customer::id>>>;
static_assert(Shop::kName == "app");
