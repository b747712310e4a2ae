#include "engine/write_plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <list>

#include "engine/test_support.h"

namespace stator::engine {
namespace {

using testing::Item;
using testing::N;
using testing::S;

// A change of the item {pk: a, sk: 1} of an indexed table, told as text.
class WritePlan : public ::testing::Test {
 protected:
  // Attributes without the key; nothing for no item.
  void plan(const std::optional<Item>& before, const std::optional<Item>& after) {
    const item::StoredItem* stored_before = store(before);
    const item::StoredItem* stored_after = store(after);
    const Item key_attributes = {{"pk", S("a")}, {"sk", N("1")}};
    const KeyValues key = *find_key_values(table_.key, key_attributes, arena_);
    row_key_ = table_row_key(table_, key, arena_);
    plan_change({table_, key, row_key_, 5, stored_before, stored_after}, batch_, consumed_, arena_);
  }

  // Such as: "erase global_all, put table"
  std::string changes() {
    std::vector<std::string> parts;
    for (const store::Write& put : batch_.puts) parts.push_back("put " + space_of(put.key));
    for (const std::string_view key : batch_.erases) parts.push_back("erase " + space_of(key));
    std::sort(parts.begin(), parts.end());
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  // Items and bytes that are added to the statistics, and bytes of the collection.
  std::string counters() {
    std::vector<std::string> parts;
    for (const store::Add& add : batch_.adds) {
      const bool is_collection = add.deltas.size() == 1;
      if (is_collection) {
        parts.push_back(fmt::format("collection {:+}", add.deltas[0]));
      } else {
        const auto index = static_cast<IndexId>(add.key.back());
        EXPECT_EQ(add.key, statistics_key(table_.id, index));
        parts.push_back(fmt::format("{} {:+}/{:+}", name_of(index), add.deltas[0], add.deltas[1]));
      }
    }
    std::sort(parts.begin(), parts.end());
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  std::string costs() {
    std::vector<std::string> parts;
    for (const auto& [index, halves] : consumed_.indexes) {
      parts.push_back(fmt::format("{} {}", index->name, static_cast<double>(halves) / 2));
    }
    std::sort(parts.begin(), parts.end());
    return fmt::format("table {} {}", static_cast<double>(consumed_.table_cost) / 2,
                       fmt::join(parts, " "));
  }
  // The item in the row that is put for an index.
  std::string put_text(std::string_view index) {
    for (const store::Write& put : batch_.puts) {
      if (space_of(put.key) != index) continue;
      const auto item = item::StoredItem::open(put.value);
      EXPECT_TRUE(item.has_value());
      return item ? std::string(item->text()) : "";
    }
    return "none";
  }
  std::string name_of(IndexId id) {
    for (const Index& index : table_.indexes) {
      if (index.id == id) return index.name;
    }
    return "table";
  }
  std::string space_of(std::string_view key) {
    return name_of(static_cast<IndexId>(key[kSpaceBytes - 1]));
  }

  Table table_ = testing::table_of(testing::indexed_request("orders"));
  base::Arena arena_;
  store::Batch batch_;
  ConsumedCapacity consumed_;
  std::string_view row_key_;

 private:
  const item::StoredItem* store(const std::optional<Item>& rest) {
    if (!rest) return nullptr;
    Item item = {{"pk", S("a")}, {"sk", N("1")}};  // 7 bytes
    item.insert(item.end(), rest->begin(), rest->end());
    items_.push_back(*item::StoredItem::open(item::encode_item(item, arena_)));
    return &items_.back();
  }
  std::list<item::StoredItem> items_;
};

TEST_F(WritePlan, GuardsTheRowThatWasRead) {
  plan(std::nullopt, Item{});
  ASSERT_EQ(batch_.guards.size(), 1u);
  EXPECT_EQ(batch_.guards[0].key, row_key_);
  EXPECT_EQ(batch_.guards[0].version, 5u);
}

TEST_F(WritePlan, InsertsIntoTheTableAloneWhereNoIndexKeyIsThere) {
  plan(std::nullopt, Item{{"a", S("x")}});
  EXPECT_EQ(changes(), "put table");
  EXPECT_EQ(counters(), "collection +9, table +1/+9");
  EXPECT_EQ(costs(), "table 1 ");
}

TEST_F(WritePlan, InsertsIntoEveryIndexWhoseKeyIsWhole) {
  // global_all needs h too.
  plan(std::nullopt, Item{{"g", S("x")}, {"l", S("y")}});
  EXPECT_EQ(changes(),
            "put global_keys, put global_some, put local_all, put local_keys, put table");
  EXPECT_EQ(costs(), "table 1 global_keys 1 global_some 1 local_all 1 local_keys 1");
  // table 7+2+2, global_* 7+2, local_keys 7+2, local_all 11; a collection is table and local rows
  EXPECT_EQ(counters(),
            "collection +31, global_keys +1/+9, global_some +1/+9, local_all +1/+11, local_keys "
            "+1/+9, table +1/+11");
}

TEST_F(WritePlan, LeavesAnIndexKeyOfAnotherTypeOut) {
  plan(std::nullopt, Item{{"g", N("1")}, {"h", N("1")}});
  EXPECT_EQ(changes(), "put table");
}

TEST_F(WritePlan, PutsWhatAnIndexProjects) {
  plan(std::nullopt, Item{{"c", S("1")}, {"g", S("x")}, {"b", S("2")}, {"h", N("1")}});
  EXPECT_EQ(
      put_text("global_all"),
      R"({"pk":{"S":"a"},"sk":{"N":"1"},"c":{"S":"1"},"g":{"S":"x"},"b":{"S":"2"},"h":{"N":"1"}})");
  EXPECT_EQ(put_text("global_keys"), R"({"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"}})");
  EXPECT_EQ(put_text("global_some"),
            R"({"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"},"b":{"S":"2"}})");
  EXPECT_EQ(put_text("local_keys"), "none");
}

TEST_F(WritePlan, DeletesFromTableAndIndexes) {
  plan(Item{{"g", S("x")}, {"l", S("y")}}, std::nullopt);
  EXPECT_EQ(changes(),
            "erase global_keys, erase global_some, erase local_all, erase local_keys, erase table");
  EXPECT_EQ(costs(), "table 1 global_keys 1 global_some 1 local_all 1 local_keys 1");
  EXPECT_EQ(counters(),
            "collection -31, global_keys -1/-9, global_some -1/-9, local_all -1/-11, local_keys "
            "-1/-9, table -1/-11");
}

TEST_F(WritePlan, DeletingNothingCostsAUnitAndChangesNothing) {
  plan(std::nullopt, std::nullopt);
  EXPECT_EQ(changes(), "");
  EXPECT_EQ(counters(), "");
  EXPECT_EQ(costs(), "table 1 ");
  EXPECT_EQ(batch_.guards.size(), 1u);
}

TEST_F(WritePlan, MovesAnIndexRowWhoseKeyChanges) {
  plan(Item{{"g", S("x")}}, Item{{"g", S("yy")}});
  EXPECT_EQ(changes(),
            "erase global_keys, erase global_some, put global_keys, put global_some, put table");
  EXPECT_EQ(costs(), "table 1 global_keys 2 global_some 2");
  EXPECT_EQ(counters(), "collection +1, global_keys +0/+1, global_some +0/+1, table +0/+1");
}

TEST_F(WritePlan, ChangesOnlyTheIndexesThatProjectAChangedAttribute) {
  plan(Item{{"g", S("x")}, {"h", N("1")}, {"a", S("1")}},
       Item{{"g", S("x")}, {"h", N("1")}, {"a", S("22")}});
  EXPECT_EQ(changes(), "put global_all, put global_some, put table");
  EXPECT_EQ(costs(), "table 1 global_all 1 global_some 1");
  EXPECT_EQ(counters(), "collection +1, global_all +0/+1, global_some +0/+1, table +0/+1");
}

TEST_F(WritePlan, LeavesIndexesThatDoNotProjectAChangedAttribute) {
  plan(Item{{"g", S("x")}, {"l", S("y")}, {"c", S("1")}},
       Item{{"g", S("x")}, {"l", S("y")}, {"c", S("2")}});
  EXPECT_EQ(changes(), "put local_all, put table");
  EXPECT_EQ(costs(), "table 1 local_all 1");
  EXPECT_EQ(counters(), "");
}

TEST_F(WritePlan, AnItemThatStaysAsItIsCostsNoIndexAnything) {
  const Item same = {{"g", S("x")}, {"h", N("1")}, {"l", S("y")}, {"a", S("1")}};
  plan(same, same);
  EXPECT_EQ(changes(), "put table");
  EXPECT_EQ(counters(), "");
  EXPECT_EQ(costs(), "table 1 ");
}

TEST_F(WritePlan, AnotherOrderOfAttributesAndMembersIsTheSameItem) {
  const item::Value one_two[] = {S("1"), S("2")};
  const item::Value two_one[] = {S("2"), S("1")};
  using item::Type;
  plan(Item{{"g", S("x")}, {"h", N("1")}, {"a", item::Value::set(Type::string_set, one_two)}},
       Item{{"a", item::Value::set(Type::string_set, two_one)}, {"h", N("1")}, {"g", S("x")}});
  EXPECT_EQ(changes(), "put table");
}

TEST_F(WritePlan, AddsAndRemovesTheRowOfASparseIndex) {
  plan(Item{{"g", S("x")}}, Item{{"g", S("x")}, {"h", N("1")}});
  EXPECT_EQ(changes(), "put global_all, put table");
  EXPECT_EQ(counters(), "collection +3, global_all +1/+12, table +0/+3");

  batch_.clear();
  consumed_ = {};
  plan(Item{{"g", S("x")}, {"h", N("1")}}, Item{{"g", S("x")}});
  EXPECT_EQ(changes(), "erase global_all, put table");
  EXPECT_EQ(costs(), "table 1 global_all 1");
  EXPECT_EQ(counters(), "collection -3, global_all -1/-12, table +0/-3");
}

TEST_F(WritePlan, CostsByTheLargerOfTheTwoItems) {
  const std::string large(3000, 'x');
  // 7 + 1 + 3000 bytes: 3 units; local_keys and global_keys do not hold them.
  plan(Item{{"c", S(large)}, {"g", S("x")}, {"l", S("y")}}, Item{{"g", S("x")}, {"l", S("y")}});
  EXPECT_EQ(costs(), "table 3 local_all 3");

  consumed_ = {};
  batch_.clear();
  plan(Item{{"g", S("x")}, {"l", S("y")}}, Item{{"c", S(large)}, {"g", S("z")}, {"l", S("y")}});
  EXPECT_EQ(costs(), "table 3 global_keys 2 global_some 2 local_all 3");
}

TEST_F(WritePlan, CountsNoCollectionWithoutLocalIndexes) {
  table_.indexes.erase(table_.indexes.begin(), table_.indexes.begin() + 2);
  plan(std::nullopt, Item{{"g", S("x")}});
  EXPECT_EQ(counters(), "global_keys +1/+9, global_some +1/+9, table +1/+9");
}

TEST(Capacity, RoundsUpToUnits) {
  EXPECT_EQ(write_cost(0), 2);
  EXPECT_EQ(write_cost(1024), 2);
  EXPECT_EQ(write_cost(1025), 4);
  EXPECT_EQ(read_cost(0, false), 1);
  EXPECT_EQ(read_cost(0, true), 2);
  EXPECT_EQ(read_cost(4096, true), 2);
  EXPECT_EQ(read_cost(4097, true), 4);
  EXPECT_EQ(read_cost(4097, false), 2);
}

TEST(Capacity, SumsTheCostsOfAnIndex) {
  const Table table = testing::table_of(testing::indexed_request("t"));
  ConsumedCapacity consumed;
  consumed.table_cost = 1;
  consumed.add_index(table.indexes[0], 0);
  EXPECT_TRUE(consumed.indexes.empty());
  consumed.add_index(table.indexes[0], 2);
  consumed.add_index(table.indexes[1], 4);
  consumed.add_index(table.indexes[0], 1);
  ASSERT_EQ(consumed.indexes.size(), 2u);
  EXPECT_EQ(consumed.indexes[0].cost, 3);
  EXPECT_EQ(consumed.total(), 8);
}

}  // namespace
}  // namespace stator::engine
