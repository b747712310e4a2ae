#include <gtest/gtest.h>

#include <algorithm>

#include "design/load.h"
#include "design/prove/change.h"
#include "design/prove/filter_check.h"
#include "design/prove/lookup.h"
#include "design/prove/outcome.h"

namespace stator::design {
namespace {

struct FilterCase {
  const char* text;
  bool keeps;
};

class Filters : public ::testing::TestWithParam<FilterCase> {};

TEST_P(Filters, AreEvaluatedOnGeneratedItems) {
  GeneratedItem item;
  item.attributes.push_back(make_attribute("status", AttributeType::string, "OPEN", 0, 0));
  item.attributes.push_back(make_attribute("total", AttributeType::number, "9.5", 0, 0));
  Filter filter;
  filter.text = GetParam().text;
  const auto check = FilterCheck::create(filter);
  ASSERT_TRUE(check) << check.error().message;
  const FieldValues parameters = {{"open", "OPEN"}, {"ten", "10"}, {"one", "1"}, {"op", "OP"}, {"four", "4"}};
  EXPECT_EQ(check->keeps(item, parameters), GetParam().keeps);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, Filters,
    ::testing::Values(FilterCase{"status = :open", true}, FilterCase{"status <> :open", false},
                      FilterCase{"total < :ten", true},  // by value, not by text
                      FilterCase{"total BETWEEN :one AND :ten", true}, FilterCase{"total > :ten", false},
                      FilterCase{"status IN (:one, :open)", true}, FilterCase{"begins_with(status, :op)", true},
                      FilterCase{"contains(status, :one)", false}, FilterCase{"attribute_exists(gone)", false},
                      FilterCase{"attribute_not_exists(gone)", true}, FilterCase{"gone = :one", false},
                      FilterCase{"size(status) = :four", true},
                      FilterCase{"NOT status = :open OR total < :ten AND status = :open", true}));

TEST(Filters, RefusesWhatItCannotCompute) {
  Filter filter;
  filter.text = "address.city = :one";
  EXPECT_FALSE(FilterCheck::create(filter));
}

TEST(Percentile, IsTheSmallestValueThatCoversTheShare) {
  EXPECT_EQ(percentile({}, 0.5), 0);
  EXPECT_EQ(percentile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(percentile({4, 3, 1, 2}, 0.5), 2);
  EXPECT_EQ(percentile({4, 3, 1, 2}, 0.99), 4);
}

TEST(SameItem, IgnoresTheOrderOfAttributesAndSets) {
  const auto parse = [](const char* text) { return client::Json::parse(text); };
  EXPECT_TRUE(
      same_item(parse(R"({"a":{"SS":["x","y"]},"b":{"N":"1"}})"), parse(R"({"b":{"N":"1"},"a":{"SS":["y","x"]}})")));
  EXPECT_FALSE(same_item(parse(R"({"a":{"L":[{"S":"x"},{"S":"y"}]}})"), parse(R"({"a":{"L":[{"S":"y"},{"S":"x"}]}})")));
  EXPECT_FALSE(same_item(parse(R"({"a":{"S":"1"}})"), parse(R"({"a":{"N":"1"}})")));
  EXPECT_FALSE(same_item(parse("null"), parse(R"({"a":{"S":"1"}})")));
}

constexpr const char* kProvenModel = R"(
stator_model: 1
name: board
table: {name: t, partition_key: PK, sort_key: SK, type_attribute: type}
indexes:
  STATE: {partition_key: SPK, projection: all}
  OPEN: {partition_key: OPK, sort_key: OSK, projection: keys_only}
entities:
  User:
    count: 30
    attributes: {userId: {format: id, unique: true, stored: false, size: 6}, name: {size: 20}}
    keys: {PK: "USER#{userId}", SK: PROFILE}
  Task:
    attributes:
      userId: {format: id, stored: false}
      taskId: {format: id, unique: true, stored: false, size: 8}
      state: {values: {OPEN: 50, DONE: 50}}
      note: {size: 1500, max_size: 1600}
      version: {type: N, min: 1, max: 5}
    keys: {PK: "USER#{userId}", SK: "TASK#{taskId}", SPK: "STATE#{state}", OPK: OPEN, OSK: "{taskId}"}
    sparse: {OPEN: state = OPEN}
relationships:
  tasks_of_user: {parent: User, child: Task, by: userId, children: {average: 5, max: 20}}
patterns:
  tasks: {kind: query, entity: Task, key: {PK: "USER#{userId}", SK: {begins_with: "TASK#"}}, order: descending, limit: 3, rate: 1}
  open: {kind: query, index: OPEN, entity: Task, key: {OPK: OPEN}, rate: 1}
  touch: {kind: update, entity: Task, key: {PK: "USER#{userId}", SK: "TASK#{taskId}"}, add: {version: 1}, condition: "version = :version", rate: 1}
  close: {kind: update, entity: Task, key: {PK: "USER#{userId}", SK: "TASK#{taskId}"}, set: {state: "{next}"}, parameters: {next: state}, rate: 1}
  family:
    kind: transact_write
    actions:
      - {kind: put, entity: User, condition: attribute_not_exists(PK)}
      - {kind: put, entity: Task, count: 2, set: {state: OPEN}}
    rate: 1
)";

class Proofs : public ::testing::Test {
 protected:
  void SetUp() override {
    Loaded loaded = load_text(kProvenModel, "board.yaml");
    ASSERT_TRUE(loaded.ok()) << problem_text(loaded.problems.front());
    model_ = std::move(loaded.model);
    auto made = Generator::create(model_, {3, 1});
    ASSERT_TRUE(made) << made.error().message;
    generator_ = std::make_unique<Generator>(std::move(*made));
  }
  Change change_of(const char* pattern) {
    ChangePlanner planner(*generator_, 9);
    auto changes = planner.plan(*model_.pattern(pattern));
    EXPECT_TRUE(changes) << changes.error().message;
    return changes->front();
  }
  Model model_;
  std::unique_ptr<Generator> generator_;
};

TEST_F(Proofs, LedgerFindsWhatBelongsToALookup) {
  auto lookups = choose_lookups(*generator_, *model_.pattern("tasks"), 10, 1);
  ASSERT_TRUE(lookups) << lookups.error().message;
  ASSERT_EQ(lookups->size(), 10u);
  std::vector<Lookup*> pointers;
  for (Lookup& lookup : *lookups) pointers.push_back(&lookup);
  Ledger ledger(model_, pointers);
  std::size_t open = 0;
  std::map<std::string, std::size_t> by_user;
  for (const Entity& entity : model_.entities) {
    for (std::uint64_t n = 0; n < generator_->count(entity); ++n) {
      const GeneratedItem item = *generator_->item(entity, n);
      ledger.offer(item);
      if (entity.name == "Task") ++by_user[item.attribute("PK")->text];
      if (entity.name == "Task" && item.fields.at("state") == "OPEN") ++open;
    }
  }
  ledger.finish();
  EXPECT_EQ(ledger.index_count("OPEN"), open);
  for (const Lookup& lookup : *lookups) {
    EXPECT_EQ(lookup.expected.size(), by_user[lookup.partition_keys.front()]);
    const auto descending = [](const ExpectedItem& a, const ExpectedItem& b) {
      return a.item.attribute("SK")->text > b.item.attribute("SK")->text;
    };
    EXPECT_TRUE(std::is_sorted(lookup.expected.begin(), lookup.expected.end(), descending));
  }
}

TEST_F(Proofs, AKeyWithoutParametersIsOneLookup) {
  const auto lookups = choose_lookups(*generator_, *model_.pattern("open"), 10, 1);
  ASSERT_TRUE(lookups);
  EXPECT_EQ(lookups->size(), 1u);
}

TEST_F(Proofs, UpdatePaysForTheIndexesThatSeeIt) {
  const Change touch = change_of("touch");
  EXPECT_EQ(touch.request["UpdateExpression"], "ADD #n0 :v0");
  EXPECT_EQ(touch.request["ConditionExpression"], "#version = :version");
  // 1.6 KB: two units on the table, two on the index that keeps everything, none on the one that keeps keys.
  EXPECT_EQ(predicted_units(model_, touch, false), 4);
}

TEST_F(Proofs, ChangedConditionMovesTheItemInAndOutOfItsIndexes) {
  const Change close = change_of("close");
  const bool opened = close.after->fields.at("state") == "OPEN";
  EXPECT_NE(close.before->fields.at("state"), close.after->fields.at("state"));
  EXPECT_EQ(close.after->attribute("OPK") != nullptr, opened);
  const std::string expression = close.request["UpdateExpression"];
  EXPECT_EQ(expression.find("REMOVE") != std::string::npos, !opened);
  EXPECT_EQ(predicted_units(model_, close, false), 2 + 4 + 1);  // a changed key is a delete and a put
}

TEST_F(Proofs, NewItemsOfATransactionBelongTogether) {
  ChangePlanner planner(*generator_, 9);
  const auto changes = planner.plan(*model_.pattern("family"));
  ASSERT_TRUE(changes) << changes.error().message;
  ASSERT_EQ(changes->size(), 3u);
  EXPECT_EQ((*changes)[1].after->attribute("PK")->text, (*changes)[0].after->attribute("PK")->text);
  EXPECT_NE((*changes)[1].after->attribute("SK")->text, (*changes)[2].after->attribute("SK")->text);
  EXPECT_EQ((*changes)[1].after->fields.at("state"), "OPEN");
  EXPECT_EQ((*changes)[0].request["ConditionExpression"], "attribute_not_exists(#PK)");
  EXPECT_EQ(predicted_units(model_, (*changes)[0], true), 2);
  EXPECT_EQ(predicted_units(model_, (*changes)[1], true), 2 * 2 + 2 + 1);  // double on the table alone
}

}  // namespace
}  // namespace stator::design
