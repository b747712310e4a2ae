#include "engine/change_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/stream_trim.h"
#include "engine/streams.h"
#include "engine/test_support.h"
#include "engine/update_table.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

std::string text_of(const std::optional<item::StoredItem>& item) {
  return item ? std::string(item->text()) : "-";
}

class ChangeLog : public ::testing::Test {
 protected:
  void create(std::string_view view_type) {
    CreateTableRequest request = testing::simple_request("t");
    request.stream = StreamInput{true, view_type};
    database_.create(request);
  }
  TablePtr table() { return *database_.engine.catalog.find("t"); }

  // All records of the newest stream, shard by shard: "insert {key} before after".
  std::vector<std::string> records(std::size_t limit = 1000) {
    std::vector<std::string> all;
    const TablePtr now = table();
    const Stream& stream = now->streams.back();
    for (std::uint8_t shard = 0; shard < stream.shards; ++shard) {
      std::uint64_t from = 0;
      for (std::size_t before = SIZE_MAX; before != all.size();) {
        before = all.size();
        const auto page = sync_wait(read_records(
            database_.engine, {now, &stream}, {shard, 0}, from, limit,
            [&](const ChangeRecord& record, std::uint64_t) {
              static constexpr const char* kKinds[] = {"?", "insert", "modify", "remove"};
              all.push_back(fmt::format("{} {} {} {}", kKinds[static_cast<int>(record.kind)],
                                        text_of(record.key), text_of(record.before),
                                        text_of(record.after)));
            }));
        EXPECT_TRUE(page.has_value()) << error_of(page);
        if (!page) return all;
        from = page->next;
      }
    }
    return all;
  }

  Database database_;
};

using RecordTexts = std::vector<std::string>;

TEST_F(ChangeLog, TellsEveryChangeOfAnItemInOrder) {
  create("NEW_AND_OLD_IMAGES");
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"n", N("1")}}).has_value());
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"n", N("2")}}).has_value());
  ASSERT_TRUE(database_.remove("t", {{"pk", S("a")}}).has_value());
  const std::string key = R"({"pk":{"S":"a"}})";
  const std::string one = R"({"pk":{"S":"a"},"n":{"N":"1"}})";
  const std::string two = R"({"pk":{"S":"a"},"n":{"N":"2"}})";
  const RecordTexts expected = {fmt::format("insert {} - {}", key, one),
                            fmt::format("modify {} {} {}", key, one, two),
                            fmt::format("remove {} {} -", key, two)};
  EXPECT_EQ(records(), expected);
  EXPECT_EQ(records(1), expected);
}

TEST_F(ChangeLog, ShowsWhatItsViewShows) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"KEYS_ONLY", "- -"}, {"OLD_IMAGE", "before -"}, {"NEW_IMAGE", "- after"}};
  for (const auto& [view, images] : cases) {
    Database database;
    CreateTableRequest request = testing::simple_request("t");
    request.stream = StreamInput{true, view};
    const TablePtr created = database.create(request);
    ASSERT_TRUE(database.put("t", {{"pk", S("a")}}).has_value());
    ASSERT_TRUE(database.put("t", {{"pk", S("a")}, {"n", N("1")}}).has_value());
    std::string last;
    for (std::uint8_t shard = 0; shard < created->stream()->shards; ++shard) {
      ASSERT_TRUE(
          sync_wait(read_records(database.engine, {created, created->stream()}, {shard, 0}, 0, 10,
                                 [&](const ChangeRecord& record, std::uint64_t) {
                                   last = record.before ? "before " : "- ";
                                   last += record.after ? "after" : "-";
                                 }))
              .has_value());
    }
    EXPECT_EQ(last, images) << view;
  }
}

TEST_F(ChangeLog, KeepsSilentWhereNothingChanges) {
  create("KEYS_ONLY");
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"n", N("1")}}).has_value());
  ASSERT_TRUE(database_.put("t", {{"n", N("1")}, {"pk", S("a")}}).has_value());
  ASSERT_TRUE(database_.remove("t", {{"pk", S("absent")}}).has_value());
  EXPECT_FALSE(database_.put("t", {{"pk", S("a")}}, {"attribute_not_exists(pk)", {}}).has_value());
  EXPECT_EQ(records().size(), 1u);
}

