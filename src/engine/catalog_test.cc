#include "engine/catalog.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <thread>

#include "engine/hooked_store.h"
#include "engine/row_key.h"
#include "engine/test_support.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::HookedStore;
using testing::N;
using testing::S;

Table table_named(std::string_view name) {
  return testing::table_of(testing::simple_request(name));
}

Result<void> protect(Table& table) {
  table.deletion_protection = true;
  return {};
}

class CatalogTest : public ::testing::Test {
 protected:
  TablePtr create(std::string_view name) {
    Result<TablePtr> created = sync_wait(catalog_->create(table_named(name)));
    EXPECT_TRUE(created.has_value()) << error_of(created);
    return created.value_or(nullptr);
  }
  // What the next process sees: nothing is kept but the store.
  void restart() {
    catalog_.emplace(store_, clock_);
    const Result<void> loaded = sync_wait(catalog_->load());
    ASSERT_TRUE(loaded.has_value()) << error_of(loaded);
  }
  std::string names() {
    std::string text;
    const auto tables = catalog_->tables();
    for (const auto& [name, table] : *tables) text += name + " ";
    return text;
  }

  HookedStore store_;
  testing::ManualClock clock_;
  std::optional<Catalog> catalog_{std::in_place, store_, clock_};
};

TEST_F(CatalogTest, FindsWhatWasCreated) {
  const TablePtr table = create("orders");
  EXPECT_EQ(*catalog_->find("orders"), table);
  EXPECT_EQ(*catalog_->find_usable("orders"), table);
  EXPECT_EQ(names(), "orders ");
}

TEST_F(CatalogTest, TellsAbsentTablesInTheWordsOfEachPlane) {
  const auto control = catalog_->find("absent");
  const auto data = catalog_->find_usable("absent");
  EXPECT_EQ(error_of(control), "Requested resource not found: Table: absent not found");
  EXPECT_EQ(error_of(data), "Requested resource not found");
  EXPECT_EQ(control.error().code, ErrorCode::table_not_found);
  EXPECT_EQ(data.error().code, ErrorCode::table_not_found);
}

// What cannot be read is neither lost nor in the way of the others.
TEST_F(CatalogTest, SetsADescriptionAsideThatCannotBeRead) {
  create("before");
  create("damaged");
  const TablePtr after = create("later");
  for (const std::string value : {"", "x", "not an item"}) {
    const std::string key = catalog_key("damaged");
    store::Batch batch;
    batch.puts.push_back({key, value});
    ASSERT_TRUE(sync_wait(store_.commit(batch)).has_value());
    restart();
    EXPECT_EQ(names(), "before later ");
    EXPECT_EQ(catalog_->names(), (Catalog::Names{"before", "damaged", "later"}));
    EXPECT_EQ(catalog_->unreadable_records(), 1U);
    EXPECT_EQ((*catalog_->find_usable("later"))->id, after->id);
    for (const std::string& error : {error_of(catalog_->find("damaged")), error_of(catalog_->find_usable("damaged")),
                                     error_of(catalog_->begin_write("damaged")), error_of(sync_wait(catalog_->drop("damaged", 0))),
                                     error_of(sync_wait(catalog_->update("damaged", protect)))}) {
      EXPECT_EQ(error, "The description of table damaged is stored and cannot be read: the table is set aside");
    }
    EXPECT_EQ(catalog_->find("damaged").error().code, ErrorCode::corruption);
    EXPECT_EQ(error_of(sync_wait(catalog_->create(table_named("damaged")))), "Table already exists: damaged");
    const Result<store::Row> row = sync_wait(store_.get(key, store::ReadMode::committed));
    ASSERT_TRUE(row.has_value());
    EXPECT_EQ(row->value.view(), value) << "it was changed";
  }
}

