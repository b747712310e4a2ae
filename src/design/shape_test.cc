#include "design/shape.h"

#include "design/test_support.h"

namespace stator::design {
namespace {

constexpr char kShop[] = R"(
indexes:
  Open: {partition_key: openKey, sort_key: openSort, projection: [total]}
  Keys: {partition_key: SK, sort_key: PK, projection: keys_only}
entities:
  User:
    count: 1000
    attributes:
      tenantId: {format: id, distinct: 10, stored: false}
      userId: {format: id, unique: true, stored: false, size: 4}
      name: {size: 10, max_size: 30}
    keys: {PK: "USER#{userId}", SK: PROFILE}
  Order:
    attributes:
      tenantId: {format: id, stored: false}
      userId: {format: id, stored: false, size: 4}
      orderId: {format: ulid, unique: true, stored: false}
      day: {format: datetime, stored: false}
      status: {values: {OPEN: 1, DONE: 3}}
      total: {type: N, size: 3}
      note: {size: 100, present: 50%}
      big: {max_size: unbounded}
    keys:
      PK: "USER#{userId}"
      SK: "ORDER#{orderId}"
      openKey: "OPEN#{shard(orderId, 4)}"
      openSort: "{orderId}"
    sparse: {Open: status = OPEN}
relationships:
  orders: {parent: User, child: Order, by: userId, children: {average: 20, max: 400}}
patterns: {}
)";

class Shape : public testing::Test {
 protected:
  const Model model_ = model_of(kShop);
  const Entity& user_ = *model_.entity("User");
  const Entity& order_ = *model_.entity("Order");
};

TEST_F(Shape, CountsFollowRelationships) {
  EXPECT_EQ(item_count(model_, user_), 1000);
  EXPECT_EQ(item_count(model_, order_), 20'000);
}

TEST_F(Shape, DistinctValuesOfFields) {
  EXPECT_EQ(distinct_values(model_, order_, "userId"), 1000);  // as many as users
  EXPECT_EQ(distinct_values(model_, order_, "orderId"), 20'000);
  EXPECT_EQ(distinct_values(model_, order_, "status"), 2);
  EXPECT_EQ(distinct_values(model_, user_, "tenantId"), 10);
  EXPECT_EQ(distinct_values(model_, order_, "day", Format{FormatKind::time, 0, 0, TimeUnit::month}), 24);
}

TEST_F(Shape, DistinctKeysMultiplyUpToTheCount) {
  EXPECT_EQ(distinct_keys(model_, order_, template_of("USER#{userId}")), 1000);
  EXPECT_EQ(distinct_keys(model_, order_, template_of("USER#{userId}#{status}")), 2000);
  EXPECT_EQ(distinct_keys(model_, order_, template_of("OPEN#{shard(orderId, 4)}")), 4);
  EXPECT_EQ(distinct_keys(model_, order_, template_of("{orderId}#{shard(orderId, 4)}")), 20'000);
  EXPECT_EQ(distinct_keys(model_, order_, template_of("OPEN")), 1);
  // The tenant is the user's: it adds no keys.
  EXPECT_EQ(distinct_keys(model_, order_, template_of("{tenantId}#{userId}")), 1000);
}

TEST_F(Shape, ItemsPerKeyKnowTheirMaximum) {
  const Collection of_user = items_per_key(model_, order_, template_of("USER#{userId}"));
  EXPECT_EQ(of_user.average, 20);
  EXPECT_EQ(of_user.maximum, 400);
  EXPECT_EQ(items_per_key(model_, order_, template_of("ORDER#{orderId}")).maximum, 1);
  EXPECT_EQ(items_per_key(model_, order_, template_of("S#{status}")).maximum, 15'000);  // three of four are DONE
  EXPECT_EQ(items_per_key(model_, order_, template_of("OPEN#{shard(random, 4)}")).average, 5000);
}

TEST_F(Shape, SparseIndexesHoldTheirShare) {
  EXPECT_EQ(index_share(model_, order_, *model_.index("Open")), 0.25);
  EXPECT_EQ(index_share(model_, user_, *model_.index("Open")), 0);
  EXPECT_EQ(index_share(model_, user_, *model_.index("Keys")), 1);
}

TEST_F(Shape, BytesAreNamesAndValues) {
  // PK 2+9, SK 2+7, name 4+10, entity_type 11+4
  const Bytes user = item_bytes(model_, user_);
  EXPECT_EQ(user.typical, 49);
  EXPECT_EQ(user.maximum, 49 + 20 + 4);  // name up to 30, id up to twice its typical size
  EXPECT_FALSE(user.unbounded);
  EXPECT_TRUE(item_bytes(model_, order_).unbounded);
  // PK 2+9, SK 2+32, openKey 7+6, openSort 8+26, total 5+3; the type is not projected
  EXPECT_EQ(index_item_bytes(model_, order_, *model_.index("Open")).typical, 11 + 34 + 13 + 34 + 8);
  EXPECT_EQ(index_item_bytes(model_, user_, *model_.index("Keys")).typical, 11 + 9);
  EXPECT_EQ(index_item_bytes(model_, user_, *model_.index("Open")).typical, 0);
}

TEST_F(Shape, ProjectionsHoldKeysAlways) {
  EXPECT_TRUE(is_projected(model_, *model_.index("Open"), "total"));
  EXPECT_TRUE(is_projected(model_, *model_.index("Open"), "PK"));
  EXPECT_TRUE(is_projected(model_, *model_.index("Open"), "openSort"));
  EXPECT_FALSE(is_projected(model_, *model_.index("Open"), "note"));
  EXPECT_FALSE(is_projected(model_, *model_.index("Keys"), "openKey"));
}

}  // namespace
}  // namespace stator::design
