#include "engine/expiry.h"

#include <gtest/gtest.h>

#include "engine/builder.h"
#include "engine/change_log.h"
#include "engine/hooked_store.h"
#include "engine/streams.h"
#include "engine/test_support.h"
#include "engine/update_time_to_live.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::HookedStore;
using testing::Item;
using testing::N;
using testing::S;

class Expiry : public ::testing::Test {
 protected:
  Expiry() {
    CreateTableRequest request = testing::simple_request("t");
    request.stream = StreamInput{true, "OLD_IMAGE"};
    database_.create(request);
  }
  // Seconds from now on; the clock stands still unless a test moves it.
  void put(std::string_view partition, std::int64_t seconds) {
    const std::string at = std::to_string(database_.clock.now_ms() / 1000 + seconds);
    const auto done = database_.put("t", {{"pk", S(partition)}, {"expires", N(at)}});
    ASSERT_TRUE(done.has_value()) << error_of(done);
  }
  void switch_ttl(bool on) {
    const auto done = sync_wait(update_time_to_live(database_.engine, "t", "expires", on));
    ASSERT_TRUE(done.has_value()) << error_of(done);
    ASSERT_TRUE(sync_wait(advance_building(database_.engine, *done)).has_value());
  }
  std::size_t sweep() {
    const TablePtr table = *database_.engine.catalog.find("t");
    const auto deleted = sync_wait(delete_expired(database_.engine, table));
    EXPECT_TRUE(deleted.has_value()) << error_of(deleted);
    return deleted.value_or(0);
  }
  bool exists(std::string_view partition) {
    return !database_.get("t", {{"pk", S(partition)}}).empty();
  }

  Database database_{std::make_unique<HookedStore>()};
};

TEST_F(Expiry, DeletesWhatIsDueAndNothingElse) {
  put("before", 10);  // before time to live was switched on
  switch_ttl(true);
  put("due", 10);
  put("later", 100);
  put("ancient", -6LL * 365 * 24 * 3600);
  ASSERT_TRUE(database_.put("t", {{"pk", S("text")}, {"expires", S("1")}}).has_value());
  ASSERT_TRUE(database_.put("t", {{"pk", S("none")}}).has_value());
  EXPECT_EQ(sweep(), 0u);
  database_.clock.advance(10'000);
  EXPECT_EQ(sweep(), 2u);
  EXPECT_FALSE(exists("before"));
  EXPECT_FALSE(exists("due"));
  for (const char* kept : {"later", "ancient", "text", "none"}) EXPECT_TRUE(exists(kept)) << kept;
  EXPECT_EQ(sweep(), 0u);
}

TEST_F(Expiry, FollowsTheItem) {
  switch_ttl(true);
  put("postponed", 10);
  put("deleted", 10);
  put("unset", 10);
  put("postponed", 100);
  ASSERT_TRUE(database_.remove("t", {{"pk", S("deleted")}}).has_value());
  ASSERT_TRUE(database_.update("t", {{"pk", S("unset")}}, {"REMOVE expires", {}}).has_value());
  database_.clock.advance(10'000);
  EXPECT_EQ(sweep(), 0u);
  EXPECT_TRUE(exists("postponed"));
  EXPECT_TRUE(exists("unset"));
  database_.clock.advance(90'000);
  EXPECT_EQ(sweep(), 1u);
}

TEST_F(Expiry, KeepsAnItemThatIsPostponedWhileItIsSwept) {
  switch_ttl(true);
  put("a", 10);
  database_.clock.advance(10'000);
  auto& store = static_cast<HookedStore&>(*database_.store);
  store.before_change = [&]() -> std::optional<Error> {
    store.before_change = nullptr;
    put("a", 100);
    return std::nullopt;
  };
  EXPECT_EQ(sweep(), 0u);
  EXPECT_TRUE(exists("a"));
}

TEST_F(Expiry, EndsWhenItIsSwitchedOff) {
  switch_ttl(true);
  put("a", 10);
  switch_ttl(false);
  database_.clock.advance(10'000);
  EXPECT_EQ(sweep(), 0u);
  EXPECT_TRUE(exists("a"));
  switch_ttl(true);
  EXPECT_EQ(sweep(), 1u);
}

TEST_F(Expiry, IsToldInTheStreamAsTheServicesOwn) {
  switch_ttl(true);
  put("a", 10);
  database_.clock.advance(10'000);
  ASSERT_EQ(sweep(), 1u);
  ASSERT_TRUE(database_.put("t", {{"pk", S("b")}}).has_value());
  ASSERT_TRUE(database_.remove("t", {{"pk", S("b")}}).has_value());
  std::string records;
  const TablePtr table = *database_.engine.catalog.find("t");
  const Stream* stream = table->stream();
  for (std::uint8_t shard = 0; shard < stream->shards; ++shard) {
    const auto page = sync_wait(read_records(
        database_.engine, {table, stream}, {shard, 0}, 0, 100,
        [&](const ChangeRecord& record, std::uint64_t) {
          if (record.kind != ChangeKind::remove) return;
          records += std::string(*record.key->find_text("pk")) + (record.by_service ? "S " : "- ");
        }));
    ASSERT_TRUE(page.has_value()) << error_of(page);
  }
  EXPECT_NE(records.find(R"({"S":"a"}S)"), std::string::npos) << records;
  EXPECT_NE(records.find(R"({"S":"b"}-)"), std::string::npos) << records;
}

}  // namespace
}  // namespace stator::engine
