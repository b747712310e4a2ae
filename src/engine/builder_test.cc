// Indexes that are made and taken away while the table is in use.

#include "engine/builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/describe_table.h"
#include "engine/hooked_store.h"
#include "engine/test_support.h"
#include "engine/update_table.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::HookedStore;
using testing::Item;
using testing::N;
using testing::S;

class Builder : public ::testing::Test {
 protected:
  Builder() { database_.create(testing::sorted_request("t")); }

  void put(int sort, std::string_view group) {
    const std::string number = std::to_string(sort);
    Item item = {{"pk", S("a")}, {"sk", N(number)}};
    if (!group.empty()) item.push_back({"g", S(group)});
    const auto done = database_.put("t", item);
    ASSERT_TRUE(done.has_value()) << error_of(done);
  }
  void create_index() {
    UpdateTableRequest request;
    request.name = "t";
    request.definitions = {{"g", item::Type::string}};
    request.index_creations = {testing::index_input("by_g", {"g"}, ProjectionKind::keys_only)};
    const auto updated = sync_wait(update_table(database_.engine, request));
    ASSERT_TRUE(updated.has_value()) << error_of(updated);
  }
  Result<void> delete_index() {
    UpdateTableRequest request;
    request.name = "t";
    request.index_deletions = {"by_g"};
    const auto updated = sync_wait(update_table(database_.engine, request));
    if (!updated) return tl::unexpected(updated.error());
    return {};
  }
  TablePtr table() { return *database_.engine.catalog.find("t"); }
  // Whether something was left to do.
  Result<bool> advance() { return sync_wait(advance_building(database_.engine, table())); }
  std::size_t count(std::string_view group) {
    const Item values = {{":g", S(group)}};
    QueryRequest request;
    request.page.table_name = "t";
    request.page.index_name = "by_g";
    request.page.parameters.values = values;
    request.page.select = Select::count;
    request.key_condition = "g = :g";
    const auto page = database_.query(request);
    EXPECT_TRUE(page.has_value()) << error_of(page);
    return page ? static_cast<std::size_t>(page->page.count) : 0;
  }
  Statistics statistics() {
    const auto report = sync_wait(describe_table(database_.engine, "t"));
    EXPECT_TRUE(report.has_value()) << error_of(report);
    return report->index_statistics.at(table()->find_index("by_g")->id);
  }
  HookedStore& hooked() { return static_cast<HookedStore&>(*database_.store); }

  Database database_{std::make_unique<HookedStore>()};
};

TEST(BuilderBesideATable, WaitsWhileTheTableIsShownAsUpdating) {
  Database database({.transition_ms = 100});
  database.create(testing::sorted_request("t"));
  database.clock.advance(100);
  UpdateTableRequest request;
  request.name = "t";
  request.definitions = {{"g", item::Type::string}};
  request.index_creations = {testing::index_input("by_g", {"g"}, ProjectionKind::keys_only)};
  const auto updated = sync_wait(update_table(database.engine, request));
  ASSERT_TRUE(updated.has_value()) << error_of(updated);
  const auto table = [&] { return *database.engine.catalog.find("t"); };
  const auto advance = [&] { return *sync_wait(advance_building(database.engine, table())); };
  EXPECT_TRUE(advance());
  EXPECT_EQ(table()->find_index("by_g")->state, IndexState::creating);
  database.clock.advance(100);
  EXPECT_FALSE(advance());
  EXPECT_EQ(table()->find_index("by_g")->state, IndexState::active);
}

TEST_F(Builder, FillsANewIndexWithTheItemsThatAreThere) {
  for (int i = 0; i < 500; ++i) put(i, i % 5 == 0 ? "" : i % 2 == 0 ? "even" : "odd");
  create_index();
  EXPECT_TRUE(needs_building(*table()));
  ASSERT_TRUE(advance().has_value());
  EXPECT_FALSE(needs_building(*table()));
  EXPECT_EQ(table()->find_index("by_g")->state, IndexState::active);
  EXPECT_EQ(count("even"), 200u);
  EXPECT_EQ(count("odd"), 200u);
  const auto report = sync_wait(describe_table(database_.engine, "t"));
  const IndexId id = table()->find_index("by_g")->id;
  EXPECT_EQ(report->index_statistics.at(id).items, 400);
}

