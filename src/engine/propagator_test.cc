#include "engine/propagator.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "engine/outbox_test_support.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using testing::Database;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

class PropagatorTest : public ::testing::Test {
 protected:
  PropagatorTest() { table_ = database_.create(testing::indexed_request("t")); }

  // Puts, changes and deletes of a few items, from one thread.
  void write(unsigned seed, int count) {
    std::mt19937 random(seed);
    for (int i = 0; i < count; ++i) {
      base::Arena arena;
      const std::string sort = std::to_string(random() % 20);
      const std::string group = std::to_string(random() % 5);
      const std::string number = std::to_string(random() % 3);
      Item item = {{"pk", S("a")}, {"sk", N(sort)}};
      if (random() % 5 == 0) {
        DeleteItemRequest request;
        request.table_name = "t";
        request.key = item;
        ASSERT_TRUE(sync_wait(delete_item(database_.engine, request, arena)).has_value());
        continue;
      }
      if (random() % 4 != 0) item.push_back({"g", S(group)});
      if (random() % 2 != 0) item.push_back({"h", N(number)});
      PutItemRequest request;
      request.table_name = "t";
      request.item = item;
      ASSERT_TRUE(sync_wait(put_item(database_.engine, request, arena)).has_value());
    }
  }

  Database database_{testing::outbox_options()};
  TablePtr table_;
};

TEST_F(PropagatorTest, LeavesIndexesEqualToTheTableAfterConcurrentWrites) {
  {
    const Propagator propagator(database_.engine);
    std::vector<std::thread> writers;
    for (unsigned seed = 0; seed < 4; ++seed) writers.emplace_back([this, seed] { write(seed, 500); });
    for (std::thread& writer : writers) writer.join();
  }
  testing::expect_indexes_equal_table(*database_.store, *table_);
  EXPECT_TRUE(testing::outbox_rows(*database_.store, table_->id).empty());
  EXPECT_TRUE(testing::outbox_marks(*database_.store).empty());
}

TEST_F(PropagatorTest, LetsAClientFindItsWritesInAnIndex) {
  const Propagator propagator(database_.engine);
  for (int i = 0; i < 200; ++i) {
    const std::string group = std::to_string(i);
    ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"sk", N("1")}, {"g", S(group)}}).has_value());
    const Item values = {{":g", S(group)}};
    QueryRequest request;
    request.page.table_name = "t";
    request.page.index_name = "global_keys";
    request.page.parameters.values = values;
    request.key_condition = "g = :g";
    const auto page = database_.query(request);
    ASSERT_TRUE(page.has_value()) << error_of(page);
    ASSERT_EQ(page->page.count, 1) << i;
  }
}

}  // namespace
}  // namespace stator::engine
