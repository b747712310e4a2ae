#include "engine/scan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/test_support.h"

namespace stator::engine {
namespace {

using testing::Database;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

class Scan : public ::testing::Test {
 protected:
  static constexpr int kPartitions = 100;
  Scan() {
    database_.create(testing::indexed_request("t"));
    for (int i = 0; i < kPartitions; ++i) {
      const std::string partition = fmt::format("p{}", i);
      const std::string group = fmt::format("g{}", i % 7);
      for (const char* sort : {"1", "2"}) {
        const auto done = database_.put(
            "t", {{"pk", S(partition)}, {"sk", N(sort)}, {"g", S(group)}, {"h", N(sort)}});
        EXPECT_TRUE(done.has_value()) << error_of(done);
      }
    }
  }
  // Keys of all items, page by page.
  std::vector<std::string> keys(ScanRequest request) {
    request.page.projection = "pk, sk";
    std::vector<std::string> found;
    for (int pages = 0; pages < 1000; ++pages) {
      const auto answer = database_.scan(request);
      EXPECT_TRUE(answer.has_value()) << error_of(answer);
      if (!answer) break;
      for (const std::string_view item : testing::split_items(answer->items)) {
        found.emplace_back(item);
      }
      if (answer->page.last_key_text.empty()) break;
      start_ = database_.attributes(answer->page.last_key_text);
      request.page.start_key = start_;
    }
    return found;
  }
  ScanRequest all() {
    ScanRequest request;
    request.page.table_name = "t";
    return request;
  }

