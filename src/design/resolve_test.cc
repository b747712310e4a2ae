#include "design/resolve.h"

#include "design/test_support.h"

namespace stator::design {
namespace {

constexpr char kHead[] = R"(
indexes:
  ByStatus: {partition_key: statusKey, sort_key: dateKey, projection: all}
entities:
  User:
    count: 1000
    attributes: {userId: {format: id, unique: true, stored: false}}
    keys: {PK: "USER#{userId}", SK: PROFILE}
  Order:
    attributes:
      userId: {format: id, stored: false}
      orderId: {format: ulid, unique: true, stored: false}
      orderDate: {format: date, stored: false, distinct: 10}
      status: {values: {OPEN: 1, DONE: 9}}
    keys: {PK: "USER#{userId}", SK: "ORDER#{orderDate}#{orderId}", statusKey: "STATUS#{status}", dateKey: "{orderDate}"}
  Event:
    count: 4000
    attributes:
      eventId: {format: ulid, unique: true, stored: false}
    keys: {PK: "EVENTS#{shard(eventId, 4)}", SK: "{eventId}"}
relationships:
  orders: {parent: User, child: Order, by: userId, children: {average: 20, max: 400}}
patterns:
  p:
    rate: 1
)";

struct ResolveCase {
  const char* name;
  const char* pattern;
  std::vector<std::string> reached;
  double items;
  double calls;
};

TEST(Resolve, FindsEntitiesItemsAndCalls) {
  const ResolveCase cases[] = {
      {"whole collection",
       "{kind: query, entities: [User, Order], key: {PK: 'USER#{userId}'}, rate: 1}",
       {"User", "Order"},
       21,
       1},
      {"prefix",
       "{kind: query, entity: Order, key: {PK: 'USER#{userId}', SK: {begins_with: 'ORDER#'}}, rate: 1}",
       {"Order"},
       20,
       1},
      {"prefix with a value",
       "{kind: query, entity: Order, key: {PK: 'USER#{userId}', SK: {begins_with: 'ORDER#{orderDate}#'}}, rate: 1}",
       {"Order"},
       2,
       1},
      {"limit",
       "{kind: query, entity: Order, key: {PK: 'USER#{userId}', SK: {begins_with: 'ORDER#'}}, limit: 5, rate: 1}",
       {"Order"},
       5,
       1},
      {"equality", "{kind: query, entity: User, key: {PK: 'USER#{userId}', SK: PROFILE}, rate: 1}", {"User"}, 1, 1},
      {"get", "{kind: get, entity: User, key: {PK: 'USER#{userId}', SK: PROFILE}, rate: 1}", {"User"}, 1, 1},
      {"a listed value",
       "{kind: query, index: ByStatus, entity: Order, key: {statusKey: 'STATUS#OPEN'}, rate: 1}",
       {"Order"},
       2000,
       1},
      {"a value that there is not",
       "{kind: query, index: ByStatus, entity: Order, key: {statusKey: 'STATUS#LOST'}, rate: 1}",
       {},
       0,
       1},
      {"every shard",
       "{kind: query, entity: Event, key: {PK: 'EVENTS#{shard(*, 4)}'}, limit: 10, rate: 1}",
       {"Event"},
       40,
       4},
      {"declared items",
       "{kind: query, entity: Order, items: 3, key: {PK: 'USER#{userId}', SK: {greater: 'ORDER#{orderDate}'}}, rate: "
       "1}",
       {"User", "Order"},
       3,
       1},  // PROFILE sorts after ORDER#
      {"range with two ends",
       "{kind: query, entity: Order, key: {PK: 'USER#{userId}', SK: {between: ['ORDER#{orderDate}', 'ORDER#9']}}, "
       "rate: 1}",
       {"Order"},
       10,
       1},
      {"scan", "{kind: scan, entity: Order, rate: 1}", {}, 25'000, 1},
      {"scan of an index", "{kind: scan, index: ByStatus, entity: Order, rate: 1}", {}, 20'000, 1},
  };
  for (const ResolveCase& one : cases) {
    std::string text(kHead);
    text.replace(text.find("  p:\n    rate: 1\n"), std::string::npos, std::string("  p: ") + one.pattern + "\n");
    const Model model = model_of(text);
    const Resolution resolution = resolve(model, model.patterns[0]);
    std::vector<std::string> reached;
    for (const EntityReach& reach : resolution.reached) reached.push_back(reach.entity->name);
    EXPECT_EQ(reached, one.reached) << one.name;
    EXPECT_DOUBLE_EQ(resolution.items_average, one.items) << one.name;
    EXPECT_EQ(resolution.calls, one.calls) << one.name;
  }
}

TEST(KeyOf, TakesTheEntitysTemplatesWhereNoneAreGiven) {
  std::string text(kHead);
  text.replace(text.find("  p:\n    rate: 1\n"), std::string::npos, "  p: {kind: put, entity: Order, rate: 1}\n");
  const Model model = model_of(text);
  const std::vector<KeyCondition> key = key_of(model, model.patterns[0].actions[0]);
  ASSERT_EQ(key.size(), 2U);
  EXPECT_EQ(key[0].value.text(), "USER#{userId}");
  EXPECT_EQ(key[1].value.text(), "ORDER#{orderDate}#{orderId}");
}

}  // namespace
}  // namespace stator::design
