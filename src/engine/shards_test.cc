// Shards that are closed and followed by others, and streams that outlive their table.

#include "engine/shards.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "engine/delete_table.h"
#include "engine/hooked_store.h"
#include "engine/stream_trim.h"
#include "engine/streams.h"
#include "engine/test_support.h"
#include "engine/update_table.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::HookedStore;
using testing::N;
using testing::S;

class Shards : public ::testing::Test {
 protected:
  Shards() { create(); }

  void create() {
    CreateTableRequest request = testing::simple_request("t");
    request.stream = StreamInput{true, "NEW_IMAGE"};
    database_.create(request);
  }
  void put(std::string_view key, int number) {
    const std::string text = std::to_string(number);
    ASSERT_TRUE(database_.put("t", {{"pk", S(key)}, {"n", N(text)}}).has_value());
  }
  StreamOfTable stream(Engine& engine) {
    const auto all = list_streams(engine);
    EXPECT_FALSE(all.empty());
    return all.back();
  }
  StreamOfTable stream() { return stream(database_.engine); }
  void roll() {
    const auto rolled = sync_wait(roll_shards(database_.engine, *database_.engine.catalog.find("t")));
    ASSERT_TRUE(rolled.has_value()) << error_of(rolled);
  }
  void roll_later() {
    database_.clock.advance(kShardLifetimeMs);
    roll();
  }
  std::vector<Shard> shards() {
    const auto listed = sync_wait(list_shards(database_.engine, stream()));
    EXPECT_TRUE(listed.has_value()) << error_of(listed);
    return *listed;
  }
  // What one shard holds, "key=n" each, read in pages of `limit`. Whether it came to an end is in finished_.
  std::vector<std::string> read(Engine& engine, const Shard& shard, std::size_t limit = 1000) {
    std::vector<std::string> found;
    finished_ = false;
    std::uint64_t from = shard.first;
    for (int pages = 0; pages < 100 && !finished_; ++pages) {
      const std::size_t before = found.size();
      const auto page = sync_wait(read_records(
          engine, stream(engine), {shard.slot, shard.first}, from, limit,
          [&](const ChangeRecord& record, std::uint64_t position) {
            EXPECT_GE(position, shard.first);
            if (shard.last) {
              EXPECT_LE(position, *shard.last);
            }
            base::Arena arena;
            const auto n = record.after->find("n", arena);
            found.push_back(fmt::format("{}={}", record.key->find("pk", arena)->text(), n->text()));
          }));
      EXPECT_TRUE(page.has_value()) << error_of(page);
      if (!page) break;
      from = page->next;
      finished_ = page->finished;
      if (!shard.last && found.size() == before) break;
    }
    return found;
  }
  // All there is, a parent before its child.
  std::vector<std::string> read_all(Engine& engine, std::size_t limit = 1000) {
    const auto listed = sync_wait(list_shards(engine, stream(engine)));
    EXPECT_TRUE(listed.has_value()) << error_of(listed);
    std::vector<std::string> all;
    for (const Shard& shard : *listed) {
      for (std::string& record : read(engine, shard, limit)) all.push_back(std::move(record));
    }
    return all;
  }
  std::vector<std::string> read_all() { return read_all(database_.engine); }

  Database database_{std::make_unique<HookedStore>()};
  bool finished_ = false;
};

using Records = std::vector<std::string>;

TEST_F(Shards, AreClosedAfterTheirLifetime) {
  const std::size_t slots = stream().stream->shards;
  EXPECT_EQ(slots, 4u);
  database_.clock.advance(kShardLifetimeMs - 1);
  roll();
  EXPECT_EQ(shards().size(), slots);
  database_.clock.advance(1);
  roll();
  roll();  // the children are new
  const std::vector<Shard> all = shards();
  ASSERT_EQ(all.size(), 2 * slots);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ids.push_back(shard_id(*stream().stream, all[i].slot, all[i].opened_ms));
    EXPECT_EQ(all[i].last.has_value(), i < slots);
    EXPECT_EQ(all[i].parent_opened_ms.has_value(), i >= slots);
  }
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  for (std::size_t i = 0; i < slots; ++i) {
    EXPECT_EQ(all[slots + i].slot, all[i].slot);
    EXPECT_EQ(all[slots + i].parent_opened_ms, all[i].opened_ms);
    EXPECT_EQ(all[slots + i].first, *all[i].last + 1);
  }
}

TEST_F(Shards, KeepTheOrderOfAnItemFromParentToChild) {
  Records expected;
  for (int n = 0; n < 30; ++n) {
    put("a", n);
    expected.push_back(fmt::format("a={}", n));
    if (n % 10 == 9) roll_later();
  }
  EXPECT_EQ(shards().size(), 16u);
  EXPECT_EQ(read_all(), expected);
  EXPECT_EQ(read_all(database_.engine, 3), expected);
}

TEST_F(Shards, EndWhenTheyAreClosedAndRead) {
  put("a", 1);
  roll_later();
  put("a", 2);
  const std::vector<Shard> all = shards();
  for (const Shard& shard : all) {
    (void)read(database_.engine, shard, 1);
    EXPECT_EQ(finished_, shard.last.has_value());
  }
}

// A roll may come between the look for the end of a shard and the reading of its records.
TEST_F(Shards, GiveARecordToOneShardOnly) {
  put("a", 1);
  std::optional<Shard> own;
  for (const Shard& shard : shards()) {
    if (!read(database_.engine, shard).empty()) own = shard;
  }
  ASSERT_TRUE(own.has_value());
  auto& hooked = static_cast<HookedStore&>(*database_.store);
  int scans = 0;
  hooked.before_scan = [&] {
    if (++scans != 2) return;
    roll_later();
    put("a", 2);
  };
  EXPECT_EQ(read(database_.engine, *own), (Records{"a=1"}));
  hooked.before_scan = nullptr;
  EXPECT_GT(scans, 2);
  EXPECT_EQ(shards().size(), 8u);
  EXPECT_EQ(read_all(), (Records{"a=1", "a=2"}));
}

