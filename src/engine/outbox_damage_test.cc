// Damage in the way of an index write: it is told once and set aside, and everything else goes on.

#include "engine/outbox_damage.h"

#include <gtest/gtest.h>

#include "engine/outbox_sweep.h"
#include "engine/outbox_test_support.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::error_of;
using testing::Item;
using testing::S;

// A node that has written and is gone before its indexes know, and the next one.
class DamagedOutbox : public ::testing::Test {
 protected:
  DamagedOutbox() {
    CreateTableRequest request =
        testing::table_request("t", {{"pk", item::Type::string}, {"g", item::Type::string}}, {"pk"});
    request.global_indexes = {testing::index_input("by_g", {"g"})};
    EXPECT_TRUE(sync_wait(create_table(gone_, request)).has_value());
    EXPECT_TRUE(sync_wait(next_.catalog.load()).has_value());
  }
  void put(Engine& node, std::string_view key, std::string_view group) {
    const Item item = {{"pk", S(key)}, {"g", S(group)}};
    PutItemRequest request;
    request.table_name = "t";
    request.item = item;
    const auto done = sync_wait(put_item(node, request, arena_));
    ASSERT_TRUE(done.has_value()) << error_of(done);
  }
  const Table& table() { return **next_.catalog.find("t"); }
  std::vector<std::string> pending() { return testing::outbox_rows(*store_, table().id); }
  std::size_t index_rows() {
    return testing::rows_of_space(*store_, table().id, table().find_index("by_g")->id).size();
  }
  std::string item_key(std::string_view key) {
    const Item values = {{"pk", S(key)}};
    return std::string(table_row_key(table(), *find_key_values(table().key, values, arena_), arena_));
  }
  void overwrite(std::string_view key, std::string_view value) {
    store::Batch batch;
    batch.puts.push_back({key, value});
    ASSERT_TRUE(sync_wait(store_->commit(batch)).has_value());
  }
  // The outbox row of an item that has one.
  std::string outbox_row_of(std::string_view key) {
    for (const std::string& row : pending()) {
      if (outbox_item_key(row) == item_key(key)) return row;
    }
    ADD_FAILURE() << "no outbox row of " << key;
    return {};
  }
  // Sweeps, and gives what it writes to the log.
  std::string sweep() {
    ::testing::internal::CaptureStderr();
    const Result<void> swept = sync_wait(sweep_outbox(next_));
    const std::string log = ::testing::internal::GetCapturedStderr();
    EXPECT_TRUE(swept.has_value()) << error_of(swept);
    EXPECT_EQ(next_.outbox->unswept_tables().load(), 0u);
    EXPECT_EQ(next_.outbox->queue().rows(), 0u);
    EXPECT_TRUE(testing::outbox_marks(*store_).empty());
    return log;
  }
  std::uint64_t damaged() { return next_.outbox->damage().count(); }

  std::unique_ptr<store::Store> store_ = store::open_memory();
  testing::ManualClock clock_;
  Engine gone_{*store_, clock_, testing::outbox_options()};
  Engine next_{*store_, clock_, testing::outbox_options()};
  base::Arena arena_;
};

TEST_F(DamagedOutbox, RowIsSetAsideAndTheOthersAreApplied) {
  for (const char* key : {"a", "b", "c"}) put(gone_, key, "x");
  const std::string row = outbox_row_of("b");
  overwrite(row, "short");
  const std::string log = sweep();
  EXPECT_NE(log.find("stator: damaged: table 't', row " + testing::hex(row) + ": an outbox row cannot be read"),
            std::string::npos)
      << log;
  EXPECT_EQ(damaged(), 1u);
  EXPECT_EQ(pending(), std::vector<std::string>{row});
  testing::expect_indexes_equal_table(*store_, table());  // what b is now is known all the same
}

TEST_F(DamagedOutbox, RowIsToldOnce) {
  put(gone_, "a", "x");
  overwrite(outbox_row_of("a"), "short");
  EXPECT_NE(sweep(), "");
  Engine another(*store_, clock_, testing::outbox_options());
  ASSERT_TRUE(sync_wait(another.catalog.load()).has_value());
  put(another, "b", "x");  // so that the table is looked through again
  EXPECT_EQ(sweep(), "");
  EXPECT_EQ(damaged(), 1u);
  testing::expect_indexes_equal_table(*store_, table());
}

TEST_F(DamagedOutbox, RowLeavesWhatTheItemWasBefore) {
  put(gone_, "a", "x");
  ASSERT_TRUE(sync_wait(propagate_queued(gone_)).has_value());
  put(gone_, "a", "y");
  overwrite(outbox_row_of("a"), "short");
  static_cast<void>(sweep());
  EXPECT_EQ(index_rows(), 2u);  // x, which nobody knows of any more, and y
}

TEST_F(DamagedOutbox, RowErasesNothingOutsideItsIndex) {
  put(gone_, "a", "x");
  put(gone_, "b", "x");
  const std::string row = outbox_row_of("a");
  const std::string other = item_key("b");
  const std::string_view too_short = "abc";
  const IndexId index = table().find_index("by_g")->id;
  for (const std::string_view left : {std::string_view(other), too_short}) {
    const OutboxEntry entry{index, left};
    overwrite(row, encode_outbox(0, {&entry, 1}, arena_));
    Engine another(*store_, clock_, testing::outbox_options());
    ASSERT_TRUE(sync_wait(another.catalog.load()).has_value());
    put(another, "c", left);  // so that the table is looked through
    static_cast<void>(sweep());
    EXPECT_TRUE(sync_wait(store_->get(other, store::ReadMode::committed))->exists);
  }
  EXPECT_EQ(damaged(), 1u);
  testing::expect_indexes_equal_table(*store_, table());
}

TEST_F(DamagedOutbox, TimeOfARowIsNotBelieved) {
  put(gone_, "a", "x");
  const OutboxEntry entry{table().find_index("by_g")->id, {}};
  overwrite(outbox_row_of("a"), encode_outbox(INT64_MIN, {&entry, 1}, arena_));
  EXPECT_EQ(sweep(), "");
  EXPECT_TRUE(pending().empty());
  testing::expect_indexes_equal_table(*store_, table());
}

TEST_F(DamagedOutbox, ItemIsSetAsideAndTheOthersAreApplied) {
  for (const char* key : {"a", "b", "c"}) put(gone_, key, "x");
  overwrite(item_key("b"), "no item");
  ::testing::internal::CaptureStderr();
  ASSERT_TRUE(sync_wait(propagate_queued(gone_)).has_value());
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("row " + testing::hex(item_key("b")) + ": global indexes cannot follow this item"), std::string::npos)
      << log;
  EXPECT_EQ(gone_.outbox->queue().rows(), 0u);
  EXPECT_EQ(gone_.outbox->damage().count(), 1u);
  EXPECT_EQ(pending().size(), 1u);
  EXPECT_EQ(index_rows(), 2u);
}

}  // namespace
}  // namespace stator::engine
