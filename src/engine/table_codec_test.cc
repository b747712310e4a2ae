#include <gtest/gtest.h>

#include "engine/table.h"
#include "engine/test_support.h"

namespace stator::engine {
namespace {

using item::Type;

// A table in which every field differs from its default.
Table full_table() {
  Table table = testing::table_of(testing::indexed_request("orders"), 42);
  table.uuid = "11111111-2222-4333-8444-555555555555";
  table.revision = 9;
  table.created_ms = 1'700'000'000'123;
  table.billing = BillingMode::on_demand;
  table.billing_mode_set = true;
  table.on_demand_since_ms = 5;
  table.throughput = {1, 2, 3, 4, 5};
  table.on_demand = {6, 7};
  table.warm = {8, 9};
  table.streams = {{1, "KEYS_ONLY", "2024-01-01T00:00:00.000", 2, 19, 20},
                   {2, "NEW_IMAGE", "2024-01-02T00:00:00.000", 4, 21, 0}};
  table.next_stream_id = 3;
  table.ttl.attribute = "expires";
  table.ttl.changed_ms = 22;
  table.encryption = {true, "KMS", "arn:aws:kms:key"};
  table.table_class = "STANDARD_INFREQUENT_ACCESS";
  table.table_class_changed_ms = 10;
  table.deletion_protection = true;
  table.tags = {{"team", "a"}, {"empty", ""}};
  table.transition = TableStatus::updating;
  table.transition_until_ms = 11;
  table.indexes[2].state = IndexState::creating;
  table.indexes[2].throughput = {12, 13, 14, 15, 16};
  table.indexes[2].on_demand = {17, std::nullopt};
  table.indexes[2].warm = {std::nullopt, 18};
  return table;
}

void expect_equal(const std::vector<KeyAttribute>& a, const std::vector<KeyAttribute>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].type, b[i].type);
  }
}
void expect_equal(const KeySchema& a, const KeySchema& b) {
  expect_equal(a.partition, b.partition);
  expect_equal(a.sort, b.sort);
}
void expect_equal(const Throughput& a, const Throughput& b) {
  EXPECT_EQ(a.read_units, b.read_units);
  EXPECT_EQ(a.write_units, b.write_units);
  EXPECT_EQ(a.last_increase_ms, b.last_increase_ms);
  EXPECT_EQ(a.last_decrease_ms, b.last_decrease_ms);
  EXPECT_EQ(a.decreases_today, b.decreases_today);
}
void expect_equal(const UnitPair& a, const UnitPair& b) {
  EXPECT_EQ(a.read_units, b.read_units);
  EXPECT_EQ(a.write_units, b.write_units);
}
void expect_equal(const Index& a, const Index& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.state, b.state);
  expect_equal(a.key, b.key);
  EXPECT_EQ(a.projection, b.projection);
  EXPECT_EQ(a.included, b.included);
  EXPECT_EQ(a.projected, b.projected);
  expect_equal(a.throughput, b.throughput);
  expect_equal(a.on_demand, b.on_demand);
  expect_equal(a.warm, b.warm);
}
void expect_equal(const Stream& a, const Stream& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.view_type, b.view_type);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.shards, b.shards);
  EXPECT_EQ(a.created_ms, b.created_ms);
  EXPECT_EQ(a.disabled_ms, b.disabled_ms);
}
void expect_equal(const Table& a, const Table& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.uuid, b.uuid);
  EXPECT_EQ(a.revision, b.revision);
  EXPECT_EQ(a.created_ms, b.created_ms);
  expect_equal(a.key, b.key);
  expect_equal(a.definitions, b.definitions);
  ASSERT_EQ(a.indexes.size(), b.indexes.size());
  for (std::size_t i = 0; i < a.indexes.size(); ++i) expect_equal(a.indexes[i], b.indexes[i]);
  EXPECT_EQ(a.next_index_id, b.next_index_id);
  EXPECT_EQ(a.billing, b.billing);
  EXPECT_EQ(a.billing_mode_set, b.billing_mode_set);
  EXPECT_EQ(a.on_demand_since_ms, b.on_demand_since_ms);
  expect_equal(a.throughput, b.throughput);
  expect_equal(a.on_demand, b.on_demand);
  expect_equal(a.warm, b.warm);
  ASSERT_EQ(a.streams.size(), b.streams.size());
  for (std::size_t i = 0; i < a.streams.size(); ++i) expect_equal(a.streams[i], b.streams[i]);
  EXPECT_EQ(a.next_stream_id, b.next_stream_id);
  EXPECT_EQ(a.ttl.attribute, b.ttl.attribute);
  EXPECT_EQ(a.ttl.changed_ms, b.ttl.changed_ms);
  EXPECT_EQ(a.encryption.enabled, b.encryption.enabled);
  EXPECT_EQ(a.encryption.type, b.encryption.type);
  EXPECT_EQ(a.encryption.key_arn, b.encryption.key_arn);
  EXPECT_EQ(a.table_class, b.table_class);
  EXPECT_EQ(a.table_class_changed_ms, b.table_class_changed_ms);
  EXPECT_EQ(a.deletion_protection, b.deletion_protection);
  EXPECT_EQ(a.tags, b.tags);
  EXPECT_EQ(a.transition, b.transition);
  EXPECT_EQ(a.transition_until_ms, b.transition_until_ms);
}