TEST_F(Builder, CommitsFewRowsAtOnceAndFewerOfLargeItems) {
  const std::string large(20'000, 'x');
  for (int i = 0; i < 300; ++i) put(i, "small");
  for (int i = 300; i < 340; ++i) {
    const std::string sort = std::to_string(i);
    const Item item = {{"pk", S("a")}, {"sk", N(sort)}, {"g", S("large")}, {"text", S(large)}};
    ASSERT_TRUE(database_.put("t", item).has_value());
  }
  create_index();
  std::vector<std::size_t> sizes;
  hooked().before_commit = [&](const store::Batch& batch) {
    if (batch.patient) sizes.push_back(batch.puts.size() - 1);  // one says how far it is
  };
  ASSERT_TRUE(advance().has_value());
  hooked().before_commit = nullptr;
  EXPECT_EQ(*std::max_element(sizes.begin(), sizes.end()), 32u);
  EXPECT_GE(std::count(sizes.begin(), sizes.end(), 4u), 9);  // of 20,000 bytes each
  EXPECT_EQ(count("small"), 300u);
  EXPECT_EQ(count("large"), 40u);
}

// A write that began before the index was made and comes after one that knows it.
TEST_F(Builder, PutsRightWhatALateWriteHasLeft) {
  for (int i = 0; i < 3; ++i) put(i, "before");
  create_index();
  for (int i = 0; i < 3; ++i) put(i, "known");
  const auto write_without_index = [&](std::string_view sort, std::optional<std::string_view> group) {
    base::Arena arena;
    Item item = {{"pk", S("a")}, {"sk", N(sort)}};
    const auto key = find_key_values(table()->key, item::Attributes(item), arena);
    const std::string_view row_key = table_row_key(*table(), *key, arena);
    store::Batch batch;
    if (group) {
      item.push_back({"g", S(*group)});
      batch.puts.push_back({row_key, item::encode_item(item, arena)});
    } else {
      batch.erases.push_back(row_key);
    }
    ASSERT_TRUE(sync_wait(database_.store->commit(batch)).has_value());
  };
  write_without_index("0", "late");
  write_without_index("1", std::nullopt);
  ASSERT_TRUE(advance().has_value());
  EXPECT_EQ(count("known"), 1u);
  EXPECT_EQ(count("late"), 1u);
  EXPECT_EQ(testing::count_rows(*database_.store, table()->id), 2u * 2);
  EXPECT_EQ(statistics().items, 2);
}

TEST_F(Builder, TakesInWhatIsWrittenMeanwhile) {
  for (int i = 0; i < 400; ++i) put(i, "x");
  create_index();
  // Between two pages: one item that the builder has passed, one that it has not, one that is new.
  int commits = 0;
  hooked().after_commit = [&] {
    if (++commits != 1) return;
    put(0, "y");
    put(399, "y");
    put(1000, "y");
    ASSERT_TRUE(database_.remove("t", {{"pk", S("a")}, {"sk", N("1")}}).has_value());
    ASSERT_TRUE(database_.remove("t", {{"pk", S("a")}, {"sk", N("398")}}).has_value());
  };
  ASSERT_TRUE(advance().has_value());
  hooked().after_commit = nullptr;
  EXPECT_EQ(count("x"), 396u);
  EXPECT_EQ(count("y"), 3u);
  EXPECT_EQ(testing::count_rows(*database_.store, table()->id), 2u * 399);
  EXPECT_EQ(statistics().items, 399);
}

// One item of each kind of write, before and behind the place of the builder.
TEST_F(Builder, CountsExactlyWhatIsWrittenMeanwhile) {
  for (int i = 0; i < 400; ++i) put(i, "a longer name");
  create_index();
  int commits = 0;
  hooked().after_commit = [&] {
    if (++commits != 1) return;
    for (const int passed : {0, 390}) {
      put(passed, "y");
      put(passed + 1, "");
      put(passed + 2, "a longer name");
      ASSERT_TRUE(database_.remove("t", {{"pk", S("a")}, {"sk", N(std::to_string(passed + 3))}}).has_value());
    }
  };
  ASSERT_TRUE(advance().has_value());
  hooked().after_commit = nullptr;
  EXPECT_EQ(count("a longer name"), 394u);
  EXPECT_EQ(count("y"), 2u);
  const std::int64_t bytes = statistics().bytes;
  EXPECT_EQ(statistics().items, 396);

  // The same index, built while nothing else happens, tells what is right.
  ASSERT_TRUE(delete_index().has_value());
  ASSERT_TRUE(advance().has_value());
  create_index();
  ASSERT_TRUE(advance().has_value());
  EXPECT_EQ(statistics().items, 396);
  EXPECT_EQ(statistics().bytes, bytes);
}

TEST_F(Builder, CountsARowThatIsPutBetweenTheReadAndTheCommitOfAWrite) {
  for (int i = 0; i < 10; ++i) put(i, "x");
  create_index();
  bool first = true;
  hooked().before_change = [&]() -> std::optional<Error> {
    if (std::exchange(first, false)) {
      EXPECT_TRUE(advance().has_value());
    }
    return std::nullopt;
  };
  put(3, "y");
  hooked().before_change = nullptr;
  EXPECT_EQ(count("x"), 9u);
  EXPECT_EQ(count("y"), 1u);
  EXPECT_EQ(statistics().items, 10);
}

TEST_F(Builder, SeesAChangeBetweenItsReadAndItsCommit) {
  for (int i = 0; i < 10; ++i) put(i, "x");
  create_index();
  hooked().before_change = [&]() -> std::optional<Error> {
    hooked().before_change = nullptr;
    put(3, "y");
    EXPECT_TRUE(database_.remove("t", {{"pk", S("a")}, {"sk", N("4")}}).has_value());
    return std::nullopt;
  };
  ASSERT_TRUE(advance().has_value());
  EXPECT_EQ(count("x"), 8u);
  EXPECT_EQ(count("y"), 1u);
}

TEST_F(Builder, WaitsForWritesThatDoNotKnowTheIndex) {
  {
    const Result<WriteTable> write = database_.engine.catalog.begin_write("t");
    ASSERT_TRUE(write.has_value());
    create_index();
    const auto waiting = advance();
    ASSERT_TRUE(waiting.has_value()) << error_of(waiting);
    EXPECT_TRUE(*waiting);
    EXPECT_EQ(table()->find_index("by_g")->state, IndexState::creating);
  }
  EXPECT_FALSE(*advance());
  EXPECT_EQ(table()->find_index("by_g")->state, IndexState::active);
}

// A process may end after any number of changes; the next one makes the same index of it.
class InterruptedBuilder : public Builder, public ::testing::WithParamInterface<int> {};

TEST_P(InterruptedBuilder, GoesOnAfterARestart) {
  for (int i = 0; i < 450; ++i) put(i, "x");
  create_index();
  hooked().before_change = testing::fail_after(GetParam());
  EXPECT_FALSE(advance().has_value());
  hooked().before_change = nullptr;
  ASSERT_TRUE(advance().has_value());

  EXPECT_EQ(table()->find_index("by_g")->state, IndexState::active);
  EXPECT_EQ(count("x"), 450u);
  const IndexId id = table()->find_index("by_g")->id;
  EXPECT_EQ(sync_wait(describe_table(database_.engine, "t"))->index_statistics.at(id).items, 450);
  EXPECT_FALSE(sync_wait(database_.store->get(build_progress_key(table()->id, id),
                                              store::ReadMode::committed))
                   ->exists);
}
// Three pages, the place forgotten, the table changed.
INSTANTIATE_TEST_SUITE_P(AfterChanges, InterruptedBuilder, ::testing::Range(0, 5));

TEST_F(Builder, ErasesAnIndexThatIsDeleted) {
  for (int i = 0; i < 10; ++i) put(i, "x");
  create_index();
  ASSERT_TRUE(advance().has_value());
  EXPECT_EQ(testing::count_rows(*database_.store, table()->id), 20u);
  ASSERT_TRUE(delete_index().has_value());
  put(10, "x");
  ASSERT_TRUE(advance().has_value());
  EXPECT_EQ(table()->find_index("by_g"), nullptr);
  EXPECT_EQ(testing::count_rows(*database_.store, table()->id), 11u);
  EXPECT_EQ(table()->definitions.size(), 2u);
  create_index();
  ASSERT_TRUE(advance().has_value());
  EXPECT_EQ(count("x"), 11u);
}

TEST_F(Builder, LeavesNothingOfATableThatIsDroppedMeanwhile) {
  for (int i = 0; i < 450; ++i) put(i, "x");
  create_index();
  const TablePtr dropped = table();
  hooked().before_change = testing::fail_after(1);
  EXPECT_FALSE(advance().has_value());
  hooked().before_change = nullptr;
  ASSERT_TRUE(sync_wait(database_.engine.catalog.drop("t", 0)).has_value());
  EXPECT_FALSE(sync_wait(advance_building(database_.engine, dropped)).has_value());
  EXPECT_EQ(testing::count_rows(*database_.store, dropped->id), 0u);
  EXPECT_TRUE(testing::StoredRows(*database_.store, build_progress_key(0, 0),
                                  build_progress_key(~TableId{0}, 0))
                  .rows.empty());
}

TEST_F(Builder, ChangesOneIndexAtATime) {
  create_index();
  UpdateTableRequest request;
  request.name = "t";
  request.definitions = {{"h", item::Type::string}};
  request.index_creations = {testing::index_input("by_h", {"h"})};
  EXPECT_EQ(error_of(sync_wait(update_table(database_.engine, request))),
            "Subscriber limit exceeded: Only 1 online index can be created or deleted "
            "simultaneously per table");
  ASSERT_TRUE(advance().has_value());
  EXPECT_TRUE(sync_wait(update_table(database_.engine, request)).has_value());
}

}  // namespace
}  // namespace stator::engine
