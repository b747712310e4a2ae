// Outbox rows of nodes that are gone, and of nodes that were only thought to be.

#include <gtest/gtest.h>

#include "engine/outbox_sweep.h"
#include "engine/outbox_test_support.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::error_of;
using testing::HookedStore;
using testing::Item;
using testing::S;

class OutboxCluster : public ::testing::Test {
 protected:
  OutboxCluster() {
    CreateTableRequest request =
        testing::table_request("t", {{"pk", item::Type::string}, {"g", item::Type::string}}, {"pk"});
    request.global_indexes = {testing::index_input("by_g", {"g"})};
    EXPECT_TRUE(sync_wait(create_table(writer_, request)).has_value());
    EXPECT_TRUE(sync_wait(sweeper_.catalog.load()).has_value());
    tick(sweeper_);
  }
  static std::unique_ptr<HookedStore> shared_store() {
    auto store = std::make_unique<HookedStore>();
    store->is_shared = true;
    return store;
  }
  static void tick(Engine& node) {
    const Result<void> ticked = sync_wait(node.leases.tick(std::chrono::steady_clock::now()));
    ASSERT_TRUE(ticked.has_value()) << error_of(ticked);
  }
  Result<WriteOutcome> put(Engine& node, std::string_view key, std::string_view group) {
    const Item item = {{"pk", S(key)}, {"g", S(group)}};
    PutItemRequest request;
    request.table_name = "t";
    request.item = item;
    return sync_wait(put_item(node, request, arena_));
  }
  Result<void> sweep() { return sync_wait(sweep_outbox(sweeper_)); }
  const Table& table() { return **sweeper_.catalog.find("t"); }
  std::size_t pending() { return testing::outbox_rows(*store_, table().id).size(); }

  std::unique_ptr<HookedStore> store_ = shared_store();
  testing::ManualClock clock_;
  Engine writer_{*store_, clock_, testing::outbox_options()};
  Engine sweeper_{*store_, clock_, testing::outbox_options()};
  base::Arena arena_;
};

TEST_F(OutboxCluster, RowsOfANodeThatIsGoneAreApplied) {
  ASSERT_TRUE(put(writer_, "a", "x").has_value());
  ASSERT_TRUE(put(writer_, "b", "x").has_value());
  ASSERT_TRUE(sweep().has_value());
  EXPECT_EQ(pending(), 0u);
  EXPECT_TRUE(testing::outbox_marks(*store_).empty());
  testing::expect_indexes_equal_table(*store_, table());
}

TEST_F(OutboxCluster, RowsOfALivingNodeAreLeftToIt) {
  tick(writer_);
  tick(sweeper_);
  ASSERT_TRUE(put(writer_, "a", "x").has_value());
  ASSERT_TRUE(sweep().has_value());
  EXPECT_EQ(pending(), 1u);
  EXPECT_EQ(testing::outbox_marks(*store_).size(), 1u);
}

TEST_F(OutboxCluster, ANodeThatWasTakenForDeadCannotPutARowUnseen) {
  ASSERT_TRUE(put(writer_, "a", "x").has_value());
  ASSERT_TRUE(sweep().has_value());
  const Result<WriteOutcome> late = put(writer_, "b", "x");
  ASSERT_FALSE(late.has_value());
  EXPECT_TRUE(store::is_outdated(late.error()));
  EXPECT_EQ(pending(), 0u);
  ASSERT_TRUE(sync_wait(writer_.catalog.refresh()).has_value());
  ASSERT_TRUE(put(writer_, "b", "x").has_value());
  EXPECT_EQ(testing::outbox_marks(*store_).size(), 1u);  // again
  ASSERT_TRUE(sweep().has_value());
  EXPECT_EQ(pending(), 0u);
  testing::expect_indexes_equal_table(*store_, table());
}

TEST_F(OutboxCluster, AMarkThatWasPutAgainStays) {
  ASSERT_TRUE(put(writer_, "a", "x").has_value());
  bool written = false;
  store_->before_scan = [&] {
    if (store_->fences.empty() || std::exchange(written, true)) return;
    ASSERT_TRUE(sync_wait(writer_.catalog.refresh()).has_value());
    ASSERT_TRUE(put(writer_, "b", "x").has_value());
  };
  ASSERT_TRUE(sweep().has_value());
  store_->before_scan = nullptr;
  EXPECT_TRUE(written);
  EXPECT_EQ(testing::outbox_marks(*store_).size(), 1u);
  ASSERT_TRUE(put(writer_, "c", "x").has_value());
  ASSERT_TRUE(sweep().has_value());
  EXPECT_EQ(pending(), 0u);
  EXPECT_TRUE(testing::outbox_marks(*store_).empty());
  testing::expect_indexes_equal_table(*store_, table());
}

TEST_F(OutboxCluster, ASweepThatFailsIsMadeAgain) {
  for (int changes = 0; changes < 6; ++changes) {
    SCOPED_TRACE(changes);
    Engine dead(*store_, clock_, testing::outbox_options());
    ASSERT_TRUE(sync_wait(dead.catalog.load()).has_value());
    ASSERT_TRUE(put(dead, "a", std::to_string(changes)).has_value());
    ASSERT_TRUE(put(dead, "b", std::to_string(changes)).has_value());
    store_->before_change = testing::fail_after(changes);
    static_cast<void>(sweep());
    store_->before_change = nullptr;
    ASSERT_TRUE(sweep().has_value());
    EXPECT_EQ(pending(), 0u);
    EXPECT_TRUE(testing::outbox_marks(*store_).empty());
    testing::expect_indexes_equal_table(*store_, table());
  }
}

TEST_F(OutboxCluster, MarksOfTablesThatAreGoneGoToo) {
  ASSERT_TRUE(put(writer_, "a", "x").has_value());
  ASSERT_TRUE(sync_wait(writer_.catalog.drop("t", 0)).has_value());
  ASSERT_TRUE(sweep().has_value());
  EXPECT_TRUE(testing::outbox_marks(*store_).empty());
}

TEST_F(OutboxCluster, ANodeThatWritesIndexesTogetherHidesAndAppliesRowsToo) {
  ASSERT_TRUE(put(writer_, "a", "x").has_value());
  Engine together(*store_, clock_);
  ASSERT_TRUE(sync_wait(together.catalog.load()).has_value());
  tick(together);
  ScanRequest request;
  request.page.table_name = "t";
  base::Buffer items;
  const Result<Page> page = sync_wait(engine::scan(together, request, items, arena_));
  ASSERT_TRUE(page.has_value()) << error_of(page);
  EXPECT_EQ(page->count, 1);
  ASSERT_TRUE(sync_wait(sweeper_.leases.release()).has_value());
  tick(together);
  ASSERT_TRUE(sync_wait(sweep_outbox(together)).has_value());
  EXPECT_EQ(pending(), 0u);
}

}  // namespace
}  // namespace stator::engine
