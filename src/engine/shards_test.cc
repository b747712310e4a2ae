// Shards that are closed and followed by others.

#include "engine/shards.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/shards_test_support.h"
#include "engine/stream_trim.h"
#include "engine/update_table.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::HookedStore;

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
    for (int n = number - 1; n <= number; ++n) expected.push_back(fmt::format("a={}", n));
    EXPECT_EQ(read_all(), expected);
    roll();
    roll();
    put("a", ++number);
    expected.push_back(fmt::format("a={}", number));
    EXPECT_EQ(read_all(), expected);
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

// While a shard is being closed, a record behind its marker is its child's, although nobody sees the child yet.
TEST_F(Shards, GiveALatestReaderEachLaterRecordOnceWhileTheyAreBeingClosed) {
  auto& hooked = static_cast<HookedStore&>(*database_.store);
  int number = 0;
  for (const int changes : {1, 2, 3, 4, 5}) {  // the roll begun, and so many markers less one
    put("a", ++number);
    database_.clock.advance(kShardLifetimeMs);
    const std::vector<Shard> parents = shards();
    hooked.before_change = testing::fail_after(changes);
    EXPECT_FALSE(sync_wait(roll_shards(database_.engine, *database_.engine.catalog.find("t"))).has_value());
    hooked.before_change = nullptr;
    put("a", ++number);
    std::vector<std::uint64_t> latest;
    for (std::size_t slot = parents.size() - 4; slot < parents.size(); ++slot) {
      const Shard& parent = parents[slot];
      const auto newest = sync_wait(last_position(database_.engine, stream(), {parent.slot, parent.first}));
      ASSERT_TRUE(newest.has_value());
      latest.push_back(*newest ? **newest + 1 : parent.first);
    }
    Records later;
    for (int i = 0; i < 3; ++i) {
      put("a", ++number);
      later.push_back(fmt::format("a={}", number));
    }
    Records found;
    const auto read_on = [&](bool to_the_end) {
      for (std::size_t slot = 0; slot < 4; ++slot) {
        const Shard& parent = parents[parents.size() - 4 + slot];
        const auto page = sync_wait(read_records(database_.engine, stream(), {parent.slot, parent.first}, latest[slot], 100,
                                                 [&](const ChangeRecord& record, std::uint64_t) {
                                                   base::Arena arena;
                                                   found.push_back(fmt::format("a={}", record.after->find("n", arena)->text()));
                                                 }));
        ASSERT_TRUE(page.has_value()) << testing::error_of(page);
        latest[slot] = page->next;
        EXPECT_EQ(page->finished, to_the_end) << changes;
      }
    };
    read_on(false);
    read_on(false);
    roll();
    read_on(true);
    const std::vector<Shard> all = shards();
    ASSERT_EQ(all.size(), parents.size() + 4);
    for (std::size_t slot = all.size() - 4; slot < all.size(); ++slot) {
      for (std::string& record : read(database_.engine, all[slot])) found.push_back(std::move(record));
    }
    for (const std::string& record : later) EXPECT_EQ(std::count(found.begin(), found.end(), record), 1) << record << " after " << changes;
  }
}

}  // namespace
}  // namespace stator::engine
