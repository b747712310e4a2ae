// A page that comes from a digest is the page that its rows would have given.

#include "engine/page_digest.h"

#include <gtest/gtest.h>

#include "engine/hooked_store.h"
#include "engine/test_support.h"

namespace stator::engine {
namespace {

using testing::Database;
using testing::error_of;
using testing::HookedStore;
using testing::Item;
using testing::N;
using testing::S;

TEST(PageDigest, ComesBackAsItWas) {
  const PageDigest empty = unpack(pack({}));
  EXPECT_EQ(empty.rows, 0);
  EXPECT_EQ(empty.items, "");
  const PageDigest digest = unpack(pack({2, 77, "key", R"({"a":{"S":"x"}},{})"}));
  EXPECT_EQ(digest.rows, 2);
  EXPECT_EQ(digest.item_bytes, 77u);
  EXPECT_EQ(digest.first_key, "key");
  EXPECT_EQ(digest.items, R"({"a":{"S":"x"}},{})");
}

class PageFromDigest : public ::testing::Test {
 protected:
  void open(CapacityMode mode, std::int64_t read_units) {
    auto store = std::make_unique<HookedStore>();
    store_ = store.get();
    EngineOptions options;
    options.capacity.mode = mode;
    database_.emplace(std::move(store), options);
    CreateTableRequest request = testing::indexed_request("t");
    request.billing = BillingMode::provisioned;
    request.throughput = ThroughputInput{read_units, 1'000'000};
    for (IndexInput& index : *request.global_indexes) index.throughput = request.throughput;
    database_->create(request);
    for (int i = 0; i < 12; ++i) {
      const auto done = database_->put("t", {{"pk", S("p")},
                                             {"sk", N(database_->keep(std::to_string(i)))},
                                             {"l", S(database_->keep("l" + std::to_string(20 - i)))},
                                             {"g", S("x")},
                                             {"h", N("1")},
                                             {"data", S(std::string_view(data_).substr(0, 900))}});
      ASSERT_TRUE(done.has_value()) << error_of(done);
    }
    store_->keeps_digest = true;
  }
  QueryRequest query_of(std::string_view index) { return testing::query_of(index, values_); }
  // All that a client and the meters see of a page.
  std::string seen(const QueryRequest& request) {
    const auto answer = database_->query(request);
    if (!answer) return error_of(answer);
    const Page& page = answer->page;
    return answer->items + " count " + std::to_string(page.count) + " scanned " + std::to_string(page.scanned_count) +
           " last " + page.last_key_text + " cost " + std::to_string(page.consumed.total());
  }
  HalfUnits metered() {
    HalfUnits sum = 0;
    for (const auto& table : database_->engine.admission.snapshot()) {
      sum += table.table.side(capacity::Direction::read).consumed;
      for (const auto& [name, index] : table.indexes) sum += index.side(capacity::Direction::read).consumed;
    }
    return sum;
  }

  const std::string data_ = std::string(1000, 'x');
  Item values_;
  HookedStore* store_ = nullptr;
  std::optional<Database> database_;
};

TEST_F(PageFromDigest, IsThePageOfItsRows) {
  for (const CapacityMode mode : {CapacityMode::off, CapacityMode::observe, CapacityMode::enforce}) {
    for (const std::string_view index : {"", "local_all", "global_all", "global_keys"}) {
      for (const bool forward : {true, false}) {
        open(mode, 10'000);
        QueryRequest request = query_of(index);
        request.forward = forward;
        const HalfUnits before = metered();
        const std::string of_rows = seen(request);
        const HalfUnits cost = metered() - before;
        EXPECT_EQ(seen(request), of_rows) << index;
        EXPECT_EQ(store_->digests_taken, 1) << index;
        EXPECT_EQ(metered() - before, 2 * cost) << index;
        EXPECT_NE(of_rows.find("count 12"), std::string::npos) << of_rows;
      }
    }
  }
}

TEST_F(PageFromDigest, IsNotKeptWhereItIsTooLarge) {
  open(CapacityMode::off, 1);
  store_->digest_bytes_max = 1000;
  const std::string of_rows = seen(query_of(""));
  EXPECT_EQ(seen(query_of("")), of_rows);
  EXPECT_EQ(store_->digests_taken, 0);
}

TEST_F(PageFromDigest, OfAnEmptyRangeIsEmpty) {
  open(CapacityMode::observe, 10'000);
  QueryRequest request = query_of("");
  values_ = {{":v", S("nobody")}};
  request.page.parameters.values = values_;
  const std::string of_rows = seen(request);
  EXPECT_EQ(seen(request), of_rows);
  EXPECT_EQ(store_->digests_taken, 1);
  EXPECT_NE(of_rows.find("count 0"), std::string::npos) << of_rows;
}

// Pages that are something else than all items of their rows neither leave a digest nor take one.
TEST_F(PageFromDigest, IsNotForOtherPages) {
  open(CapacityMode::off, 1);
  seen(query_of(""));  // leaves one
  const auto changed = [&](auto change) {
    QueryRequest request = query_of("");
    change(request.page);
    return seen(request);
  };
  const std::string limited = changed([](PageRequest& page) { page.limit = 2; });
  EXPECT_NE(limited.find("count 2 scanned 2 last {"), std::string::npos) << limited;
  const std::string counted = changed([](PageRequest& page) { page.select = Select::count; });
  EXPECT_TRUE(counted.starts_with(" count 12")) << counted;
  const std::string projected = changed([](PageRequest& page) { page.projection = "h"; });
  EXPECT_TRUE(projected.starts_with(R"({"h":{"N":"1"}},{"h")")) << projected;
  const std::string filtered = changed([](PageRequest& page) { page.filter = "attribute_not_exists(g)"; });
  EXPECT_TRUE(filtered.starts_with(" count 0 scanned 12")) << filtered;
  QueryRequest fetching = query_of("local_keys");
  fetching.page.select = Select::all_attributes;
  EXPECT_NE(seen(fetching).find("data"), std::string::npos);
  EXPECT_EQ(store_->digests_taken, 0);
}

// The page costs one and a half units. Where that would use up what is left, it goes row by row and ends in the middle.
TEST_F(PageFromDigest, EndsWhereTheCapacityDoes) {
  open(CapacityMode::enforce, 2);
  const std::string whole = seen(query_of(""));
  EXPECT_NE(whole.find("count 12"), std::string::npos) << whole;
  const std::string cut = seen(query_of(""));
  EXPECT_EQ(store_->digests_taken, 0);
  EXPECT_EQ(cut.find("count 12"), std::string::npos) << cut;
  EXPECT_NE(cut.find("last {"), std::string::npos) << cut;
  const std::string refused = seen(query_of(""));
  EXPECT_EQ(refused.find("count"), std::string::npos) << refused;
  database_->clock.advance(300'000);
  EXPECT_EQ(seen(query_of("")), whole);
  EXPECT_EQ(store_->digests_taken, 1);
}

TEST_F(PageFromDigest, IsCountedWhereItWouldHaveBeenThrottled) {
  open(CapacityMode::observe, 1);
  const auto throttles = [&] {
    return database_->engine.admission.snapshot().front().table.side(capacity::Direction::read).throttles();
  };
  const std::string of_rows = seen(query_of(""));
  const std::uint64_t before = throttles();
  EXPECT_EQ(seen(query_of("")), of_rows);
  EXPECT_EQ(store_->digests_taken, 1);
  EXPECT_EQ(throttles(), before + 1);
}

}  // namespace
}  // namespace stator::engine
