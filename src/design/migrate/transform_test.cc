#include "design/migrate/transform.h"

#include "design/migrate/reconcile.h"
#include "design/test_support.h"

namespace stator::design {
namespace {

using client::Json;

// A model with one entity; `keys` and `attributes` are flow maps.
std::string body(const std::string& keys, const std::string& attributes, const std::string& more = "") {
  return "indexes:\n  GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}\nentities:\n  Order:\n    count: 100\n    "
         "attributes: " +
         attributes + "\n    keys: " + keys + "\n" + more + "patterns: {}\n";
}

constexpr const char* kAttributes =
    "{customerId: {format: id, stored: false}, orderId: {format: id, unique: true, stored: false}, status: S, total: "
    "S}";
constexpr const char* kKeys = R"({PK: "CUST#{customerId}", SK: "ORDER#{orderId}"})";

Json text(const std::string& value) { return {{"S", value}}; }

Json order() {
  return {{"PK", text("CUST#c1")},  {"SK", text("ORDER#o1")}, {"entity_type", text("Order")},
          {"status", text("OPEN")}, {"total", text("12.50")}, {"extra", {{"BOOL", true}}}};
}

Json applied(const Transform& transform, const Json& item, const Json* existing = nullptr) {
  const auto out = transform.apply(item, existing);
  EXPECT_TRUE(out) << (out ? "" : out.error().message);
  return out && *out ? **out : Json();
}

TEST(Transform, AddsKeysOfANewIndexAndLeavesTheRestAlone) {
  const Model before = model_of(body(kKeys, kAttributes));
  const Model after = model_of(body(
      R"({PK: "CUST#{customerId}", SK: "ORDER#{orderId}", GSI1PK: "S#{status}", GSI1SK: "{orderId}"})", kAttributes));
  const Transform transform(before, after, {MigrationMode::in_place, false});
  EXPECT_TRUE(transform.obstacles().empty());
  Json wanted = order();
  wanted["GSI1PK"] = text("S#OPEN");
  wanted["GSI1SK"] = text("o1");
  EXPECT_EQ(applied(transform, order()), wanted);
  EXPECT_EQ(applied(transform, wanted), wanted);  // again: nothing changes
  Json without = order();
  without.erase("status");
  EXPECT_FALSE(applied(transform, without).contains("GSI1PK"));  // an item without the field is not in the index
}

TEST(Transform, UpdateInPlaceHoldsOnlyForWhatWasRead) {
  const Model before = model_of(body(kKeys, kAttributes));
  const Model after = model_of(body(
      R"({PK: "CUST#{customerId}", SK: "ORDER#{orderId}", GSI1PK: "S#{status}", GSI1SK: "{orderId}"})", kAttributes));
  const Transform transform(before, after, {MigrationMode::in_place, false});
  const auto request = Reconciler::update_request(transform, order());
  ASSERT_TRUE(request);
  const std::string condition = (*request)["ConditionExpression"];
  std::set<std::string> names;
  for (const auto& [placeholder, name] : (*request)["ExpressionAttributeNames"].items()) {
    if (condition.find(placeholder) != std::string::npos) names.insert(name.get<std::string>());
  }
  // The field that the key is made of, the keys themselves, and that there is an item at all.
  for (const char* name : {"status", "GSI1PK", "GSI1SK", "PK"}) EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_FALSE(names.contains("total"));
  const auto again = Reconciler::update_request(transform, applied(transform, order()));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->is_null());
}

TEST(Transform, FollowsASparseCondition) {
  const std::string keys = R"({PK: "CUST#{customerId}", SK: "ORDER#{orderId}", GSI1PK: WORK, GSI1SK: "{orderId}"})";
  const Model before = model_of(body(keys, kAttributes));
  const Model after = model_of(body(keys, kAttributes, "    sparse: {GSI1: status = OPEN}\n"));
  const Transform transform(before, after, {MigrationMode::in_place, false});
  Json open = order();
  open["GSI1PK"] = text("WORK");
  open["GSI1SK"] = text("o1");
  EXPECT_EQ(applied(transform, open), open);
  Json done = open;
  done["status"] = text("DONE");
  EXPECT_FALSE(applied(transform, done).contains("GSI1PK"));
  EXPECT_FALSE(transform.disagreement(done).empty());
  EXPECT_TRUE(transform.disagreement(open).empty());
}

TEST(Transform, KeyChangeGoesThereAndBack) {
  const Model before = model_of(body(kKeys, kAttributes));
  const Model after =
      model_of(body(R"({PK: "C#{customerId}#{shard(orderId, 4)}", SK: "{status}#{orderId}"})", kAttributes));
  const Transform transform(before, after, {MigrationMode::copy, false});
  ASSERT_TRUE(transform.obstacles().empty());
  const Json copy = applied(transform, order());
  EXPECT_EQ(copy["SK"], text("OPEN#o1"));
  EXPECT_EQ(copy["PK"], text("C#c1#" + std::to_string(shard_of("o1", 4))));
  EXPECT_EQ(copy["extra"], (Json{{"BOOL", true}}));
  const auto back = transform.source_keys(copy);
  ASSERT_TRUE(back);
  ASSERT_EQ(back->size(), 1u);
  EXPECT_EQ(back->front(), (Json{{"PK", text("CUST#c1")}, {"SK", text("ORDER#o1")}}));
  EXPECT_FALSE(transform.key_is_enough(transform.paths().front()));  // the status is in the new key
  EXPECT_TRUE(transform.target_keys(transform.source().key_of(order())).empty());
}

TEST(Transform, RandomShardStaysWhereItIs) {
  const Model before = model_of(body(kKeys, kAttributes));
  const Model after = model_of(
      body(R"({PK: "CUST#{customerId}", SK: "ORDER#{orderId}", GSI1PK: "W#{shard(random, 8)}", GSI1SK: "{orderId}"})",
           kAttributes));
  const Transform transform(before, after, {MigrationMode::in_place, false});
  const Json first = applied(transform, order());
  EXPECT_EQ(applied(transform, order()), first);  // whoever asks gets the same
  for (int shard = 0; shard < 8; ++shard) {
    Json there = first;
    there["GSI1PK"] = text("W#" + std::to_string(shard));
    EXPECT_EQ(applied(transform, there), there);
    EXPECT_TRUE(transform.disagreement(there).empty());
  }
  Json wrong = first;
  wrong["GSI1PK"] = text("W#8");
  EXPECT_EQ(applied(transform, wrong), first);
}

TEST(Transform, ConvertsTypesAndDropsAttributes) {
  const Model before = model_of(body(kKeys, kAttributes));
  const Model after =
      model_of(body(kKeys, "{customerId: {format: id}, orderId: {format: id, unique: true, stored: false}, total: N}"));
  Json wanted = order();
  wanted["total"] = {{"N", "12.5"}};
  wanted["customerId"] = text("c1");  // an attribute of its own now
  const Transform in_place(before, after, {MigrationMode::in_place, false});
  EXPECT_EQ(applied(in_place, order()), wanted);
  wanted.erase("status");
  const Transform dropping(before, after, {MigrationMode::in_place, true});
  EXPECT_EQ(applied(dropping, order()), wanted);
  const Transform copy(before, after, {MigrationMode::copy, false});
  EXPECT_EQ(applied(copy, order()), wanted);
  Json bad = order();
  bad["total"] = text("a lot");
  EXPECT_FALSE(copy.apply(bad));
}

struct Obstructed {
  const char* name;
  const char* keys;
  const char* attributes;
  MigrationMode mode;
  const char* reason;
};

constexpr Obstructed kObstructed[] = {
    {"key in place", R"({PK: "C#{customerId}", SK: "ORDER#{orderId}"})", kAttributes, MigrationMode::in_place,
     "cannot be changed"},
    {"field that is nowhere", R"({PK: "T#{tenant}", SK: "ORDER#{orderId}"})",
     "{tenant: {format: id, stored: false}, orderId: {format: id, unique: true, stored: false}}", MigrationMode::copy,
     "needs tenant"},
    {"key that says less", R"({PK: "CUST#{customerId}", SK: "{status}"})", kAttributes, MigrationMode::copy,
     "no longer says orderId"},
    {"type without a rule", kKeys,
     "{customerId: {format: id, stored: false}, orderId: {format: id, unique: true, stored: false}, total: M}",
     MigrationMode::copy, "no rule converts"},
};

TEST(Transform, SaysWhatStandsInTheWay) {
  const Model before = model_of(body(kKeys, kAttributes));
  for (const Obstructed& one : kObstructed) {
    const Model after = model_of(body(one.keys, one.attributes));
    const Transform transform(before, after, {one.mode, false});
    ASSERT_FALSE(transform.obstacles().empty()) << one.name;
    EXPECT_NE(transform.obstacles().front().reason.find(one.reason), std::string::npos)
        << one.name << ": " << transform.obstacles().front().reason;
    EXPECT_FALSE(transform.obstacles().front().cure.empty());
  }
}

TEST(Transform, LeavesRemovedEntitiesOut) {
  const Model before = model_of(body(kKeys, kAttributes));
  const Model after = model_of(
      "entities:\n  Other:\n    count: 1\n    attributes: {x: {format: id, unique: true, stored: false}}\n"
      "    keys: {PK: \"X#{x}\", SK: X}\npatterns: {}\n");
  const Transform transform(before, after, {MigrationMode::copy, false});
  const auto out = transform.apply(order());
  ASSERT_TRUE(out);
  EXPECT_FALSE(out->has_value());
}

}  // namespace
}  // namespace stator::design
