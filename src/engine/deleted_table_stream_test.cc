// Streams that outlive their table.

#include "engine/shards_test_support.h"
#include "engine/stream_trim.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::HookedStore;

class DeletedTable : public Shards {
 protected:
  void delete_it(std::int64_t transition_ms = 0) {
    table_ = stream().table->id;
    ASSERT_TRUE(sync_wait(database_.engine.catalog.drop("t", transition_ms)).has_value());
  }
  TableId table_ = 0;
};

TEST_F(DeletedTable, LeavesItsStreamForADay) {
  put("a", 1);
  roll_later();
  put("a", 2);
  delete_it();
  EXPECT_FALSE(database_.engine.catalog.find("t").has_value());
  ASSERT_EQ(list_streams(database_.engine).size(), 1u);
  EXPECT_NE(stream().stream->disabled_ms, 0);
  EXPECT_EQ(read_all(), (Records{"a=1", "a=2"}));
  const std::string label = stream().stream->label;
  EXPECT_TRUE(find_stream(database_.engine, "t", label).has_value());
  EXPECT_FALSE(find_stream(database_.engine, "other", label).has_value());
  ASSERT_TRUE(sync_wait(trim_retired_streams(database_.engine)).has_value());
  EXPECT_EQ(read_all(), (Records{"a=1", "a=2"}));

  database_.clock.advance(kStreamRetentionMs + 1);
  EXPECT_TRUE(list_streams(database_.engine).empty());
  EXPECT_FALSE(find_stream(database_.engine, "t", label).has_value());
  ASSERT_TRUE(sync_wait(trim_retired_streams(database_.engine)).has_value());
  EXPECT_TRUE(database_.engine.catalog.retired()->empty());
  EXPECT_EQ(testing::count_rows(*database_.store, table_), 0u);
}

TEST_F(DeletedTable, LeavesItsStreamAcrossARestart) {
  put("a", 1);
  delete_it();
  Engine restarted(*database_.store, database_.clock);
  ASSERT_TRUE(sync_wait(restarted.catalog.load()).has_value());
  EXPECT_EQ(read_all(restarted), (Records{"a=1"}));
}

TEST_F(DeletedTable, LeavesItsStreamWhereItsErasingWasInterrupted) {
  put("a", 1);
  table_ = stream().table->id;
  auto& hooked = static_cast<HookedStore&>(*database_.store);
  hooked.before_change = testing::fail_after(1);
  EXPECT_FALSE(sync_wait(database_.engine.catalog.drop("t", 0)).has_value());
  hooked.before_change = nullptr;
  Engine restarted(*database_.store, database_.clock);
  ASSERT_TRUE(sync_wait(restarted.catalog.load()).has_value());
  EXPECT_EQ(read_all(restarted), (Records{"a=1"}));
  EXPECT_EQ(testing::count_rows(*database_.store, table_), 1u);  // the record
}

TEST_F(DeletedTable, ShowsItsStreamOnceWhileItIsDeleting) {
  delete_it(1000);
  EXPECT_EQ(list_streams(database_.engine).size(), 1u);
  database_.clock.advance(1000);
  EXPECT_EQ(list_streams(database_.engine).size(), 1u);
}

TEST_F(DeletedTable, AndItsSuccessorHaveAStreamEach) {
  put("a", 1);
  delete_it();
  create();  // in the same millisecond
  put("a", 2);
  const auto all = list_streams(database_.engine);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_LT(all[0].table->id, all[1].table->id);
  EXPECT_NE(all[0].stream->label, all[1].stream->label);
  EXPECT_EQ(read_all(), (Records{"a=2"}));
  EXPECT_EQ(find_stream(database_.engine, "t", all[0].stream->label)->table->id, all[0].table->id);
}

TEST_F(DeletedTable, WithoutAStreamLeavesNothing) {
  database_.create(testing::simple_request("plain"));
  ASSERT_TRUE(sync_wait(database_.engine.catalog.drop("plain", 0)).has_value());
  EXPECT_TRUE(database_.engine.catalog.retired()->empty());
}

}  // namespace
}  // namespace stator::engine
