#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/hooked_store.h"
#include "engine/shards.h"
#include "engine/streams.h"
#include "engine/test_support.h"

namespace stator::engine {

using Records = std::vector<std::string>;

// A table with a stream, whose shards are closed when a test says so.
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
    ASSERT_TRUE(database_.put("t", {{"pk", testing::S(key)}, {"n", testing::N(text)}}).has_value());
  }
  StreamOfTable stream(Engine& engine) {
    const auto all = list_streams(engine);
    EXPECT_FALSE(all.empty());
    return all.back();
  }
  StreamOfTable stream() { return stream(database_.engine); }
  void roll() {
    const auto rolled = base::sync_wait(roll_shards(database_.engine, *database_.engine.catalog.find("t")));
    ASSERT_TRUE(rolled.has_value()) << testing::error_of(rolled);
  }
  void roll_later() {
    database_.clock.advance(kShardLifetimeMs);
    roll();
  }
  std::vector<Shard> shards() {
    const auto listed = base::sync_wait(list_shards(database_.engine, stream()));
    EXPECT_TRUE(listed.has_value()) << testing::error_of(listed);
    return *listed;
  }
  // What one shard holds, "key=n" each, read in pages of `limit`. Whether it came to an end is in finished_.
  std::vector<std::string> read(Engine& engine, const Shard& shard, std::size_t limit = 1000) {
    std::vector<std::string> found;
    finished_ = false;
    std::uint64_t from = shard.first;
    for (int pages = 0; pages < 100 && !finished_; ++pages) {
      const std::size_t before = found.size();
      const auto page = base::sync_wait(read_records(
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
      EXPECT_TRUE(page.has_value()) << testing::error_of(page);
      if (!page) break;
      from = page->next;
      finished_ = page->finished;
      if (!shard.last && found.size() == before) break;
    }
    return found;
  }
  // All there is, a parent before its child.
  std::vector<std::string> read_all(Engine& engine, std::size_t limit = 1000) {
    const auto listed = base::sync_wait(list_shards(engine, stream(engine)));
    EXPECT_TRUE(listed.has_value()) << testing::error_of(listed);
    std::vector<std::string> all;
    for (const Shard& shard : *listed) {
      for (std::string& record : read(engine, shard, limit)) all.push_back(std::move(record));
    }
    return all;
  }
  std::vector<std::string> read_all() { return read_all(database_.engine); }

  testing::Database database_{std::make_unique<testing::HookedStore>()};
  bool finished_ = false;
};

}  // namespace stator::engine
