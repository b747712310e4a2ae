#include "engine/admission.h"

#include <random>

#include "engine/batch_get_item.h"
#include "engine/batch_write_item.h"
#include "engine/refresh_capacity.h"
#include "engine/tags.h"
#include "engine/test_support.h"
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

EngineOptions in_mode(CapacityMode mode) {
  EngineOptions options;
  options.capacity.mode = mode;
  return options;
}

// pk:S sk:N, provisioned, with a global index on g:S and a local one on l:S.
CreateTableRequest provisioned_request(std::string_view name, std::int64_t read, std::int64_t write,
                                       std::int64_t index_write) {
  CreateTableRequest request = testing::table_request(name,
                                                      {{"pk", item::Type::string},
                                                       {"sk", item::Type::number},
                                                       {"g", item::Type::string},
                                                       {"l", item::Type::string}},
                                                      {"pk", "sk"});
  request.billing = BillingMode::provisioned;
  request.throughput = ThroughputInput{read, write};
  request.global_indexes = {testing::index_input("global", {"g"})};
  request.global_indexes->front().throughput = ThroughputInput{read, index_write};
  request.local_indexes = {testing::index_input("local", {"pk", "l"}, ProjectionKind::keys_only)};
  return request;
}

const capacity::TableCapacity::Snapshot& find(const std::vector<capacity::TableCapacity::Snapshot>& all,
                                              std::string_view name) {
  return *std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.table_name == name; });
}

std::string_view reason_of_throttle(const Error& error) {
  const auto* detail = dynamic_cast<const capacity::ThrottleDetail*>(error.detail.get());
  return detail != nullptr ? detail->reasons.front().reason : std::string_view("not throttled");
}

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
    Database database(in_mode(mode));
    // So much that nothing is refused; observing is done beyond all limits.
    const std::int64_t units = mode == CapacityMode::enforce ? 1'000'000 : 1;
    database.create(provisioned_request("t", units, units, units));
    Workload workload(database, 7);
    for (int i = 0; i < 3000; ++i) {
      workload.step();
      if (::testing::Test::HasFatalFailure()) return;
      database.clock.advance(100);
    }
    const auto all = database.engine.admission.snapshot(true);
    const auto& table = find(all, "t");
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

TEST(Admission, EnforcesProvisionedWritesAndLetsThemInAgain) {
  Database database(in_mode(CapacityMode::enforce));
  database.create(provisioned_request("t", 5, 5, 5));
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
  Database database(in_mode(CapacityMode::observe));
  database.create(provisioned_request("t", 5, 5, 5));
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(database.put("t", {{"pk", S("a")}, {"sk", N("1")}}).has_value());
  }
  const auto all = database.engine.admission.snapshot();
  const auto& side = find(all, "t").table.side(Direction::write);
  EXPECT_EQ(side.consumed, 40);
  EXPECT_EQ(side.would_throttle[static_cast<std::size_t>(capacity::Limit::provisioned)], 15u);
}

TEST(Admission, AnIndexWithoutCapacityThrottlesItsTable) {
  Database database(in_mode(CapacityMode::enforce));
  database.create(provisioned_request("t", 100, 100, 2));
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
  EXPECT_EQ(find(database.engine.admission.snapshot(), "t").table.side(Direction::write).consumed, 4);
  EXPECT_TRUE(database.put("t", {{"pk", S("a")}, {"sk", N("9")}}).has_value()) << "not in the index";
}

TEST(Admission, AHotPartitionIsThrottledByItsCeiling) {
  Database database(in_mode(CapacityMode::enforce));
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
  Database database(in_mode(CapacityMode::enforce));
  database.create(provisioned_request("t", 4, 4, 4));
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
    Database database(in_mode(mode));
    database.create(provisioned_request("t", 10, 10'000, 10'000));
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
    const auto& side = find(all, "t").table.side(Direction::read);
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
  Database database(in_mode(CapacityMode::enforce));
  database.create(provisioned_request("t", 5, 5, 5));
  database.create(provisioned_request("poor", 1, 1, 1));
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
  EXPECT_EQ(find(database.engine.admission.snapshot(), "t").table.side(Direction::write).consumed, 0);
}

TEST(Admission, ATagGoesBeforeTheModeOfTheServer) {
  Database database(in_mode(CapacityMode::observe));
  CreateTableRequest request = provisioned_request("strict", 1, 1, 1);
  request.tags = {{"stator:capacity", "enforce"}};
  database.create(request);
  request = provisioned_request("free", 1, 1, 1);
  request.tags = {{"stator:capacity", "off"}};
  database.create(request);
  const Item item = {{"pk", S("a")}, {"sk", N("1")}};
  ASSERT_TRUE(database.put("strict", item).has_value());
  EXPECT_FALSE(database.put("strict", item).has_value());
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(database.put("free", item).has_value());
  EXPECT_EQ(database.engine.admission.snapshot().size(), 1u);
}

TEST(Admission, ForgetsTablesThatWereDropped) {
  Database database(in_mode(CapacityMode::observe));
  database.create(testing::simple_request("gone"));
  database.create(testing::simple_request("kept"));
  ASSERT_TRUE(database.put("gone", {{"pk", S("a")}}).has_value());
  ASSERT_TRUE(database.put("kept", {{"pk", S("a")}}).has_value());
  ASSERT_TRUE(sync_wait(database.engine.catalog.drop("gone", 0)).has_value());
  ASSERT_TRUE(sync_wait(refresh_capacity(database.engine)).has_value());
  const auto all = database.engine.admission.snapshot();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.front().table_name, "kept");
}

TEST(Admission, ACopyOfATableStartsWithoutAMeter) {
  Database database(in_mode(CapacityMode::observe));
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
