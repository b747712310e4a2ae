// says: names a field that the entity does not declare
// says: custmerId
#include "stator/model.h"
using namespace stator::model;
struct Customer {
  std::string id;
};
using Shop = Table<"app", Keys<"PK">, NoTypeAttribute, Indexes<>,
                   Entity<Customer, "Customer", Key<"PK", "CUST#{custmerId}">,
                          KeyOnly<"customerId", &Customer::id>>>;
static_assert(Shop::kName == "app");