  Item start_;
  Database database_;
};

TEST_F(Scan, FindsEveryItemOnceWhateverTheLimit) {
  std::vector<std::string> whole = keys(all());
  EXPECT_EQ(whole.size(), 2u * kPartitions);
  for (const std::int64_t limit : {1, 7, 200, 201}) {
    ScanRequest request = all();
    request.page.limit = limit;
    EXPECT_EQ(keys(request), whole) << limit;
  }
  std::sort(whole.begin(), whole.end());
  EXPECT_EQ(std::adjacent_find(whole.begin(), whole.end()), whole.end());
}

TEST_F(Scan, SegmentsAreDisjointAndComplete) {
  for (const char* index : {"", "global_all", "global_keys"}) {
    ScanRequest request = all();
    if (*index != '\0') request.page.index_name = index;
    std::vector<std::string> whole = keys(request);
    EXPECT_EQ(whole.size(), 2u * kPartitions);
    for (const std::int64_t total : {1, 2, 3, 7, 64, 1000}) {
      std::vector<std::string> segments;
      request.total_segments = total;
      for (request.segment = 0; request.segment < total; ++request.segment) {
        const std::vector<std::string> found = keys(request);
        segments.insert(segments.end(), found.begin(), found.end());
      }
      EXPECT_EQ(segments, whole) << total << " segments of " << index;
    }
  }
}

TEST_F(Scan, DividesTheTableEvenly) {
  ScanRequest request = all();
  request.total_segments = 4;
  for (request.segment = 0; request.segment < 4; ++request.segment) {
    EXPECT_GT(keys(request).size(), 20u) << request.segment;
  }
}

TEST_F(Scan, RefusesAStartKeyOfAnotherSegment) {
  ScanRequest request = all();
  request.total_segments = 2;
  request.segment = 1;
  request.page.limit = 1;
  const auto second = database_.scan(request);
  ASSERT_TRUE(second.has_value()) << error_of(second);
  const Item start = database_.attributes(second->page.last_key_text);
  request.page.start_key = start;
  EXPECT_TRUE(database_.scan(request).has_value());
  request.segment = 0;
  EXPECT_EQ(error_of(database_.scan(request)),
            "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
            "ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 0");
}

TEST_F(Scan, RefusesAStartKeyThatIsNone) {
  ScanRequest request = all();
  const Item partial = {{"pk", S("p1")}};
  request.page.start_key = partial;
  EXPECT_EQ(error_of(database_.scan(request)),
            "The provided starting key is invalid: The provided key element does not match the "
            "schema");
  request.page.index_name = "global_all";
  EXPECT_EQ(error_of(database_.scan(request)), "The provided starting key is invalid");
}

TEST_F(Scan, StopsAfterOneMegabyte) {
  database_.create(testing::simple_request("large"));
  const std::string text(200'000, 'x');
  for (int i = 0; i < 20; ++i) {
    const std::string partition = std::to_string(i);
    ASSERT_TRUE(database_.put("large", {{"pk", S(partition)}, {"v", S(text)}}).has_value());
  }
  ScanRequest request;
  request.page.table_name = "large";
  request.page.select = Select::count;
  std::int64_t count = 0;
  int pages = 0;
  Item start;
  for (;; ++pages) {
    ASSERT_LT(pages, 20);
    const auto answer = database_.scan(request);
    ASSERT_TRUE(answer.has_value()) << error_of(answer);
    EXPECT_LE(answer->page.count, 6);  // the one that passes the megabyte is in
    count += answer->page.count;
    if (answer->page.last_key_text.empty()) break;
    EXPECT_EQ(answer->page.count, 6);
    start = database_.attributes(answer->page.last_key_text);
    request.page.start_key = start;
  }
  EXPECT_EQ(count, 20);
}

// Whether or not anybody counts what partitions do.
TEST(ScanCost, OfAnEmptyTableIsTheLeastOfEveryPartition) {
  for (const CapacityMode mode : {CapacityMode::off, CapacityMode::observe}) {
    testing::Database database(EngineOptions{.capacity = {.mode = mode}});
    CreateTableRequest provisioned = testing::simple_request("one");
    provisioned.billing = BillingMode::provisioned;
    provisioned.throughput = ThroughputInput{.read_units = 100, .write_units = 100};
    database.create(provisioned);
    database.create(testing::simple_request("four"));
    ScanRequest request;
    request.page.table_name = "one";
    EXPECT_EQ(database.scan(request)->page.consumed.total(), 1);
    request.page.table_name = "four";
    EXPECT_EQ(database.scan(request)->page.consumed.total(), 4);
    request.page.consistent = true;
    EXPECT_EQ(database.scan(request)->page.consumed.total(), 8);
    request.total_segments = 3;
    EXPECT_EQ(database.scan(request)->page.consumed.total(), 4);
    request.segment = 2;
    EXPECT_EQ(database.scan(request)->page.consumed.total(), 4);
  }
}

// The hashes at both ends of a segment belong to it and to no other.
TEST_F(Scan, EveryHashIsInOneSegment) {
  constexpr std::int64_t kTotal = 1'000'000;
  constexpr std::uint64_t kHashes = std::uint64_t{1} << 32;
  database_.create(testing::simple_request("bounds"));
  const TablePtr table = *database_.engine.catalog.find("bounds");
  // Keys whose hash is the first or the last of a segment; one in some 2,000 is.
  std::map<std::string, std::int64_t> segment_of;
  int firsts = 0;
  int lasts = 0;
  for (int number = 0; (firsts < 5 || lasts < 5) && number < 1'000'000; ++number) {
    const std::string text = "key-" + std::to_string(number);
    base::Arena arena;
    const Item key = {{"pk", S(text)}};
    const std::string_view row_key = table_row_key(*table, *check_key(*table, key, arena), arena);
    std::uint64_t hash = 0;
    for (const char byte : row_key.substr(5, 4)) hash = hash << 8 | static_cast<unsigned char>(byte);
    const std::uint64_t segment = hash * kTotal / kHashes;
    const bool first = hash != 0 && (hash - 1) * kTotal / kHashes != segment;
    const bool last = (hash + 1) * kTotal / kHashes != segment;
    if (!first && !last) continue;
    (first ? firsts : lasts) += 1;
    segment_of[text] = static_cast<std::int64_t>(segment);
    ASSERT_TRUE(database_.put("bounds", {{"pk", S(text)}}).has_value());
  }
  ASSERT_GE(firsts, 5);
  ASSERT_GE(lasts, 5);
  ScanRequest request;
  request.page.table_name = "bounds";
  request.total_segments = kTotal;
  for (const auto& [text, segment] : segment_of) {
    for (request.segment = segment - 1; request.segment <= segment + 1; ++request.segment) {
      if (request.segment < 0 || request.segment >= kTotal) continue;
      base::Buffer items;
      const auto page = base::sync_wait(scan(database_.engine, request, items, database_.arena));
      ASSERT_TRUE(page.has_value()) << error_of(page);
      EXPECT_EQ(items.view().find('"' + text + '"') != std::string_view::npos, request.segment == segment) << text << " in " << request.segment;
    }
  }
}

}  // namespace
}  // namespace stator::engine
