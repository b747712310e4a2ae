#include "engine/outbox_store.h"

#include <gtest/gtest.h>

#include "engine/outbox_test_support.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::HookedStore;
using testing::Item;
using testing::N;
using testing::S;

class OutboxStoreTest : public ::testing::Test {
 protected:
  OutboxStoreTest() { table_ = database_.create(testing::indexed_request("t")); }

  void put(const char* sort, std::string_view group) {
    const auto done = database_.put("t", {{"pk", S("a")}, {"sk", N(sort)}, {"g", S(group)}});
    ASSERT_TRUE(done.has_value()) << error_of(done);
  }
  // Sort keys of the items that pages of `limit` show, with a bar between pages.
  std::string pages(bool forward, std::int64_t limit) {
    const Item values = {{":p", S("a")}};
    std::string shown;
    Item start;
    for (;;) {
      QueryRequest request;
      request.page.table_name = "t";
      request.page.parameters.values = values;
      request.page.limit = limit;
      request.page.consistent = true;
      request.key_condition = "pk = :p";
      request.forward = forward;
      if (!start.empty()) request.page.start_key = item::Attributes(start);
      const auto page = database_.query(request);
      if (!page) return error_of(page);
      for (const std::string_view item : testing::split_items(page->items)) {
        shown += database_.attributes(item)[1].value.text();
      }
      shown += '|';
      if (page->page.last_key_text.empty()) return shown;
      start = database_.attributes(database_.keep(page->page.last_key_text));
    }
  }
  HookedStore& hooked() { return static_cast<HookedStore&>(*database_.store); }

  Database database_{std::make_unique<HookedStore>(), testing::outbox_options()};
  TablePtr table_;
};

TEST_F(OutboxStoreTest, HidesOutboxRowsFromPagesInBothDirections) {
  for (const char* sort : {"1", "2", "3", "4"}) {
    put(sort, "x");
    put(sort, "y");
  }
  EXPECT_EQ(testing::outbox_rows(*database_.store, table_->id).size(), 8u);
  EXPECT_EQ(pages(true, 2), "12|34||");
  EXPECT_EQ(pages(false, 2), "43|21||");
  EXPECT_EQ(pages(true, 3), "123|4|");
  ScanRequest scan;
  scan.page.table_name = "t";
  const auto scanned = database_.scan(scan);
  ASSERT_TRUE(scanned.has_value());
  EXPECT_EQ(scanned->page.scanned_count, 4);
}

TEST_F(OutboxStoreTest, PutsOneRowBesideTheItemAndNoneIntoGlobalIndexes) {
  store::Batch seen;
  std::vector<std::string> puts;
  hooked().before_commit = [&](const store::Batch& batch) {
    puts.clear();
    for (const store::Write& write : batch.puts) puts.emplace_back(write.key);
  };
  put("1", "x");
  std::size_t in_global_indexes = 0;
  for (const std::string& key : puts) {
    for (const Index& index : table_->indexes) {
      if (index.kind == IndexKind::global && key[kSpaceBytes - 1] == static_cast<char>(index.id)) ++in_global_indexes;
    }
  }
  EXPECT_EQ(in_global_indexes, 0u);
  EXPECT_EQ(std::count_if(puts.begin(), puts.end(), [](const std::string& key) { return is_outbox_key(key); }), 1);
}

TEST_F(OutboxStoreTest, PutsNoneWhereNoGlobalIndexChanges) {
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"l", S("local")}}).has_value());
  EXPECT_TRUE(testing::outbox_rows(*database_.store, table_->id).empty());
  EXPECT_TRUE(testing::outbox_marks(*database_.store).empty());
}

TEST_F(OutboxStoreTest, MarksTheTableBeforeTheFirstRow) {
  bool marked_before = false;
  hooked().before_commit = [&](const store::Batch& batch) {
    for (const store::Write& write : batch.puts) {
      if (is_outbox_key(write.key)) marked_before = !testing::outbox_marks(*database_.store).empty();
    }
  };
  put("1", "x");
  EXPECT_TRUE(marked_before);
}

TEST_F(OutboxStoreTest, WritesNothingWhereTheTableCannotBeMarked) {
  hooked().before_change = testing::fail_after(0);
  EXPECT_FALSE(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"g", S("x")}}).has_value());
  hooked().before_change = nullptr;
  EXPECT_EQ(database_.get("t", {{"pk", S("a")}, {"sk", N("1")}}), "");
  put("1", "x");
  EXPECT_EQ(testing::outbox_marks(*database_.store).size(), 1u);
}

TEST_F(OutboxStoreTest, KeepsTheMarkWhileARowIsNotApplied) {
  put("1", "x");
  OutboxMarks& marks = database_.engine.outbox->marks();
  const auto later = std::chrono::steady_clock::now() + std::chrono::hours(1);
  ASSERT_TRUE(sync_wait(marks.clear(later)).has_value());
  EXPECT_EQ(testing::outbox_marks(*database_.store).size(), 1u);
  ASSERT_TRUE(sync_wait(propagate_queued(database_.engine)).has_value());
  ASSERT_TRUE(sync_wait(marks.clear(later)).has_value());
  EXPECT_TRUE(testing::outbox_marks(*database_.store).empty());
  put("1", "y");
  EXPECT_EQ(testing::outbox_marks(*database_.store).size(), 1u);
}

TEST_F(OutboxStoreTest, TakesAwayLaterAMarkThatCouldNotBe) {
  put("1", "x");
  ASSERT_TRUE(sync_wait(propagate_queued(database_.engine)).has_value());
  OutboxMarks& marks = database_.engine.outbox->marks();
  const auto later = std::chrono::steady_clock::now() + std::chrono::hours(1);
  hooked().before_change = testing::fail_after(0);
  EXPECT_FALSE(sync_wait(marks.clear(later)).has_value());
  hooked().before_change = nullptr;
  put("1", "y");  // with a mark of its own
  ASSERT_TRUE(sync_wait(marks.clear(later)).has_value());
  EXPECT_EQ(testing::outbox_marks(*database_.store).size(), 1u);
}

}  // namespace
}  // namespace stator::engine
