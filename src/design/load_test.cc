#include "design/load.h"

#include "design/filter_text.h"
#include "design/test_support.h"

namespace stator::design {
namespace {

constexpr char kSmall[] = R"(
indexes:
  GSI1: {partition_key: GSI1PK, sort_key: {name: GSI1SK, type: N}, projection: [total]}
entities:
  Order:
    count: 20k
    attributes:
      orderId: {format: id, unique: true, stored: false}
      status: {values: {OPEN: 5, DONE: 95}}
      total: N
      size: {size: 2KB, max_size: 10KB}
      flaggedAt: {format: epoch, present: 2%}
    keys: {PK: "ORDER#{orderId}", SK: META, GSI1PK: "S#{status}", GSI1SK: "{flaggedAt}"}
    sparse:
      GSI1: {when: "status in [OPEN, DONE]", share: 10%}
    ttl: flaggedAt
    lifetime: 30d
patterns:
  read:
    kind: query
    entity: Order
    key: {PK: "ORDER#{orderId}", SK: {between: [A, "M#{x}"]}}
    filter: {expression: "total > :least AND status = :status", keeps: 10%}
    parameters: {x: orderId, least: {value: 5, type: N}}
    rate: {average: 1.5k, peak: 2000}
    hottest_share: 5%
  write:
    kind: transact_write
    actions:
      - kind: update
        entity: Order
        set: {status: "{status}"}
        add: {total: 1}
        remove: [size]
        condition: "total < :total"
      - {kind: put, entity: Order, count: 3}
    rate: 2
)";

TEST(Load, ReadsAWholeModel) {
  const Model model = model_of(kSmall);
  const Index& index = *model.index("GSI1");
  EXPECT_EQ(index.sort_key->type, AttributeType::number);
  EXPECT_EQ(index.projection.kind, ProjectionKind::include);
  const Entity& order = *model.entity("Order");
  EXPECT_EQ(order.count, 20'000);
  EXPECT_EQ(order.attribute("size")->typical_bytes, 2048);
  EXPECT_EQ(order.attribute("size")->maximum_bytes, 10'240);
  EXPECT_EQ(order.attribute("flaggedAt")->type, AttributeType::number);
  EXPECT_DOUBLE_EQ(order.attribute("flaggedAt")->present, 0.02);
  EXPECT_EQ(order.sparse_in("GSI1")->values, (std::vector<std::string>{"OPEN", "DONE"}));
  EXPECT_DOUBLE_EQ(*order.sparse_in("GSI1")->share, 0.1);
  EXPECT_EQ(order.lifetime_s, 30 * 86'400);
  EXPECT_EQ(model.ttl_attribute(), "flaggedAt");
  const Pattern& read = *model.pattern("read");
  EXPECT_EQ(read.condition("SK")->op, KeyOperator::between);
  EXPECT_EQ(read.condition("SK")->upper.text(), "M#{x}");
  EXPECT_EQ(read.filter->attributes, (std::vector<std::string>{"total", "status"}));
  EXPECT_EQ(read.filter->parameters, (std::vector<std::string>{"least", "status"}));
  EXPECT_EQ(read.rate.average, 1500);
  EXPECT_DOUBLE_EQ(*read.hottest_share, 0.05);
  EXPECT_EQ(read.parameter("least")->type, AttributeType::number);
  const Pattern& write = *model.pattern("write");
  ASSERT_EQ(write.actions.size(), 2U);
  EXPECT_EQ(write.actions[0].remove, std::vector<std::string>{"size"});
  EXPECT_EQ(write.actions[1].count, 3);
  EXPECT_EQ(write.entities, std::vector<std::string>{"Order"});
  EXPECT_FALSE(write.is_read());
  EXPECT_TRUE(write.is_transaction());
}

TEST(Load, KnowsThePlaceOfEverything) {
  const Loaded loaded = load_text(
      "stator_model: 1\n"
      "table: {name: t, partition_key: PK}\n"
      "entities:\n"
      "  User:\n"
      "    count: 1\n"
      "    keys: {PK: \"A\"}\n"
      "patterns:\n"
      "  read: {kind: get, entity: User, key: {PK: A}, rate: 1}\n",
      "t.yaml");
  ASSERT_TRUE(loaded.ok()) << problem_text(loaded.problems.front());
  EXPECT_EQ(loaded.model.entities[0].position, (Position{4, 3}));
  EXPECT_EQ(loaded.model.entities[0].keys[0].value.position(), (Position{6, 16}));
  EXPECT_EQ(loaded.model.patterns[0].key[0].position, (Position{8, 41}));
  EXPECT_EQ(loaded.model.name, "t");  // the table's, where it has none
}

TEST(Load, CollectsAllProblemsInTheOrderOfTheFile) {
  const Loaded loaded = load_text(
      "stator_model: 1\n"
      "table: {name: t, partition_key: PK, capacity: some}\n"
      "entities:\n"
      "  User: {count: x, keys: {PK: \"{a\"}}\n"
      "patterns: {p: {kind: qurey, rate: 1}}\n",
      "t.yaml");
  ASSERT_EQ(loaded.problems.size(), 4U);
  EXPECT_EQ(problem_text(loaded.problems[0]),
            "t.yaml:2:47: capacity of table: expected on_demand or provisioned, found \"some\"");
  EXPECT_EQ(problem_text(loaded.problems[3]),
            "t.yaml:5:22: kind of pattern p: expected get, query, scan, put, update, delete, batch_get, batch_write, "
            "transact_get or transact_write, found \"qurey\"; did you mean \"query\"?");
}

TEST(Load, RefusesWhatIsNoModel) {
  for (const char* text : {"", "[]", "42", "- a\n- b", "{", "a: b: c", "\xff\xfe", "&a [*a]"}) {
    EXPECT_FALSE(load_text(text, "t.yaml").ok()) << text;
  }
  EXPECT_FALSE(load_text(std::string(100'000, '['), "t.yaml").ok());
}

TEST(Load, LoadModelPutsEveryProblemOnALine) {
  const auto model = load_model("/no/such/file.yaml");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().message, "/no/such/file.yaml:1:1: cannot be read: No such file or directory");
}

TEST(FilterText, PutsPlaceholdersForNames) {
  const auto filter = read_filter_text("status = :s AND begins_with(address.street, :a) AND attribute_exists(size)");
  ASSERT_TRUE(filter);
  EXPECT_EQ(filter->attributes, (std::vector<std::string>{"status", "address", "size"}));
  EXPECT_EQ(with_name_placeholders(*filter),
            "#status = :s AND begins_with(#address.street, :a) AND attribute_exists(#size)");
}

TEST(FilterText, RefusesWhatTheServiceWould) {
  EXPECT_FALSE(read_filter_text("status ="));
  EXPECT_FALSE(read_filter_text(""));
  EXPECT_FALSE(read_filter_text("a = :a b"));
}

}  // namespace
}  // namespace stator::design
