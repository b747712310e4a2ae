// The meters against the answers: many operations at random, and what each says that it consumed.

#include <random>

#include "engine/admission_test_support.h"
#include "engine/batch_get_item.h"
#include "engine/batch_write_item.h"
#include "engine/transact_get_items.h"
#include "engine/transact_write_items.h"

namespace stator::engine {
namespace {

using base::sync_wait;
using capacity::Direction;
using testing::Database;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

// What the answers of many operations say they consumed, to be compared with the meters.
class Sums {
 public:
  void add(const ConsumedCapacity& consumed, bool reads) {
    HalfUnits& own = reads ? table_read : table_write;
    own += consumed.table_cost;
    for (const auto& [index, cost] : consumed.indexes) {
      if (index->kind == IndexKind::local) {
        own += cost;
      } else {
        (reads ? index_read : index_write) += cost;
      }
    }
  }
  HalfUnits table_read = 0;
  HalfUnits table_write = 0;
  HalfUnits index_read = 0;
  HalfUnits index_write = 0;
};

class Workload {
 public:
  Workload(Database& database, std::uint32_t seed) : database_(database), random_(seed) {}

  void step() {
    database_.arena.reset();
    switch (random_() % 9) {
      case 0:
      case 1: return put();
      case 2: return update();
      case 3: return remove();
      case 4: return get();
      case 5: return query();
      case 6: return batch();
      case 7: return transaction();
      default: return scan();
    }
  }
  Sums sums;

 private:
  Item key() {
    return {{"pk", S(database_.keep("p" + std::to_string(random_() % 4)))},
            {"sk", N(database_.keep(std::to_string(random_() % 8)))}};
  }
  Item item() {
    Item item = key();
    if (random_() % 2 == 0) item.push_back({"g", S(database_.keep("g" + std::to_string(random_() % 3)))});
    if (random_() % 2 == 0) item.push_back({"l", S(database_.keep("l" + std::to_string(random_() % 3)))});
    item.push_back({"data", S(database_.keep(std::string(random_() % 6000, 'x')))});
    return item;
  }
  void note_write(const Result<WriteOutcome>& outcome) {
    if (outcome) return sums.add(outcome->consumed, false);
    const auto* failed = dynamic_cast<const ConditionFailedDetail*>(outcome.error().detail.get());
    ASSERT_NE(failed, nullptr) << error_of(outcome);
    sums.table_write += failed->cost;
  }
  void put() {
    note_write(random_() % 3 == 0 ? database_.put("t", item(), {"attribute_not_exists(pk)", {}})
                                  : database_.put("t", item()));
  }
  void update() {
    const Result<UpdateOutcome> outcome = database_.update("t", key(), {"SET g = :g", {{":g", S("g9")}}});
    ASSERT_TRUE(outcome.has_value()) << error_of(outcome);
    sums.add(outcome->write.consumed, false);
  }
  void remove() { note_write(database_.remove("t", key())); }
  void get() {
    GetItemRequest request;
    const Item wanted = key();
    request.table_name = "t";
    request.key = wanted;
    request.consistent = random_() % 2 == 0;
    const Result<GetItemResult> result = sync_wait(get_item(database_.engine, request, database_.arena));
    ASSERT_TRUE(result.has_value()) << error_of(result);
    sums.add(result->consumed, true);
  }
  void query() {
    const std::uint32_t target = static_cast<std::uint32_t>(random_() % 3);
    QueryRequest request;
    const Item values = {{":v", S(target == 1 ? "g1" : "p1")}};
    request.page.table_name = "t";
    if (target == 1) request.page.index_name = "global";
    if (target == 2) request.page.index_name = "local";
    if (target == 2) request.page.select = Select::all_attributes;  // fetched from the table, at a price
    request.key_condition = target == 1 ? "g = :v" : "pk = :v";
    request.page.parameters.values = values;
    request.page.consistent = target != 1 && random_() % 2 == 0;
    const auto page = database_.query(request);
    ASSERT_TRUE(page.has_value()) << error_of(page);
    sums.add(page->page.consumed, true);
  }
  void scan() {
    ScanRequest request;
    request.page.table_name = "t";
    request.page.limit = static_cast<std::int64_t>(random_() % 10 + 1);
    const auto page = database_.scan(request);
    ASSERT_TRUE(page.has_value()) << error_of(page);
    sums.add(page->page.consumed, true);
  }
  void batch() {
    const Item one = item();
    Item other = item();
    other[0].value = S("other");
    const std::vector<BatchWrite> writes = {{"t", one, true}, {"t", other, true}};
    const auto written = sync_wait(batch_write_item(database_.engine, writes, false, database_.arena));
    ASSERT_TRUE(written.has_value()) << error_of(written);
    for (const WriteOutcome& outcome : written->outcomes) sums.add(outcome.consumed, false);
    const std::vector<item::Attributes> keys = {item::Attributes(one).first(2), item::Attributes(other).first(2)};
    BatchGetTable table;
    table.table_name = "t";
    table.keys = keys;
    const auto read = sync_wait(batch_get_item(database_.engine, {&table, 1}, database_.arena));
    ASSERT_TRUE(read.has_value()) << error_of(read);
    sums.add(read->front().consumed, true);
  }
  void transaction() {
    const Item one = item();
    const Item checked = {{"pk", S("other")}, {"sk", N("1")}};
    std::vector<TransactAction> actions(2);
    actions[0].table_name = actions[1].table_name = "t";
    actions[0].attributes = one;
    actions[1].kind = TransactKind::check;
    actions[1].attributes = checked;
    actions[1].condition = "attribute_not_exists(nothing)";
    TransactWriteRequest request;
    request.actions = actions;
    const auto written = sync_wait(transact_write_items(database_.engine, request, database_.arena));
    ASSERT_TRUE(written.has_value()) << error_of(written);
    for (const WriteOutcome& outcome : written->outcomes) sums.add(outcome.consumed, false);
    TransactGet get;
    get.table_name = "t";
    get.key = checked;
    const auto read = sync_wait(transact_get_items(database_.engine, {&get, 1}, database_.arena));
    ASSERT_TRUE(read.has_value()) << error_of(read);
    sums.add(read->front().consumed, true);
  }