// The process ends after each of the changes that a roll makes; another one goes on.
TEST_F(Shards, AreClosedByWhoeverFindsThemHalfClosed) {
  auto& hooked = static_cast<HookedStore&>(*database_.store);
  Records expected;
  int number = 0;
  std::size_t generations = 1;
  for (const int changes : {0, 1, 3, 5, 6}) {  // within a day
    put("a", ++number);
    database_.clock.advance(kShardLifetimeMs);
    hooked.before_change = testing::fail_after(changes);
    const auto rolled = sync_wait(roll_shards(database_.engine, *database_.engine.catalog.find("t")));
    hooked.before_change = nullptr;
    EXPECT_EQ(rolled.has_value(), changes >= 6);  // the roll begun, four markers, the roll done
    put("a", ++number);
    // What is behind the marker cannot be read by way of the parent, whether its end can be seen or not.
    const Records before = read_all();
    roll();
    roll();
    put("a", ++number);
    for (int n = number - 2; n <= number; ++n) expected.push_back(fmt::format("a={}", n));
    EXPECT_EQ(read_all(), expected);
    EXPECT_LE(before.size(), expected.size());
    EXPECT_EQ(shards().size(), 4u * ++generations);
  }
}

TEST_F(Shards, AreDividedByTheFirstOfSeveralMarkers) {
  put("a", 1);
  roll_later();
  put("a", 2);
  const std::string late = encode_marker({1, database_.clock.now_ms()});  // by a node that was paused in the middle
  for (std::uint8_t slot = 0; slot < 4; ++slot) {
    const std::string prefix = shard_prefix(stream().table->id, stream().stream->id, slot);
    store::Batch batch;
    batch.appends.push_back({prefix, late});
    ASSERT_TRUE(sync_wait(database_.store->commit(batch)).has_value());
  }
  put("a", 3);
  EXPECT_EQ(read_all(), (Records{"a=1", "a=2", "a=3"}));
  EXPECT_EQ(shards().size(), 8u);
  roll_later();
  put("a", 4);
  EXPECT_EQ(read_all(), (Records{"a=1", "a=2", "a=3", "a=4"}));
}

TEST_F(Shards, AreForgottenADayAfterTheyWereClosed) {
  put("a", 1);
  roll_later();
  put("a", 2);
  database_.clock.advance(kStreamRetentionMs + 1);
  EXPECT_EQ(shards().size(), 4u);  // those that were closed are not shown
  roll();
  put("a", 3);
  database_.clock.advance(1);
  const std::vector<Shard> all = shards();
  EXPECT_EQ(all.size(), 8u);
  EXPECT_EQ(read_all(), (Records{"a=3"}));
  database_.clock.advance(kStreamRetentionMs);
  roll();
  const std::size_t rows = testing::count_rows(*database_.store, stream().table->id);
  ASSERT_TRUE(sync_wait(trim_streams(database_.engine, stream().table)).has_value());
  // Three records, the markers of two rolls, and the first roll went: the second tells all that is to be known of the shards that
  // it opened. What came are the marks of how far each slot was trimmed.
  EXPECT_EQ(testing::count_rows(*database_.store, stream().table->id), rows - 12 + 4);
  const std::vector<Shard> left = shards();
  ASSERT_EQ(left.size(), 8u);
  EXPECT_EQ(left.front().parent_opened_ms, all.front().opened_ms);
}

TEST_F(Shards, AreTheSameAfterARestart) {
  put("a", 1);
  roll_later();
  put("a", 2);
  Engine restarted(*database_.store, database_.clock);
  ASSERT_TRUE(sync_wait(restarted.catalog.load()).has_value());
  EXPECT_EQ(read_all(restarted), (Records{"a=1", "a=2"}));
  const auto rolled = sync_wait(roll_shards(restarted, *restarted.catalog.find("t")));
  ASSERT_TRUE(rolled.has_value());
  EXPECT_EQ(shards().size(), 8u);  // not old enough, as before
}

TEST_F(Shards, OfAStreamThatWasSwitchedOffHaveAnEnd) {
  put("a", 1);
  roll_later();
  put("b", 2);
  UpdateTableRequest change;
  change.name = "t";
  change.stream = StreamInput{false, std::nullopt};
  ASSERT_TRUE(sync_wait(update_table(database_.engine, change)).has_value());
  Records all;
  for (const Shard& shard : shards()) {
    EXPECT_TRUE(shard.last.has_value());
    for (const std::string& record : read(database_.engine, shard)) all.push_back(record);
    EXPECT_TRUE(finished_);
  }
  EXPECT_EQ(all, (Records{"a=1", "b=2"}));
}

TEST_F(Shards, OfAStreamThatWasSwitchedOffWaitForWritesUnderWay) {
  const Shard shard = shards().front();
  {
    const Result<WriteTable> write = database_.engine.catalog.begin_write("t");
    ASSERT_TRUE(write.has_value());
    UpdateTableRequest change;
    change.name = "t";
    change.stream = StreamInput{false, std::nullopt};
    ASSERT_TRUE(sync_wait(update_table(database_.engine, change)).has_value());
    (void)read(database_.engine, shard);
    EXPECT_FALSE(finished_);
  }
  (void)read(database_.engine, shard);
  EXPECT_TRUE(finished_);
}

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
