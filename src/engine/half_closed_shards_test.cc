// What readers see of shards that are being closed, or were when a process ended.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/shards_test_support.h"
#include "engine/stream_trim.h"
#include "engine/update_table.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::HookedStore;

constexpr int kSlots = 4;
constexpr int kChanges = 1 + kSlots + 1;  // the roll begun, a marker in each slot, the roll done

// Reads a stream as an application does: what it has read of a shard it does not read again, and those behind a shard are
// looked for when it has ended.
class Follower {
 public:
  explicit Follower(Engine& engine) : engine_(engine) {}

  Records read_on(StreamOfTable stream) {
    Records found;
    for (bool ended = true; ended;) {
      const auto listed = sync_wait(list_shards(engine_, stream));
      EXPECT_TRUE(listed.has_value());
      ended = false;
      for (const Shard& shard : *listed) ended |= read_shard(stream, shard, found);
    }
    return found;
  }

 private:
  struct Place {
    std::uint64_t next = 0;
    bool finished = false;
  };

  // Whether it has come to its end.
  bool read_shard(StreamOfTable stream, const Shard& shard, Records& found) {
    Place& place = places_[shard_id(*stream.stream, shard.slot, shard.opened_ms)];
    if (place.finished) return false;
    for (std::size_t before = SIZE_MAX; before != found.size() && !place.finished;) {
      before = found.size();
      const auto page = sync_wait(read_records(engine_, stream, {shard.slot, shard.first}, place.next, 1,
                                               [&](const ChangeRecord& record, std::uint64_t) {
                                                 base::Arena arena;
                                                 found.emplace_back(record.after->find("n", arena)->text());
                                               }));
      EXPECT_TRUE(page.has_value()) << testing::error_of(page);
      if (!page) break;
      place = {page->next, page->finished};
    }
    return place.finished;
  }

  Engine& engine_;
  std::map<std::string, Place> places_;
};

class HalfClosedShards : public Shards {
 protected:
  HookedStore& hooked() { return static_cast<HookedStore&>(*database_.store); }

  // Closes the shards as a process does that ends after so many changes.
  void roll_until(int changes) {
    database_.clock.advance(kShardLifetimeMs);
    hooked().before_change = testing::fail_after(changes);
    const auto rolled = sync_wait(roll_shards(database_.engine, *database_.engine.catalog.find("t")));
    hooked().before_change = nullptr;
    ASSERT_EQ(rolled.has_value(), changes >= kChanges);
  }

  void put_next() {
    put("a", ++number_);
    told_.push_back(fmt::format("a={}", number_));
  }

  std::vector<std::string> ids() {
    std::vector<std::string> found;
    for (const Shard& shard : shards()) found.push_back(shard_id(*stream().stream, shard.slot, shard.opened_ms));
    return found;
  }

  void switch_off() {
    UpdateTableRequest change;
    change.name = "t";
    change.stream = StreamInput{false, std::nullopt};
    ASSERT_TRUE(sync_wait(update_table(database_.engine, change)).has_value());
  }

  int number_ = 0;
  Records told_;  // what a reader must find
};

TEST_F(HalfClosedShards, TellEverythingWhateverIsMissing) {
  for (int changes = 0; changes <= kChanges; ++changes) {
    SCOPED_TRACE(changes);
    put_next();
    put_next();
    ASSERT_NO_FATAL_FAILURE(roll_until(changes));
    put_next();
    put_next();
    EXPECT_EQ(read_all(), told_);
    EXPECT_EQ(read_all(database_.engine, 1), told_);
    roll();
    EXPECT_EQ(read_all(database_.engine, 1), told_);
    database_.clock.advance(kStreamRetentionMs + 1);  // away with it all
    roll();
    told_.clear();
  }
}