  Database& database_;
  std::mt19937 random_;
};

TEST(Admission, MetersAgreeWithTheAnswersToTheHalfUnit) {
  for (const CapacityMode mode : {CapacityMode::observe, CapacityMode::enforce}) {
    Database database(testing::in_mode(mode));
    // So much that nothing is refused; observing is done beyond all limits.
    const std::int64_t units = mode == CapacityMode::enforce ? 1'000'000 : 1;
    database.create(testing::provisioned_request("t", units, units, units));
    Workload workload(database, 7);
    for (int i = 0; i < 3000; ++i) {
      workload.step();
      if (::testing::Test::HasFatalFailure()) return;
      database.clock.advance(100);
    }
    const auto all = database.engine.admission.snapshot(true);
    const auto& table = testing::find(all, "t");
    EXPECT_EQ(table.table.side(Direction::read).consumed, workload.sums.table_read);
    EXPECT_EQ(table.table.side(Direction::write).consumed, workload.sums.table_write);
    const auto& index = table.indexes.front().second;
    EXPECT_EQ(index.side(Direction::read).consumed, workload.sums.index_read);
    EXPECT_EQ(index.side(Direction::write).consumed, workload.sums.index_write);
    for (const Direction direction : {Direction::read, Direction::write}) {
      HalfUnits of_partitions = 0;
      for (const auto& partition : table.table.partitions) {
        of_partitions += partition.sides[static_cast<std::size_t>(direction)].consumed;
      }
      EXPECT_EQ(of_partitions, table.table.side(direction).consumed);
      EXPECT_EQ(table.table.side(direction).throttles() > 0, mode == CapacityMode::observe);
    }
  }
}

}  // namespace
}  // namespace stator::engine