TEST(TableCodec, ReadsBackEveryFieldOfAFullTable) {
  const Table table = full_table();
  const Result<Table> decoded = decode_table(encode_table(table));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  expect_equal(*decoded, table);
}

TEST(TableCodec, ReadsBackATableOfDefaults) {
  const Table table = testing::table_of(testing::simple_request("t"), 1);
  const Result<Table> decoded = decode_table(encode_table(table));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  expect_equal(*decoded, table);
  EXPECT_FALSE(decoded->on_demand.any());
}

TEST(TableCodec, IgnoresFieldsOfALaterVersion) {
  base::Arena arena;
  const std::string stored = encode_table(full_table());
  const auto item = item::StoredItem::open(stored);
  ASSERT_TRUE(item.has_value());
  const item::Attributes fields = item->decode(arena);
  testing::Item attributes(fields.begin(), fields.end());
  attributes.push_back({"later", testing::S("x")});
  const Result<Table> decoded = decode_table(item::encode_item(attributes, arena));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  expect_equal(*decoded, full_table());
}

TEST(TableCodec, RefusesBytesThatAreNoTable) {
  base::Arena arena;
  const testing::Item no_key = {{"id", testing::N("1")}, {"name", testing::S("t")}};
  const std::string whole = encode_table(full_table());
  const std::string_view cases[] = {"", "x", std::string_view(whole).substr(0, whole.size() - 1),
                                    item::encode_item({}, arena), item::encode_item(no_key, arena)};
  for (const std::string_view bytes : cases) {
    const Result<Table> decoded = decode_table(bytes);
    ASSERT_FALSE(decoded.has_value());
    EXPECT_EQ(decoded.error().code, ErrorCode::corruption);
  }
}

TEST(TableCodec, ReadsMistypedFieldsAsTheirDefaults) {
  base::Arena arena;
  const std::string stored = encode_table(full_table());
  const auto item = item::StoredItem::open(stored);
  ASSERT_TRUE(item.has_value());
  testing::Item attributes;
  const item::Value numbers[] = {testing::N("1"), item::Value::list({})};
  for (item::Attribute attribute : item->decode(arena)) {
    if (attribute.name == "uuid") attribute.value = testing::N("5");
    if (attribute.name == "revision") attribute.value = testing::S("5");
    if (attribute.name == "tags") attribute.value = item::Value::list(numbers);
    attributes.push_back(attribute);
  }
  const Result<Table> decoded = decode_table(item::encode_item(attributes, arena));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().message;
  EXPECT_EQ(decoded->uuid, "");
  EXPECT_EQ(decoded->revision, 0);
  EXPECT_TRUE(decoded->tags.empty());
}

}  // namespace
}  // namespace stator::engine
