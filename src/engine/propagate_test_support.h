#pragma once

#include <gtest/gtest.h>

#include "engine/outbox_test_support.h"
#include "engine/propagate.h"

namespace stator::engine {

// A table with global indexes that follow its items by outbox rows, applied when a test says so.
class Propagate : public ::testing::Test {
 protected:
  Propagate() { database_.create(testing::indexed_request("t")); }

  void put(const char* sort, testing::Item more) {
    testing::Item item = {{"pk", testing::S("a")}, {"sk", testing::N(sort)}};
    item.insert(item.end(), more.begin(), more.end());
    const auto done = database_.put("t", item);
    ASSERT_TRUE(done.has_value()) << testing::error_of(done);
  }
  void remove(const char* sort) {
    ASSERT_TRUE(database_.remove("t", {{"pk", testing::S("a")}, {"sk", testing::N(sort)}}).has_value());
  }
  TablePtr table() { return *database_.engine.catalog.find("t"); }
  Result<void> apply() { return base::sync_wait(propagate_queued(database_.engine)); }
  std::size_t pending() { return testing::outbox_rows(*database_.store, table()->id).size(); }
  void expect_equal() {
    testing::expect_indexes_equal_table(*database_.store, *table());
    EXPECT_EQ(pending(), 0u);
  }
  std::size_t count(std::string_view index, std::string_view group) {
    const testing::Item values = {{":g", testing::S(group)}};
    QueryRequest request;
    request.page.table_name = "t";
    request.page.index_name = index;
    request.page.parameters.values = values;
    request.page.select = Select::count;
    request.key_condition = "g = :g";
    const auto page = database_.query(request);
    EXPECT_TRUE(page.has_value()) << testing::error_of(page);
    return page ? static_cast<std::size_t>(page->page.count) : 0;
  }
  // Everything that is queued, one outbox row at a time and each by itself.
  std::vector<QueuedItem> take_rows() {
    std::vector<QueuedItem> rows;
    while (std::optional<QueuedItem> item = database_.engine.outbox->queue().take(std::chrono::steady_clock::now())) {
      for (QueuedRow& row : item->rows) {
        QueuedItem& one = rows.emplace_back();
        one.table = item->table;
        one.row_key = item->row_key;
        one.rows.push_back(row);
      }
      database_.engine.outbox->queue().done(*item, std::chrono::steady_clock::now());
    }
    return rows;
  }
  testing::HookedStore& hooked() { return static_cast<testing::HookedStore&>(*database_.store); }

  testing::Database database_{std::make_unique<testing::HookedStore>(), testing::outbox_options()};
};

}  // namespace stator::engine
