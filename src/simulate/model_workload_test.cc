#include "simulate/model_workload.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "design/load.h"
#include "simulate/report.h"
#include "simulate/run.h"

namespace stator::simulate {
namespace {

using capacity::Direction;

// Events of shipments: a busy pallet takes 60 % of 2,500 writes a second.
std::string shipments_model(std::string_view partition_key, std::string_view share) {
  return fmt::format(R"(stator_model: 1
name: shipments
table:
  name: shipments
  partition_key: PK
  sort_key: SK
  capacity: {{mode: provisioned, read: 2000, write: 6000}}
indexes:
  GSI1:
    partition_key: GSI1PK
    sort_key: GSI1SK
    projection: keys_only
    capacity: {{mode: provisioned, read: 100, write: 4000}}
entities:
  Shipment:
    count: 10k
    attributes:
      shipmentId: {{format: id, unique: true, stored: false, size: 8}}
      carrier: {{size: 400}}
    keys: {{PK: "SHIPMENT#{{shipmentId}}", SK: PROFILE}}
  Event:
    attributes:
      shipmentId: {{format: id, stored: false, size: 8}}
      eventId: {{format: id, unique: true, stored: false, size: 8}}
      at: {{format: datetime}}
      station: {{size: 300, distinct: 500}}
    keys:
      PK: "{}"
      SK: "EVENT#{{at}}#{{eventId}}"
      GSI1PK: "STATION#{{station}}"
      GSI1SK: "{{at}}"
relationships:
  events:
    parent: Shipment
    child: Event
    by: shipmentId
    children: {{average: 50}}
patterns:
  record:
    kind: put
    entity: Event
    rate: {{average: 500, peak: 2500}}
{}
)",
                     partition_key, share);
}

Result<Workload> workload(const std::string& text, bool ignore_shards = false) {
  const design::Loaded loaded = design::load_text(text, "shipments.yaml");
  for (const design::Problem& problem : loaded.problems) ADD_FAILURE() << design::problem_text(problem);
  return workload_of(loaded.model, ignore_shards);
}

TEST(ModelWorkload, TakesTargetsRatesAndCostsFromTheModel) {
  const Result<Workload> made = workload(shipments_model("SHIPMENT#{shipmentId}", "    hottest_share: 60%"));
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(2U, made->targets.size());
  EXPECT_EQ("shipments/GSI1", made->targets[1].name());
  EXPECT_EQ((capacity::Throughput{2000, 6000}), made->targets[0].settings.provisioned);
  EXPECT_EQ((capacity::Throughput{100, 4000}), made->targets[1].settings.provisioned);
  ASSERT_EQ(1U, made->streams.size());
  EXPECT_EQ(2500, made->streams[0].peak);
  ASSERT_EQ(2U, made->streams[0].touches.size());
  const Touch& write = made->streams[0].touches[0];
  EXPECT_EQ(2, write.cost) << "less than 1 KB";
  EXPECT_EQ(ItemChoice::ascending, write.items);
  EXPECT_DOUBLE_EQ(0.6, write.keys.hottest_share);
  EXPECT_DOUBLE_EQ(10'000, write.keys.distinct);
  EXPECT_DOUBLE_EQ(500, made->streams[0].touches[1].keys.distinct);
}

Outcome play_peak(const std::string& text, bool ignore_shards = false) {
  Result<Workload> made = workload(text, ignore_shards);
  EXPECT_TRUE(made);
  made->profile = Profile::peak;
  made->duration_s = 120;
  SyntheticSource source(std::move(*made));
  return *run(source, {});
}

TEST(ModelWorkload, ShowsTheShipmentsThrottlesAndTheirCure) {
  const Outcome before = play_peak(shipments_model("SHIPMENT#{shipmentId}", "    hottest_share: 60%"));
  EXPECT_GT(before.throttled, 120U * 300);
  EXPECT_EQ(before.throttled, throttles_of(before.targets[0], Direction::write, capacity::Limit::key_range));
  EXPECT_EQ("SHIPMENT#{shipmentId} (the busiest)", worst_keys(before, 1).at(0)->name);

  // The busiest shipment over ten shards: 6 % of the writes on each.
  const Outcome after =
      play_peak(shipments_model("SHIPMENT#{shipmentId}#{shard(eventId, 10)}", "    hottest_share: 6%"));
  EXPECT_EQ(0U, after.throttled);

  const Outcome undone =
      play_peak(shipments_model("SHIPMENT#{shipmentId}#{shard(eventId, 10)}", "    hottest_share: 6%"), true);
  EXPECT_EQ(before.throttled, undone.throttled) << "without its shards it is the first design again";
  EXPECT_EQ("SHIPMENT#{shipmentId} (the busiest)", worst_keys(undone, 1).at(0)->name);
}

TEST(ModelWorkload, NeedsARate) {
  design::Loaded loaded = design::load_text(shipments_model("SHIPMENT#{shipmentId}", ""), "shipments.yaml");
  ASSERT_TRUE(loaded.ok());
  loaded.model.patterns[0].rate = {};
  const Result<Workload> made = workload_of(loaded.model);
  ASSERT_FALSE(made);
  EXPECT_NE(std::string::npos, made.error().message.find("rate"));
}

}  // namespace
}  // namespace stator::simulate