TEST_F(HalfClosedShards, TellEverythingBetweenAnyTwoChanges) {
  Follower follower(database_.engine);
  int changes = 0;
  hooked().after_commit = [&] {
    const auto hook = std::exchange(hooked().after_commit, nullptr);
    ++changes;
    for (int record = 0; record < 2; ++record) {
      put_next();
      EXPECT_EQ(follower.read_on(stream()), Records{std::to_string(number_)});
    }
    EXPECT_EQ(read_all(database_.engine, 1), told_);
    const std::vector<std::string> listed = ids();
    EXPECT_TRUE(std::is_sorted(listed.begin(), listed.end()));
    hooked().after_commit = hook;
  };
  for (int rolls = 0; rolls < 3; ++rolls) roll_later();
  hooked().after_commit = nullptr;
  EXPECT_EQ(changes, 3 * kChanges);
  EXPECT_EQ(read_all(), told_);
}

TEST_F(HalfClosedShards, KeepTheirIdsWhenTheyAreWhole) {
  ASSERT_NO_FATAL_FAILURE(roll_until(1 + 2));
  put_next();
  const std::vector<std::string> before = ids();
  EXPECT_EQ(before.size(), kSlots + 2u);
  roll();
  const std::vector<std::string> after = ids();
  EXPECT_EQ(after.size(), 2u * kSlots);
  EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end()));
}

TEST_F(HalfClosedShards, HaveAnEndWhenTheStreamIsSwitchedOff) {
  for (const std::string_view key : {"a", "b", "c", "d", "e", "f"}) put(key, 1);
  ASSERT_NO_FATAL_FAILURE(roll_until(1 + 2));
  for (const std::string_view key : {"a", "b", "c", "d", "e", "f"}) put(key, 2);
  ASSERT_NO_FATAL_FAILURE(switch_off());
  std::size_t told = 0;
  for (const Shard& shard : shards()) {
    EXPECT_TRUE(shard.last.has_value());
    told += read(database_.engine, shard).size();
    EXPECT_TRUE(finished_);
  }
  EXPECT_EQ(told, 12u);
}

TEST_F(HalfClosedShards, AreWholeAfterAStart) {
  put_next();
  ASSERT_NO_FATAL_FAILURE(roll_until(1));
  database_.clock.advance(kStreamRetentionMs + 1);  // nobody was there to go on
  Engine restarted(*database_.store, database_.clock);
  ASSERT_TRUE(sync_wait(restarted.catalog.load()).has_value());
  put("a", 2);  // a child's, not one of a shard that was closed a day ago
  roll();
  EXPECT_EQ(read_all(), (Records{"a=2"}));
}

TEST_F(HalfClosedShards, DoNotKeepAStartFromSucceeding) {
  put_next();
  ASSERT_NO_FATAL_FAILURE(roll_until(2));
  put_next();
  hooked().before_change = testing::fail_after(0);  // as a full disk does
  Engine restarted(*database_.store, database_.clock);
  EXPECT_TRUE(sync_wait(restarted.catalog.load()).has_value());
  EXPECT_EQ(read_all(restarted), told_);
}

// The markers are as old as the roll. Who erases one must have written down where it was.
TEST_F(HalfClosedShards, AreClosedBeforeTheirMarkersAreTrimmed) {
  put("a", 1);
  ASSERT_NO_FATAL_FAILURE(roll_until(1 + kSlots));
  database_.clock.advance(kStreamRetentionMs / 2);
  put("a", 2);
  ASSERT_NO_FATAL_FAILURE(switch_off());
  const std::vector<std::string> all = ids();
  ASSERT_EQ(all.size(), 2u * kSlots);
  database_.clock.advance(kStreamRetentionMs / 2 + 1);
  ASSERT_TRUE(sync_wait(trim_streams(database_.engine, stream().table)).has_value());
  EXPECT_EQ(ids(), std::vector<std::string>(all.end() - kSlots, all.end()));  // the children
  EXPECT_EQ(read_all(), (Records{"a=2"}));
}

}  // namespace
}  // namespace stator::engine
