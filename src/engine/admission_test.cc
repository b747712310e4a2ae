#include "engine/admission.h"

#include "engine/admission_test_support.h"
#include "engine/batch_get_item.h"
#include "engine/batch_write_item.h"
#include "engine/refresh_capacity.h"
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

std::string_view reason_of_throttle(const Error& error) {
  const auto* detail = dynamic_cast<const capacity::ThrottleDetail*>(error.detail.get());
  return detail != nullptr ? detail->reasons.front().reason : std::string_view("not throttled");
}

TEST(Admission, EnforcesProvisionedWritesAndLetsThemInAgain) {
  Database database(testing::in_mode(CapacityMode::enforce));
  database.create(testing::provisioned_request("t", 5, 5, 5));
  int done = 0;
  Result<WriteOutcome> outcome;
  for (; done < 100; ++done) {
    outcome = database.put("t", {{"pk", S("a")}, {"sk", N("1")}});
    if (!outcome) break;
  }
  EXPECT_EQ(done, 5);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::throughput_exceeded);
  EXPECT_EQ(reason_of_throttle(outcome.error()), "TableWriteProvisionedThroughputExceeded");
  database.clock.advance(1000);
  EXPECT_TRUE(database.put("t", {{"pk", S("a")}, {"sk", N("2")}}).has_value());
}

TEST(Admission, ObservingLetsAllInAndCounts) {
  Database database(testing::in_mode(CapacityMode::observe));
  database.create(testing::provisioned_request("t", 5, 5, 5));
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(database.put("t", {{"pk", S("a")}, {"sk", N("1")}}).has_value());
  }
  const auto all = database.engine.admission.snapshot();
  const auto& side = testing::find(all, "t").table.side(Direction::write);
  EXPECT_EQ(side.consumed, 40);
  EXPECT_EQ(side.would_throttle[static_cast<std::size_t>(capacity::Limit::provisioned)], 15u);
}

TEST(Admission, AnIndexWithoutCapacityThrottlesItsTable) {
  Database database(testing::in_mode(CapacityMode::enforce));
  database.create(testing::provisioned_request("t", 100, 100, 2));
  Result<WriteOutcome> outcome;
  for (int i = 0; i < 3; ++i) {
    outcome = database.put("t", {{"pk", S("a")}, {"sk", N(database.keep(std::to_string(i)))}, {"g", S("x")}});
  }
  ASSERT_FALSE(outcome.has_value());
  const auto* detail = dynamic_cast<const capacity::ThrottleDetail*>(outcome.error().detail.get());
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(detail->reasons.front().reason, "IndexWriteProvisionedThroughputExceeded");
  EXPECT_EQ(detail->reasons.front().resource, "table/t/index/global");
  // Nothing of it was written, and nothing was charged to the table.
  EXPECT_EQ(database.get("t", {{"pk", S("a")}, {"sk", N("2")}}), "");
  EXPECT_EQ(testing::find(database.engine.admission.snapshot(), "t").table.side(Direction::write).consumed, 4);
  EXPECT_TRUE(database.put("t", {{"pk", S("a")}, {"sk", N("9")}}).has_value()) << "not in the index";
}

TEST(Admission, AHotPartitionIsThrottledByItsCeiling) {
  Database database(testing::in_mode(CapacityMode::enforce));
  database.create(testing::sorted_request("t"));  // on-demand: four partitions of 1,000 write units
  Result<WriteOutcome> outcome;
  int done = 0;
  const std::string data(100'000, 'x');
  for (; done < 100; ++done) {
    outcome = database.put("t", {{"pk", S("hot")}, {"sk", N(database.keep(std::to_string(done)))}, {"d", S(data)}});
    if (!outcome) break;
  }
  EXPECT_EQ(done, 11);  // of 98 units each
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code, ErrorCode::throttled);
  EXPECT_EQ(reason_of_throttle(outcome.error()), "TableWriteKeyRangeThroughputExceeded");
}

