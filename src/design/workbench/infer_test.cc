#include "design/workbench/infer.h"

#include <gtest/gtest.h>

#include "design/generate/generator.h"
#include "design/load.h"
#include "design/workbench/key_parts.h"
#include "design/workbench/workbench.h"

namespace stator::design {
namespace {

TEST(KeyParts, LiteralsAreWhatIsTheSameEverywhere) {
  EXPECT_EQ(guess_template("PK", {"CUST#a1", "CUST#b2"}, '#', {}).text, "CUST#{custId}");
  EXPECT_EQ(guess_template("SK", {"PROFILE", "PROFILE"}, '#', {}).text, "PROFILE");
  EXPECT_EQ(guess_template("SK", {"ORDER#2026-06-01#o-1", "ORDER#2026-06-03#o-2"}, '#', {}).text,
            "ORDER#{orderDate}#{orderId}");
  EXPECT_EQ(guess_template("SK", {"CATEGORY#A#B", "CATEGORY#A#B#C"}, '#', {}).text, "CATEGORY#A#{aPath}");
}

TEST(KeyParts, KnownFieldsGiveTheirNames) {
  const std::map<std::string, Column> known = {{"customerId", {"a1", "b2"}}, {"status", {"OPEN", "PAID"}}};
  EXPECT_EQ(guess_template("GSI1PK", {"CUST#a1#OPEN", "CUST#b2#PAID"}, '#', known).text, "CUST#{customerId}#{status}");
}

TEST(KeyParts, FormatsAreRecognised) {
  EXPECT_EQ(guess_format({"2026-06-01"}), ValueFormat::date);
  EXPECT_EQ(guess_format({"2026-06-01T12:00:00Z"}), ValueFormat::datetime);
  EXPECT_EQ(guess_format({"ada@example.com"}), ValueFormat::email);
  EXPECT_EQ(guess_format({"01J0000000000000000000000A"}), ValueFormat::ulid);
  EXPECT_EQ(guess_format({"o-9001"}), ValueFormat::id);
  EXPECT_EQ(guess_format({"two words"}), ValueFormat::text);
  EXPECT_EQ(guess_delimiter({"a|b", "c|d", "e#f"}), '|');
}

constexpr const char* kBoardModel = R"(
stator_model: 1
name: board
table: {name: t, partition_key: PK, sort_key: SK, type_attribute: entity_type}
indexes:
  OPEN: {partition_key: OPK, sort_key: OSK, projection: [state]}
entities:
  User:
    count: 40
    attributes: {userId: {format: id, unique: true, stored: false, size: 6}, name: {size: 20}}
    keys: {PK: "USER#{userId}", SK: PROFILE}
  Task:
    attributes:
      userId: {format: id, stored: false}
      day: {format: date, stored: false}
      taskId: {format: id, unique: true, stored: false, size: 8}
      state: {values: {OPEN: 25, DONE: 75}}
      price: {type: N, min: 0, decimals: 2}
    keys: {PK: "USER#{userId}", SK: "TASK#{day}#{taskId}", OPK: OPEN, OSK: "{day}#{taskId}"}
    sparse: {OPEN: state = OPEN}
relationships:
  tasks_of_user: {parent: User, child: Task, by: userId, children: {average: 10, max: 100}}
patterns:
  read: {kind: get, entity: User, key: {PK: "USER#{userId}", SK: PROFILE}, rate: 1}
)";

class Inferred : public ::testing::Test {
 protected:
  void SetUp() override {
    Loaded loaded = load_text(kBoardModel, "board.yaml");
    ASSERT_TRUE(loaded.ok()) << problem_text(loaded.problems.front());
    model_ = std::move(loaded.model);
    const auto generator = Generator::create(model_, {1, 1});
    ASSERT_TRUE(generator);
    input_.table = model_.table;
    input_.indexes = model_.indexes;
    for (const Entity& entity : model_.entities)
      for (std::uint64_t n = 0; n < generator->count(entity); ++n) {
        input_.items.push_back(nlohmann::ordered_json::parse(generator->item(entity, n)->json()));
      }
  }
  Model model_;
  InferInput input_;
};

TEST_F(Inferred, FindsEntitiesKeysSparseConditionAndParents) {
  const Model guess = infer_model(input_);
  EXPECT_EQ(guess.table.type_attribute, "entity_type");
  ASSERT_NE(guess.entity("Task"), nullptr);
  const Entity& task = *guess.entity("Task");
  EXPECT_EQ(task.key("PK")->text(), "USER#{userId}");
  EXPECT_EQ(task.key("SK")->text(), "TASK#{taskDate}#{taskId}");
  EXPECT_EQ(task.key("OPK")->text(), "OPEN");
  EXPECT_EQ(task.key("OSK")->text(), "{taskDate}#{taskId}");
  ASSERT_EQ(task.sparse.size(), 1u);
  EXPECT_EQ(task.sparse[0].attribute, "state");
  EXPECT_EQ(task.sparse[0].values, std::vector<std::string>{"OPEN"});
  ASSERT_EQ(guess.relationships.size(), 1u);
  EXPECT_EQ(guess.relationships[0].parent, "User");
  EXPECT_NEAR(guess.relationships[0].children.average, 10, 0.1);
  EXPECT_EQ(guess.entity("User")->count, 40);
  EXPECT_EQ(task.attribute("price")->type, AttributeType::number);
}

TEST_F(Inferred, GroupsByPrefixWithoutATypeAttribute) {
  for (auto& item : input_.items) item.erase("entity_type");
  const Model guess = infer_model(input_);
  EXPECT_TRUE(guess.table.type_attribute.empty());
  ASSERT_EQ(guess.entities.size(), 2u);
  EXPECT_NE(guess.entity("UserProfile"), nullptr);
  EXPECT_NE(guess.entity("UserTask"), nullptr);
}

TEST_F(Inferred, CountsAreThoseOfTheWholeTable) {
  input_.item_count = 10.0 * static_cast<double>(input_.items.size());
  EXPECT_EQ(infer_model(input_).entity("User")->count, 400);
}

TEST_F(Inferred, IsWrittenAsAModelThatLoads) {
  const Model guess = infer_model(input_);
  const Loaded again = load_text(model_text(guess, "# a guess\n"), "guess.yaml");
  ASSERT_TRUE(again.ok()) << problem_text(again.problems.front()) << "\n" << model_text(guess, "");
  EXPECT_EQ(model_text(again.model, "# a guess\n"), model_text(guess, "# a guess\n"));
}

TEST_F(Inferred, WorkbenchKeepsTableIndexesAndTemplates) {
  const auto document = workbench_json(model_);
  ASSERT_TRUE(document) << document.error().message;
  const auto back = read_workbench(*document, "");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->name, model_.name);
  EXPECT_EQ(back->table.name, "t");
  ASSERT_EQ(back->indexes.size(), 1u);
  EXPECT_EQ(back->indexes[0].projection.attributes, model_.indexes[0].projection.attributes);
  for (const Entity& entity : model_.entities) {
    ASSERT_NE(back->entity(entity.name), nullptr) << entity.name;
    for (const KeyTemplate& key : entity.keys) {
      ASSERT_NE(back->entity(entity.name)->key(key.attribute), nullptr) << key.attribute;
      EXPECT_EQ(back->entity(entity.name)->key(key.attribute)->text(), key.value.text());
    }
  }
}

TEST(Workbench, SaysWhatIsWrong) {
  EXPECT_NE(read_workbench(nlohmann::ordered_json::array(), "").error().message.find("DataModel"), std::string::npos);
  const auto document = nlohmann::ordered_json::parse(R"({"DataModel":[{"TableName":"a"}]})");
  EXPECT_NE(read_workbench(document, "b").error().message.find("there is: a"), std::string::npos);
  EXPECT_NE(read_workbench(document, "").error().message.find("AttributeName"), std::string::npos);
}

}  // namespace
}  // namespace stator::design
