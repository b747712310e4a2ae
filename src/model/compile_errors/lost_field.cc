// says: a KeyOnly field must stand whole in the table's key
// says: createdAt
#include "stator/model.h"
using namespace stator::model;
struct Order {
  std::string id;
  std::string created_at;
};
using Shop = Table<"app", Keys<"PK", "SK">, NoTypeAttribute, Indexes<>,
                   Entity<Order, "Order", Key<"PK", "ORDER#{orderId}">, Key<"SK", "{createdAt:day}">,
                          KeyOnly<"orderId", &Order::id>, KeyOnly<"createdAt", &Order::created_at>>>;
static_assert(Shop::kName == "app");