TEST_F(CatalogTest, SetsRetiredStreamsAsideThatCannotBeRead) {
  create("a");
  const std::string key = retired_streams_key(77);
  store::Batch batch;
  batch.puts.push_back({key, "x"});
  ASSERT_TRUE(sync_wait(store_.commit(batch)).has_value());
  restart();
  EXPECT_EQ(names(), "a ");
  EXPECT_EQ(catalog_->unreadable_records(), 1U);
  EXPECT_TRUE(catalog_->retired()->empty());
  EXPECT_TRUE(sync_wait(store_.get(key, store::ReadMode::committed))->exists);
}

// A table with the number of another one would have its rows.
TEST_F(CatalogTest, MakesNoTableWhileTheNumberOfTheNewestCannotBeRead) {
  create("a");
  const std::string key = catalog_sequence_key();
  for (const std::string value : {"", "x", "1x", "99999999999999999999"}) {
    store::Batch batch;
    batch.puts.push_back({key, value});
    ASSERT_TRUE(sync_wait(store_.commit(batch)).has_value());
    const auto created = sync_wait(catalog_->create(table_named("b")));
    ASSERT_FALSE(created.has_value()) << value;
    EXPECT_EQ(created.error().code, ErrorCode::corruption);
  }
}

// Time stands still, and the first who asks for it while a test has said so sets something going.
class HookedClock final : public base::Clock {
 public:
  [[nodiscard]] std::int64_t now_ms() const override {
    if (const auto hook = std::exchange(when_asked, nullptr)) hook();
    return 1'700'000'000'000;
  }
  mutable std::function<void()> when_asked;
};

// The table changes when the write has found it and has not entered it yet.
TEST(CatalogWrites, EnterTheNewestVersion) {
  HookedStore store;
  HookedClock clock;
  Catalog catalog(store, clock);
  Table table = table_named("a");
  table.transition = TableStatus::creating;
  table.transition_until_ms = 1;  // long ago; but the clock is asked
  ASSERT_TRUE(sync_wait(catalog.create(std::move(table))).has_value());
  const TableId id = (*catalog.find("a"))->id;
  bool drained = false;
  clock.when_asked = [&] {
    std::thread other([&] {
      EXPECT_TRUE(sync_wait(catalog.update("a", protect)).has_value());
      drained = catalog.drained(id);
    });
    other.join();
  };
  const Result<WriteTable> write = catalog.begin_write("a");
  ASSERT_TRUE(write.has_value());
  EXPECT_TRUE(drained) << "nobody has entered an older version";
  EXPECT_TRUE((*write)->deletion_protection) << "the write does not know of the change";
}

// Whatever the number of changes, only versions that somebody still writes to are kept.
TEST_F(CatalogTest, LetsGoOfVersionsThatNobodyWritesTo) {
  std::weak_ptr<const Table> first = create("a");
  ASSERT_TRUE(sync_wait(catalog_->drop("a", 0)).has_value());
  std::weak_ptr<const Table> held;
  {
    held = create("b");
    const auto write = catalog_->begin_write("b");
    ASSERT_TRUE(write.has_value());
    ASSERT_TRUE(sync_wait(catalog_->update("b", protect)).has_value());
    create("c");
    EXPECT_TRUE(first.expired());
    EXPECT_FALSE(held.expired());
    EXPECT_FALSE(catalog_->drained((*write)->id));
  }
  create("d");
  EXPECT_TRUE(held.expired());
}

TEST_F(CatalogTest, RefusesANameThatIsTaken) {
  create("orders");
  const auto again = sync_wait(catalog_->create(table_named("orders")));
  EXPECT_EQ(error_of(again), "Table already exists: orders");
  EXPECT_EQ(again.error().code, ErrorCode::table_in_use);
}

TEST_F(CatalogTest, NeverGivesAnIdTwice) {
  const TableId first = create("a")->id;
  ASSERT_TRUE(sync_wait(catalog_->drop("a", 0)).has_value());
  const TableId second = create("a")->id;
  restart();
  const TableId third = create("b")->id;
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
}

