#include "design/generate/generator.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "design/generate/children.h"
#include "design/generate/values.h"
#include "design/load.h"
#include "design/size/json_item.h"
#include "item/size.h"

namespace stator::design {
namespace {

TEST(ChildCounts, AddUpAndKeepTheirLimit) {
  Cardinality zipf;
  zipf.average = 20;
  zipf.distribution = Distribution::zipf;
  const auto counts = child_counts(1000, 20000, zipf, 500, 1);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 20000u);
  EXPECT_LE(*std::max_element(counts.begin(), counts.end()), 500u);
  EXPECT_GT(*std::max_element(counts.begin(), counts.end()), 400u);
  EXPECT_EQ(child_counts(1000, 20000, zipf, 500, 1), counts);
  EXPECT_NE(child_counts(1000, 20000, zipf, 500, 2), counts);
}

TEST(ChildCounts, OneForEachIsOneForEach) {
  Cardinality one;
  one.average = 1;
  one.distribution = Distribution::fixed;
  EXPECT_EQ(child_counts(5, 5, one, 0, 7), std::vector<std::uint64_t>(5, 1));
}

TEST(Values, AreInTheirFormat) {
  EXPECT_EQ(date_text(kGeneratedUntil_s), "2026-06-01");
  EXPECT_EQ(datetime_text(kGeneratedUntil_s + 3661), "2026-06-01T01:01:01Z");
  Attribute id;
  id.format = ValueFormat::id;
  id.typical_bytes = 2;
  std::set<std::string> seen;
  for (std::uint64_t n = 0; n < 5000; ++n) seen.insert(nth_value(id, n, 3));
  EXPECT_EQ(seen.size(), 5000u);  // longer texts once two signs are used up
  Attribute number;
  number.type = AttributeType::number;
  number.minimum = 2;
  number.maximum = 3;
  number.decimals = 1;
  for (std::uint64_t bits = 0; bits < 200; ++bits) {
    const double value = std::stod(random_value(number, bits));
    EXPECT_GE(value, 2);
    EXPECT_LE(value, 3);
  }
}

constexpr const char* kFamilyModel = R"(
stator_model: 1
name: family
table: {name: t, partition_key: PK, sort_key: SK, type_attribute: type}
indexes:
  OPEN: {partition_key: OPK, projection: keys_only}
  PEER: {partition_key: RPK, sort_key: RSK, projection: keys_only}
entities:
  User:
    count: 40
    attributes:
      userId: {format: id, unique: true, stored: false, size: 6}
      name: {size: 20}
    keys: {PK: "USER#{userId}", SK: PROFILE}
  Group:
    count: 10
    attributes: {groupId: {format: id, unique: true, stored: false, size: 6}, tags: {type: SS, size: 60}, extra: {type: M, size: 90}}
    keys: {PK: "GROUP#{groupId}", SK: META}
  Membership:
    attributes: {userId: {format: id, stored: false}, groupId: {format: id, stored: false}}
    keys: {PK: "USER#{userId}", SK: "GROUP#{groupId}", RPK: "GROUP#{groupId}", RSK: "USER#{userId}"}
  Task:
    attributes:
      userId: {format: id, stored: false}
      number: {type: N, min: 1, max: 999, stored: false}
      state: {values: {OPEN: 25, DONE: 75}}
      price: {type: N, min: 0, decimals: 2}
    keys: {PK: "USER#{userId}", SK: "TASK#{number:03}", OPK: "OPEN"}
    sparse: {OPEN: state = OPEN}
relationships:
  groups_of_user: {parent: User, child: Membership, by: userId, children: {average: 3, max: 8}}
  users_of_group: {parent: Group, child: Membership, by: groupId, children: {average: 12}}
  tasks_of_user: {parent: User, child: Task, by: userId, children: {average: 10, max: 100, distribution: zipf}}
patterns:
  read: {kind: get, entity: User, key: {PK: "USER#{userId}", SK: PROFILE}, rate: 1}
)";

class Family : public ::testing::Test {
 protected:
  void SetUp() override {
    Loaded loaded = load_text(kFamilyModel, "family.yaml");
    ASSERT_TRUE(loaded.ok()) << problem_text(loaded.problems.front());
    model_ = std::move(loaded.model);
    auto made = Generator::create(model_, {5, 1});
    ASSERT_TRUE(made) << made.error().message;
    generator_ = std::make_unique<Generator>(std::move(*made));
  }
  std::vector<GeneratedItem> all() const {
    std::vector<GeneratedItem> items;
    for (const Entity& entity : model_.entities)
      for (std::uint64_t n = 0; n < generator_->count(entity); ++n) items.push_back(*generator_->item(entity, n));
    return items;
  }
  Model model_;
  std::unique_ptr<Generator> generator_;
};