TEST(Admission, ABatchLeavesOutWhatIsThrottledAndFailsWhenAllIs) {
  Database database(testing::in_mode(CapacityMode::enforce));
  database.create(testing::provisioned_request("t", 4, 4, 4));
  std::vector<Item> items;
  for (int i = 0; i < 10; ++i) {
    items.push_back({{"pk", S("a")}, {"sk", N(database.keep(std::to_string(i)))}});
  }
  std::vector<BatchWrite> writes;
  for (const Item& item : items) writes.push_back({"t", item, true});
  const auto written = sync_wait(batch_write_item(database.engine, writes, false, database.arena));
  ASSERT_TRUE(written.has_value()) << error_of(written);
  EXPECT_EQ(written->unprocessed, (std::vector<std::size_t>{4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(written->outcomes[3].consumed.total(), 2);
  EXPECT_EQ(written->outcomes[4].consumed.total(), 0);
  EXPECT_EQ(database.get("t", items[2]), R"({"pk":{"S":"a"},"sk":{"N":"2"}})");
  const auto none = sync_wait(batch_write_item(database.engine, writes, false, database.arena));
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::throughput_exceeded);

  std::vector<item::Attributes> keys(items.begin(), items.end());
  BatchGetTable table;
  table.table_name = "t";
  table.keys = keys;
  const auto read = sync_wait(batch_get_item(database.engine, {&table, 1}, database.arena));
  ASSERT_TRUE(read.has_value()) << error_of(read);
  // Half a unit was consumed above; seven of the ten keys at half a unit fit into what is left of four.
  EXPECT_EQ(read->front().unprocessed.size(), 3u);
  EXPECT_TRUE(read->front().throttled);
  const auto no_keys = sync_wait(batch_get_item(database.engine, {&table, 1}, database.arena));
  ASSERT_FALSE(no_keys.has_value());
  EXPECT_EQ(reason_of_throttle(no_keys.error()), "TableReadProvisionedThroughputExceeded");
}

TEST(Admission, APageEndsWhereTheCapacityDoes) {
  for (const CapacityMode mode : {CapacityMode::observe, CapacityMode::enforce}) {
    Database database(testing::in_mode(mode));
    database.create(testing::provisioned_request("t", 10, 10'000, 10'000));
    const std::string data(4000, 'x');
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(
          database.put("t", {{"pk", S("a")}, {"sk", N(database.keep(std::to_string(i)))}, {"d", S(data)}}).has_value());
    }
    QueryRequest request;
    const Item values = {{":v", S("a")}};
    request.page.table_name = "t";
    request.key_condition = "pk = :v";
    request.page.parameters.values = values;
    const auto page = database.query(request);
    ASSERT_TRUE(page.has_value()) << error_of(page);
    const auto all = database.engine.admission.snapshot();
    const auto& side = testing::find(all, "t").table.side(Direction::read);
    if (mode == CapacityMode::observe) {
      EXPECT_EQ(page->page.count, 40);
      EXPECT_EQ(side.throttles(), 1u);
      EXPECT_EQ(side.consumed, page->page.consumed.total());
      continue;
    }
    // Ten units are twenty rows of half a unit; the first 20 * 4096 bytes of rows that are a little smaller.
    EXPECT_EQ(page->page.count, 20);
    EXPECT_EQ(page->page.consumed.total(), 20);
    EXPECT_FALSE(page->page.last_key_text.empty());
    const auto refused = database.query(request);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(reason_of_throttle(refused.error()), "TableReadProvisionedThroughputExceeded");
    database.clock.advance(10'000);
    const Item start = database.attributes(page->page.last_key_text);
    request.page.start_key = start;
    const auto rest = database.query(request);
    ASSERT_TRUE(rest.has_value()) << error_of(rest);
    EXPECT_EQ(rest->page.count, 20);
  }
}

TEST(Admission, AThrottledTransactionIsCanceledAndChargesNothing) {
  Database database(testing::in_mode(CapacityMode::enforce));
  database.create(testing::provisioned_request("t", 5, 5, 5));
  database.create(testing::provisioned_request("poor", 1, 1, 1));
  ASSERT_TRUE(database.put("poor", {{"pk", S("a")}, {"sk", N("1")}}).has_value());
  const Item item = {{"pk", S("a")}, {"sk", N("1")}};
  std::vector<TransactAction> actions(2);
  actions[0].table_name = "t";
  actions[1].table_name = "poor";
  actions[0].attributes = actions[1].attributes = item;
  TransactWriteRequest request;
  request.actions = actions;
  const auto written = sync_wait(transact_write_items(database.engine, request, database.arena));
  ASSERT_FALSE(written.has_value());
  const auto* canceled = dynamic_cast<const TransactionCanceledDetail*>(written.error().detail.get());
  ASSERT_NE(canceled, nullptr) << error_of(written);
  EXPECT_EQ(canceled->reasons[0].code, "None");
  EXPECT_EQ(canceled->reasons[1].code, "ProvisionedThroughputExceeded");
  EXPECT_EQ(database.get("t", item), "");
  EXPECT_EQ(testing::find(database.engine.admission.snapshot(), "t").table.side(Direction::write).consumed, 0);
}

TEST(Admission, ATagGoesBeforeTheModeOfTheServer) {
  Database database(testing::in_mode(CapacityMode::observe));
  CreateTableRequest request = testing::provisioned_request("strict", 1, 1, 1);
  request.tags = {{"stator:capacity", "enforce"}};
  database.create(request);
  request = testing::provisioned_request("free", 1, 1, 1);
  request.tags = {{"stator:capacity", "off"}};
  database.create(request);
  const Item item = {{"pk", S("a")}, {"sk", N("1")}};
  ASSERT_TRUE(database.put("strict", item).has_value());
  EXPECT_FALSE(database.put("strict", item).has_value());
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(database.put("free", item).has_value());
  EXPECT_EQ(database.engine.admission.snapshot().size(), 1u);
}

TEST(Admission, ForgetsTablesThatWereDropped) {
  Database database(testing::in_mode(CapacityMode::observe));
  database.create(testing::simple_request("gone"));
  database.create(testing::simple_request("kept"));
  ASSERT_TRUE(database.put("gone", {{"pk", S("a")}}).has_value());
  ASSERT_TRUE(database.put("kept", {{"pk", S("a")}}).has_value());
  ASSERT_TRUE(sync_wait(database.engine.catalog.drop("gone", 0)).has_value());
  database.engine.admission.forget_dropped(database.engine.catalog);
  const auto all = database.engine.admission.snapshot();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.front().table_name, "kept");
}

TEST(Admission, ACopyOfATableStartsWithoutAMeter) {
  Database database(testing::in_mode(CapacityMode::observe));
  const TablePtr table = database.create(testing::simple_request("t"));
  ASSERT_TRUE(database.put("t", {{"pk", S("a")}}).has_value());
  const Result<TablePtr> used = database.engine.catalog.find("t");
  ASSERT_TRUE(used.has_value());
  EXPECT_NE((*used)->meter.get(), nullptr);
  const Table copy = **used;
  EXPECT_EQ(copy.meter.get(), nullptr);
}

}  // namespace
}  // namespace stator::engine