TEST_F(CatalogTest, ReadsItsTablesBack) {
  create("b");
  create("a");
  ASSERT_TRUE(sync_wait(catalog_->update("a", protect)).has_value());
  restart();
  EXPECT_EQ(names(), "a b ");
  EXPECT_TRUE((*catalog_->find("a"))->deletion_protection);
  EXPECT_FALSE((*catalog_->find("b"))->deletion_protection);
}

TEST_F(CatalogTest, KeepsAnOldVersionForThoseWhoHoldIt) {
  const TablePtr before = create("a");
  const auto after = sync_wait(catalog_->update("a", protect));
  ASSERT_TRUE(after.has_value()) << error_of(after);
  EXPECT_FALSE(before->deletion_protection);
  EXPECT_TRUE((*after)->deletion_protection);
  EXPECT_GT((*after)->revision, before->revision);
  EXPECT_EQ((*after)->id, before->id);
  EXPECT_EQ(*catalog_->find("a"), *after);
}

TEST_F(CatalogTest, LeavesATableWhoseChangeIsRefused) {
  create("a");
  const auto refused = sync_wait(catalog_->update("a", [](Table& table) -> Result<void> {
    table.deletion_protection = true;
    return invalid("no");
  }));
  EXPECT_EQ(error_of(refused), "no");
  EXPECT_FALSE((*catalog_->find("a"))->deletion_protection);
  restart();
  EXPECT_FALSE((*catalog_->find("a"))->deletion_protection);
}

TEST_F(CatalogTest, CannotChangeOrDropAnAbsentTable) {
  EXPECT_EQ(error_of(sync_wait(catalog_->update("a", protect))),
            "Requested resource not found: Table: a not found");
  EXPECT_EQ(error_of(sync_wait(catalog_->drop("a", 0))),
            "Requested resource not found: Table: a not found");
}

TEST_F(CatalogTest, TriesAgainAfterConflicts) {
  store_.before_change = testing::conflict_times(3);
  const TablePtr table = create("a");
  store_.before_change = testing::conflict_times(3);
  int changes = 0;
  const auto updated = sync_wait(catalog_->update("a", [&](Table& changed) {
    ++changes;
    return protect(changed);
  }));
  ASSERT_TRUE(updated.has_value()) << error_of(updated);
  EXPECT_EQ(changes, 4);
  EXPECT_EQ((*updated)->revision, table->revision + 1);
}

TEST_F(CatalogTest, KeepsTheNewerOfTwoChangesThatComeBackInTheOtherOrder) {
  create("a");
  // While the first change waits for its answer, a second one is made and answered.
  store_.after_commit = [&] {
    store_.after_commit = nullptr;
    const auto second = sync_wait(catalog_->update("a", [](Table& table) -> Result<void> {
      table.table_class = "second";
      return {};
    }));
    EXPECT_TRUE(second.has_value()) << error_of(second);
  };
  const auto first = sync_wait(catalog_->update("a", [](Table& table) -> Result<void> {
    table.table_class = "first";
    return {};
  }));
  ASSERT_TRUE(first.has_value()) << error_of(first);
  EXPECT_EQ((*catalog_->find("a"))->table_class, "second");
}

