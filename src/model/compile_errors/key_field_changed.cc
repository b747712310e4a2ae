// says: a field of the table's key cannot be changed
#include "stator/model.h"
using namespace stator::model;
struct Customer {
  std::string id;
  std::string name;
};
using Shop = Table<"app", Keys<"PK">, NoTypeAttribute, Indexes<>,
                   Entity<Customer, "Customer", Key<"PK", "CUST#{customerId}">,
                          Attribute<"customerId", &Customer::id>,
                          Attribute<"name", &Customer::name>>>;
void change(Session<Shop>& shop) {
  static_cast<void>(shop.update(Customer{}).set<"customerId">("other").run());
}