TEST_F(Family, HasTheDeclaredCounts) {
  EXPECT_EQ(generator_->count(*model_.entity("User")), 40u);
  EXPECT_EQ(generator_->count(*model_.entity("Membership")), 120u);
  EXPECT_EQ(generator_->count(*model_.entity("Task")), 400u);
  EXPECT_EQ(generator_->total(), 40u + 10 + 120 + 400);
}

TEST_F(Family, KeysAreUniqueAndChildrenBelongToParents) {
  std::set<std::string> keys;
  std::set<std::string> users;
  for (const GeneratedItem& item : all()) {
    const std::string partition_key = item.attribute("PK")->text;
    EXPECT_TRUE(keys.insert(partition_key + "|" + item.attribute("SK")->text).second) << partition_key;
    if (item.entity->name == "User") users.insert(partition_key);
    if (item.entity->name == "Task" || item.entity->name == "Membership") {
      EXPECT_TRUE(users.contains(partition_key));
    }
  }
}

TEST_F(Family, SparseIndexHoldsWhatItsConditionNames) {
  std::size_t open = 0;
  for (const GeneratedItem& item : all()) {
    const bool in_index = Generator::is_in_index(item, *model_.index("OPEN"));
    EXPECT_EQ(in_index, item.entity->name == "Task" && item.fields.at("state") == "OPEN");
    open += in_index ? 1 : 0;
  }
  EXPECT_GT(open, 60u);
  EXPECT_LT(open, 140u);
}

TEST_F(Family, SizesAreWhatTheServiceCounts) {
  for (const GeneratedItem& item : all()) {
    const auto parsed = parse_json_item(item.json());
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->spelling, JsonSpelling::dynamodb);
    EXPECT_EQ(item::item_bytes(parsed->attributes), item.bytes()) << item.json();
  }
}

TEST_F(Family, IsTheSameForTheSameSeedAndInAnyOrder) {
  const auto again = Generator::create(model_, {5, 1});
  const auto other = Generator::create(model_, {6, 1});
  const Entity& task = *model_.entity("Task");
  EXPECT_EQ(again->item(task, 399)->json(), generator_->item(task, 399)->json());
  EXPECT_EQ(again->item(task, 0)->json(), generator_->item(task, 0)->json());
  EXPECT_NE(other->item(task, 0)->json(), generator_->item(task, 0)->json());
}

TEST_F(Family, ChangedItemMovesWithItsKeys) {
  const Entity& task = *model_.entity("Task");
  for (std::uint64_t n = 0; n < 50; ++n) {
    const GeneratedItem item = *generator_->item(task, n);
    if (item.fields.at("state") != "OPEN") continue;
    const GeneratedItem done = *generator_->changed(item, {{"state", "DONE"}});
    EXPECT_NE(item.attribute("OPK"), nullptr);
    EXPECT_EQ(done.attribute("OPK"), nullptr);
    EXPECT_EQ(done.attribute("SK")->text, item.attribute("SK")->text);
    EXPECT_EQ(done.attribute("price")->json, item.attribute("price")->json);
    return;
  }
  FAIL() << "no open task";
}

TEST_F(Family, FreshItemsJoinTheFamilyTheyAreGiven) {
  const GeneratedItem user = *generator_->fresh_item(*model_.entity("User"), 0, 0, {});
  const GeneratedItem task =
      *generator_->fresh_item(*model_.entity("Task"), 1, 0, {{"userId", user.fields.at("userId")}});
  EXPECT_EQ(task.attribute("PK")->text, user.attribute("PK")->text);
  EXPECT_EQ(task.attribute("SK")->text, "TASK#001");
  for (const GeneratedItem& item : all()) EXPECT_NE(item.attribute("PK")->text, user.attribute("PK")->text);
}

TEST(Generator, RefusesKeysThatDoNotTellItemsApart) {
  Loaded loaded = load_text(R"(
stator_model: 1
name: same
table: {name: t, partition_key: PK}
entities:
  Thing: {count: 10, attributes: {note: S}, keys: {PK: THING}}
patterns:
  read: {kind: get, entity: Thing, key: {PK: THING}, rate: 1}
)",
                            "same.yaml");
  ASSERT_TRUE(loaded.ok()) << problem_text(loaded.problems.front());
  const auto made = Generator::create(loaded.model, {});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("tells its items apart"), std::string::npos);
}

}  // namespace
}  // namespace stator::design