TEST_F(CatalogTest, ErasesTheRowsOfADroppedTable) {
  Database database;
  const TablePtr dropped = database.create(testing::indexed_request("dropped"));
  const TablePtr kept = database.create(testing::indexed_request("kept"));
  for (const std::string_view table : {"dropped", "kept"}) {
    ASSERT_TRUE(database.put(table, {{"pk", S("a")}, {"sk", N("1")}, {"g", S("x")}}).has_value());
  }
  const std::size_t rows = testing::count_rows(*database.store, kept->id);
  EXPECT_GT(rows, 1u);
  ASSERT_TRUE(sync_wait(database.engine.catalog.drop("dropped", 0)).has_value());
  EXPECT_EQ(testing::count_rows(*database.store, dropped->id), 0u);
  EXPECT_EQ(testing::count_rows(*database.store, kept->id), rows);
  EXPECT_EQ(*sync_wait(database.store->counters(statistics_key(dropped->id, 0), 2)),
            (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(*sync_wait(database.store->counters(statistics_key(kept->id, 0), 1)),
            (std::vector<std::int64_t>{1}));
}

// A process that ends anywhere inside a drop leaves a whole table or, after the next start,
// nothing.
class InterruptedDrop : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(InterruptedDrop, IsFinishedByTheNextLoad) {
  const std::int64_t transition_ms = GetParam();
  bool finished = false;
  for (int changes = 0; !finished; ++changes) {
    ASSERT_LT(changes, 20);
    auto owned = std::make_unique<HookedStore>();
    HookedStore& store = *owned;
    Database database(std::move(owned));
    const TableId id = database.create(testing::indexed_request("orders"))->id;
    ASSERT_TRUE(database.put("orders", {{"pk", S("a")}, {"sk", N("1")}, {"g", S("x")}}));
    const std::size_t rows = testing::count_rows(store, id);

    store.before_change = testing::fail_after(changes);
    finished = sync_wait(database.engine.catalog.drop("orders", transition_ms)).has_value();
    store.before_change = nullptr;
    database.clock.advance(transition_ms);

    Catalog next(store, database.clock);
    ASSERT_TRUE(sync_wait(next.load()).has_value());
    const bool kept = next.find("orders").has_value();
    EXPECT_EQ(testing::count_rows(store, id), kept ? rows : 0u)
        << "after " << changes << " changes";
    EXPECT_EQ(kept, changes == 0) << "after " << changes << " changes";
    EXPECT_EQ(testing::StoredRows(store, catalog_key(""), catalog_key("z")).rows.size(),
              kept ? 1u : 0u);
    EXPECT_TRUE(testing::StoredRows(store, dropped_table_key(0), dropped_table_key(~TableId{0}))
                    .rows.empty());
  }
}
INSTANTIATE_TEST_SUITE_P(Catalog, InterruptedDrop, ::testing::Values(0, 1000));

TEST_F(CatalogTest, StatesEndByTheClock) {
  Table table = table_named("a");
  table.transition = TableStatus::creating;
  table.transition_until_ms = clock_.now_ms() + 100;
  ASSERT_TRUE(sync_wait(catalog_->create(table)).has_value());
  EXPECT_EQ((*catalog_->find("a"))->status(clock_.now_ms()), TableStatus::creating);
  EXPECT_FALSE(catalog_->find_usable("a").has_value());
  clock_.advance(99);
  EXPECT_FALSE(catalog_->find_usable("a").has_value());
  clock_.advance(1);
  EXPECT_TRUE(catalog_->find_usable("a").has_value());
  EXPECT_EQ((*catalog_->find("a"))->status(clock_.now_ms()), TableStatus::active);
}

TEST_F(CatalogTest, ATableCanBeUsedWhileItIsUpdatedButNotWhileItIsDeleted) {
  create("a");
  ASSERT_TRUE(sync_wait(catalog_->update("a", [&](Table& table) -> Result<void> {
                table.transition = TableStatus::updating;
                table.transition_until_ms = clock_.now_ms() + 100;
                return {};
              })).has_value());
  EXPECT_TRUE(catalog_->find_usable("a").has_value());
  ASSERT_TRUE(sync_wait(catalog_->drop("a", 100)).has_value());
  EXPECT_FALSE(catalog_->find_usable("a").has_value());
  EXPECT_EQ((*catalog_->find("a"))->status(clock_.now_ms()), TableStatus::deleting);
  EXPECT_EQ(names(), "a ");
}

TEST_F(CatalogTest, ANameIsTakenUntilItsTableIsDeleted) {
  const TablePtr first = create("a");
  ASSERT_TRUE(sync_wait(catalog_->drop("a", 100)).has_value());
  EXPECT_EQ(error_of(sync_wait(catalog_->create(table_named("a")))), "Table already exists: a");
  restart();
  EXPECT_EQ(names(), "a ");
  clock_.advance(100);
  EXPECT_EQ(names(), "");
  EXPECT_FALSE(catalog_->find("a").has_value());
  EXPECT_NE(create("a")->id, first->id);
  EXPECT_TRUE(catalog_->find_usable("a").has_value());
}

// Two nodes.
class SharedCatalog : public CatalogTest {
 protected:
  SharedCatalog() { store_.is_shared = true; }
  bool refresh() {
    const Result<bool> refreshed = sync_wait(other_.refresh());
    EXPECT_TRUE(refreshed.has_value()) << error_of(refreshed);
    return refreshed.value_or(false);
  }
  Catalog other_{store_, clock_};
};

TEST_F(SharedCatalog, LearnsOfWhatAnotherHasMadeChangedAndDropped) {
  EXPECT_TRUE(refresh());  // the first time
  EXPECT_FALSE(refresh());
  create("a");
  EXPECT_EQ(store_.announcements, 1);
  EXPECT_FALSE(other_.find("a").has_value());
  EXPECT_TRUE(refresh());
  EXPECT_TRUE(other_.find("a").has_value());
  EXPECT_FALSE(refresh());
  ASSERT_TRUE(sync_wait(catalog_->update("a", protect)).has_value());
  EXPECT_TRUE(refresh());
  EXPECT_TRUE((*other_.find("a"))->deletion_protection);
  ASSERT_TRUE(sync_wait(catalog_->drop("a", 0)).has_value());
  EXPECT_EQ(store_.announcements, 3);
  EXPECT_TRUE(refresh());
  EXPECT_FALSE(other_.find("a").has_value());
}

TEST_F(SharedCatalog, KnowsOfWritesThatBeganBeforeItLearnt) {
  const TableId id = create("a")->id;
  create("b");
  refresh();
  {
    const Result<WriteTable> write = other_.begin_write("a");
    ASSERT_TRUE(write.has_value());
    ASSERT_TRUE(sync_wait(catalog_->update("b", protect)).has_value());
    EXPECT_TRUE(refresh());
    EXPECT_TRUE(other_.drained(id));  // it is another table that has changed
    ASSERT_TRUE(sync_wait(catalog_->update("a", protect)).has_value());
    EXPECT_TRUE(refresh());
    EXPECT_FALSE(other_.drained(id));
  }
  EXPECT_TRUE(other_.drained(id));
}

TEST_F(SharedCatalog, ShutsOutTheWritersOfATableBeforeItsRowsAreErased) {
  const TablePtr table = create("a");
  ASSERT_TRUE(sync_wait(catalog_->drop("a", 0)).has_value());
  ASSERT_EQ(store_.fences.size(), 1u);
  EXPECT_EQ(store_.fences.front().first, std::string("\0\0\0\1", 4));
  EXPECT_EQ(store_.fences.front().second, static_cast<std::uint64_t>(table->revision) + 1);
}

TEST_F(SharedCatalog, DoesNotEraseASuccessorOfATableWhoseTimeIsOver) {
  create("a");
  ASSERT_TRUE(sync_wait(catalog_->drop("a", 100)).has_value());
  clock_.advance(100);
  // The other one sees the old row, and the name is taken again before it erases it.
  bool taken = false;
  store_.before_change = [&]() -> std::optional<Error> {
    if (!std::exchange(taken, true)) create("a");
    return std::nullopt;
  };
  EXPECT_TRUE(refresh());
  store_.before_change = nullptr;
  EXPECT_TRUE(refresh());
  EXPECT_TRUE(other_.find("a").has_value());
}

TEST(Catalog, DoesNotTakeItselfForAnotherOneThatWasAtItsAddress) {
  testing::ManualClock clock;
  std::optional<Catalog> catalog;
  for (const std::string_view name : {"first", "second"}) {
    const std::unique_ptr<store::Store> store = store::open_memory();
    catalog.emplace(*store, clock);
    ASSERT_TRUE(sync_wait(catalog->create(table_named(name))).has_value());
    EXPECT_TRUE(catalog->find(name).has_value()) << name;
    EXPECT_EQ(catalog->tables()->size(), 1u);
  }
}

}  // namespace
}  // namespace stator::engine
