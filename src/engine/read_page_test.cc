// What Query and Scan have in common: indexes, projections, filters, Select.

#include "engine/read_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/test_support.h"

namespace stator::engine {
namespace {

using testing::Database;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

class ReadPage : public ::testing::Test {
 protected:
  ReadPage() {
    database_.create(testing::indexed_request("t"));
    put({{"pk", S("p")},
         {"sk", N("1")},
         {"l", S("b")},
         {"g", S("x")},
         {"h", N("2")},
         {"a", S("A")},
         {"c", S("C")}});
    put({{"pk", S("p")}, {"sk", N("2")}, {"l", S("a")}, {"g", S("x")}, {"h", N("1")}});
    put({{"pk", S("p")}, {"sk", N("3")}, {"c", S("only in the table")}});
  }
  void put(const Item& item) {
    const auto done = database_.put("t", item);
    ASSERT_TRUE(done.has_value()) << error_of(done);
  }
  QueryRequest query_of(std::string_view index) { return testing::query_of(index, values_); }
  std::string items(const QueryRequest& request) {
    const auto answer = database_.query(request);
    return answer ? answer->items : error_of(answer);
  }

  Item values_;
  Database database_;
};

TEST_F(ReadPage, OfAnIndexIsInItsOrderAndSparse) {
  EXPECT_EQ(items(query_of("local_keys")), R"({"pk":{"S":"p"},"sk":{"N":"2"},"l":{"S":"a"}},)"
                                           R"({"pk":{"S":"p"},"sk":{"N":"1"},"l":{"S":"b"}})");
  EXPECT_EQ(items(query_of("global_all")),
            R"({"pk":{"S":"p"},"sk":{"N":"2"},"l":{"S":"a"},"g":{"S":"x"},"h":{"N":"1"}},)"
            R"({"pk":{"S":"p"},"sk":{"N":"1"},"l":{"S":"b"},"g":{"S":"x"},"h":{"N":"2"},)"
            R"("a":{"S":"A"},"c":{"S":"C"}})");
}

TEST_F(ReadPage, OfAGlobalIndexHoldsWhatItProjects) {
  EXPECT_EQ(items(query_of("global_keys")), R"({"pk":{"S":"p"},"sk":{"N":"1"},"g":{"S":"x"}},)"
                                            R"({"pk":{"S":"p"},"sk":{"N":"2"},"g":{"S":"x"}})");
  EXPECT_EQ(items(query_of("global_some")),
            R"({"pk":{"S":"p"},"sk":{"N":"1"},"g":{"S":"x"},"a":{"S":"A"}},)"
            R"({"pk":{"S":"p"},"sk":{"N":"2"},"g":{"S":"x"}})");
}

TEST_F(ReadPage, OfAGlobalIndexCannotGiveMore) {
  QueryRequest request = query_of("global_some");
  request.page.select = Select::all_attributes;
  EXPECT_EQ(
      items(request),
      "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported "
      "for global secondary index global_some because its projection type is not ALL");
  request.page.select.reset();
  request.page.projection = "a, c, pk";
  EXPECT_EQ(
      items(request),
      "One or more parameter values were invalid: Global secondary index global_some does not "
      "project [c]");
  request.page.projection = "a, pk";
  EXPECT_EQ(items(request), R"({"pk":{"S":"p"},"a":{"S":"A"}},{"pk":{"S":"p"}})");
  request = query_of("global_all");
  request.page.select = Select::all_attributes;
  EXPECT_NE(items(request).find(R"("c":{"S":"C"})"), std::string::npos);
}

TEST_F(ReadPage, OfAGlobalIndexCannotBeConsistent) {
  QueryRequest request = query_of("global_all");
  request.page.consistent = true;
  EXPECT_EQ(items(request), "Consistent reads are not supported on global secondary indexes");
  request = query_of("absent");
  EXPECT_EQ(items(request), "The table does not have the specified index: absent");
}

TEST_F(ReadPage, OfALocalIndexFetchesWhatItLacksForARead) {
  QueryRequest request = query_of("local_keys");
  const auto lean = database_.query(request);
  ASSERT_TRUE(lean.has_value()) << error_of(lean);
  EXPECT_EQ(lean->page.consumed.table_cost, 0);
  EXPECT_EQ(lean->page.consumed.total(), 1);

  request.page.select = Select::all_attributes;
  const auto fetched = database_.query(request);
  ASSERT_TRUE(fetched.has_value()) << error_of(fetched);
  EXPECT_EQ(fetched->items,
            R"({"pk":{"S":"p"},"sk":{"N":"2"},"l":{"S":"a"},"g":{"S":"x"},"h":{"N":"1"}},)"
            R"({"pk":{"S":"p"},"sk":{"N":"1"},"l":{"S":"b"},"g":{"S":"x"},"h":{"N":"2"},)"
            R"("a":{"S":"A"},"c":{"S":"C"}})");
  // Half a unit for the index and half a unit for each item.
  EXPECT_EQ(fetched->page.consumed.table_cost, 2);
  EXPECT_EQ(fetched->page.consumed.total(), 3);

  request.page.consistent = true;
  EXPECT_EQ(database_.query(request)->page.consumed.total(), 6);
  request.page.consistent = false;
  request.page.select.reset();
  request.page.projection = "c";
  EXPECT_EQ(items(request), R"({},{"c":{"S":"C"}})");
  EXPECT_EQ(database_.query(request)->page.consumed.total(), 3);
  request.page.projection = "l, sk";
  EXPECT_EQ(database_.query(request)->page.consumed.total(), 1);
}

TEST_F(ReadPage, FiltersAfterCountingWhatItRead) {
  QueryRequest request = query_of("");
  values_.push_back({":c", S("C")});
  request.page.parameters.values = values_;
  request.page.filter = "c = :c";
  const auto answer = database_.query(request);
  ASSERT_TRUE(answer.has_value()) << error_of(answer);
  EXPECT_EQ(answer->page.count, 1);
  EXPECT_EQ(answer->page.scanned_count, 3);
  request.page.limit = 1;
  request.forward = false;
  const auto limited = database_.query(request);
  EXPECT_EQ(limited->page.count, 0);
  EXPECT_EQ(limited->page.scanned_count, 1);
  EXPECT_EQ(limited->page.last_key_text, R"({"pk":{"S":"p"},"sk":{"N":"3"}})");
}

TEST_F(ReadPage, CannotFilterByTheKeyOfWhatIsQueried) {
  QueryRequest request = query_of("");
  request.page.filter = "attribute_exists(sk)";
  EXPECT_EQ(items(request),
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: "
            "sk");
  request = query_of("global_all");
  request.page.filter = "attribute_exists(sk)";
  EXPECT_EQ(database_.query(request)->page.count, 2);
}

TEST_F(ReadPage, OfAnIndexCannotBeFilteredByWhatItDoesNotHold) {
  for (const std::string_view index : {"local_keys", "global_keys"}) {
    QueryRequest request = query_of(index);
    request.page.filter = "attribute_exists(c) OR attribute_exists(a)";
    EXPECT_EQ(items(request),
              fmt::format("One or more parameter values were invalid: Secondary index {} does not project one or more "
                          "filter attributes: [a, c]",
                          index));
  }
}

TEST_F(ReadPage, CountsWithoutItems) {
  QueryRequest request = query_of("");
  request.page.select = Select::count;
  const auto answer = database_.query(request);
  ASSERT_TRUE(answer.has_value()) << error_of(answer);
  EXPECT_EQ(answer->page.count, 3);
  EXPECT_FALSE(answer->page.has_items);
  EXPECT_EQ(answer->items, "");
}

TEST_F(ReadPage, OfAnIndexStartsBehindTableAndIndexKey) {
  for (const std::string_view index : {"local_keys", "local_all", "global_all", "global_keys"}) {
    QueryRequest request = query_of(index);
    const std::string all = items(request);
    request.page.limit = 1;
    std::string pages;
    Item start;
    for (int i = 0; i < 4; ++i) {
      const auto answer = database_.query(request);
      ASSERT_TRUE(answer.has_value()) << error_of(answer);
      if (!answer->items.empty()) pages += (pages.empty() ? "" : ",") + answer->items;
      if (answer->page.last_key_text.empty()) break;
      start = database_.attributes(answer->page.last_key_text);
      request.page.start_key = start;
    }
    EXPECT_EQ(pages, all) << index;
  }
  QueryRequest request = query_of("global_all");
  request.page.limit = 1;
  EXPECT_EQ(database_.query(request)->page.last_key_text,
            R"({"pk":{"S":"p"},"sk":{"N":"2"},"g":{"S":"x"},"h":{"N":"1"}})");
}

TEST_F(ReadPage, ScansAnIndex) {
  ScanRequest request;
  request.page.table_name = "t";
  request.page.index_name = "global_keys";
  const auto answer = database_.scan(request);
  ASSERT_TRUE(answer.has_value()) << error_of(answer);
  EXPECT_EQ(answer->items, R"({"pk":{"S":"p"},"sk":{"N":"1"},"g":{"S":"x"}},)"
                           R"({"pk":{"S":"p"},"sk":{"N":"2"},"g":{"S":"x"}})");
}

}  // namespace
}  // namespace stator::engine