TEST_F(ChangeLog, BeginsAnewWhenItIsEnabledAgain) {
  create("KEYS_ONLY");
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}}).has_value());
  UpdateTableRequest change;
  change.name = "t";
  change.stream = StreamInput{false, std::nullopt};
  ASSERT_TRUE(sync_wait(update_table(database_.engine, change)).has_value());
  EXPECT_EQ(table()->stream(), nullptr);
  ASSERT_TRUE(database_.put("t", {{"pk", S("b")}}).has_value());
  EXPECT_EQ(records().size(), 1u);
  change.stream = StreamInput{true, "KEYS_ONLY"};
  database_.clock.advance(1);
  ASSERT_TRUE(sync_wait(update_table(database_.engine, change)).has_value());
  EXPECT_EQ(records().size(), 0u);
  EXPECT_EQ(table()->streams.size(), 2u);
}

TEST_F(ChangeLog, ForgetsARecordAfterADay) {
  create("KEYS_ONLY");
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}}).has_value());
  database_.clock.advance(kStreamRetentionMs);
  ASSERT_TRUE(database_.put("t", {{"pk", S("b")}}).has_value());
  EXPECT_EQ(records().size(), 2u);
  database_.clock.advance(1);
  EXPECT_EQ(records().size(), 1u);  // not shown any more
  const std::size_t rows = testing::count_rows(*database_.store, table()->id);
  ASSERT_TRUE(sync_wait(trim_streams(database_.engine, table())).has_value());
  EXPECT_EQ(testing::count_rows(*database_.store, table()->id), rows);  // one went, the mark came
  EXPECT_EQ(records().size(), 1u);
}

TEST_F(ChangeLog, SaysThatARecordIsGoneToWhoAsksForItsPosition) {
  create("KEYS_ONLY");
  ASSERT_TRUE(database_.put("t", {{"pk", S("a")}}).has_value());
  const StreamOfTable stream{table(), table()->stream()};
  std::vector<std::uint64_t> positions;
  const auto read_from = [&](ShardStart shard, std::uint64_t from) {
    return sync_wait(read_records(database_.engine, stream, shard, from, 10,
                                  [&](const ChangeRecord&, std::uint64_t position) { positions.push_back(position); }));
  };
  ShardStart shard;
  for (; positions.empty() && shard.slot < stream.stream->shards; ++shard.slot) {
    ASSERT_TRUE(read_from(shard, shard.first).has_value());
  }
  ASSERT_EQ(positions.size(), 1u);
  --shard.slot;
  const std::uint64_t old = positions[0];
  ASSERT_TRUE(read_from(shard, old).has_value());
  database_.clock.advance(kStreamRetentionMs + 1);
  for (const bool erased : {false, true}) {
    if (erased) {
      ASSERT_TRUE(sync_wait(trim_streams(database_.engine, table())).has_value());
    }
    const auto refused = read_from(shard, old);
    ASSERT_FALSE(refused.has_value()) << erased;
    EXPECT_EQ(refused.error().code, ErrorCode::trimmed_data);
    EXPECT_TRUE(read_from(shard, old + 1).has_value()) << erased;       // nothing is missing behind it
    EXPECT_TRUE(read_from(shard, shard.first).has_value()) << erased;  // whatever there is
  }
  const auto kept = sync_wait(check_kept(database_.engine, stream, shard, old));
  ASSERT_FALSE(kept.has_value());
  EXPECT_EQ(kept.error().code, ErrorCode::trimmed_data);
}

TEST_F(ChangeLog, RefusesDamagedRecords) {
  for (const std::string_view bytes :
       {std::string_view(""), std::string_view("\x02xxxxxxxxxxxx"),
        std::string_view("\x01\x01\x00\0\0\0\0\0\0\0\0\x00\x00\x00", 14),
        std::string_view("\x01\x01\x00\0\0\0\0\0\0\0\0\x7f", 12)}) {
    const auto record = decode_change(bytes);
    ASSERT_FALSE(record.has_value());
    EXPECT_EQ(record.error().code, ErrorCode::corruption);
  }
}

TEST(SequenceNumber, IsAPositionInDecimal) {
  EXPECT_EQ(sequence_number(0).size(), 21u);
  EXPECT_LT(sequence_number(9), sequence_number(10));
  for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{7}, UINT64_MAX}) {
    EXPECT_EQ(position_of(sequence_number(position)), position);
  }
  for (const char* text : {"", "1", "000000000000000000000", "1000000000000000000000",
                           "10000000000000000000x", "199999999999999999999"}) {
    EXPECT_EQ(position_of(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace stator::engine
