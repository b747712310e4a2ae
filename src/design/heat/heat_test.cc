#include "design/heat/heat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "design/heat/skew.h"
#include "design/load.h"

namespace stator::design {
namespace {

TEST(Skew, HeadOfZipfIsOneOverTheHarmonicNumber) {
  EXPECT_DOUBLE_EQ(zipf_head_share(1, 1), 1);
  EXPECT_NEAR(zipf_head_share(4, 1), 1 / (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4), 1e-12);
  double harmonic = 0;
  for (int n = 1; n <= 100000; ++n) harmonic += 1.0 / n;
  EXPECT_NEAR(zipf_head_share(100000, 1) * harmonic, 1, 1e-6);
  double sum = 0;
  for (int n = 1; n <= 20000; ++n) sum += std::pow(n, -0.8);
  EXPECT_NEAR(zipf_head_share(20000, 0.8) * sum, 1, 1e-6);
}

TEST(Shards, AreEnoughToStayBelowTheirFill) {
  const HeatOptions options;
  EXPECT_EQ(shards_for(0, 0, options), 1);
  EXPECT_EQ(shards_for(0, 500, options), 1);
  EXPECT_EQ(shards_for(0, 501, options), 2);
  EXPECT_EQ(shards_for(0, 2500, options), 5);
  EXPECT_EQ(shards_for(9000, 100, options), 6);
}

// Everything under one index key, and a table whose keys are even. `now` is a key made of the day.
constexpr const char* kHeatModel = R"(
stator_model: 1
name: board
table: {name: t, partition_key: PK, sort_key: SK, type_attribute: type}
indexes:
  OPEN: {partition_key: OPK, sort_key: OSK, projection: keys_only}
  DAY: {partition_key: DPK, projection: keys_only}
entities:
  Ticket:
    count: 10000
    attributes:
      id: {format: id, unique: true, stored: false, size: 8}
      day: {format: date, stored: false}
    keys: {PK: "TICKET#{id}", SK: META, OPK: ALL, OSK: "{day}#{id}", DPK: "DAY#{day}"}
patterns:
  open: {kind: put, entity: Ticket, rate: {average: 100, peak: 1500}}
  board: {kind: query, index: OPEN, entity: Ticket, key: {OPK: ALL}, limit: 100, rate: 10}
)";

class Board : public ::testing::Test {
 protected:
  void SetUp() override {
    Loaded loaded = load_text(kHeatModel, "board.yaml");
    ASSERT_TRUE(loaded.ok()) << problem_text(loaded.problems.front());
    model_ = std::move(loaded.model);
    report_ = heat_of(model_, {});
  }
  const KeyHeat& key(const std::string& text) const {
    for (const KeyHeat& heat : report_.keys)
      if (heat.key == text) return heat;
    ADD_FAILURE() << text;
    return report_.keys.front();
  }
  Model model_;
  HeatReport report_;
};

TEST_F(Board, OneKeyForEverythingTakesTheWholeLoad) {
  const KeyHeat& all = key("ALL");
  EXPECT_EQ(all.write_peak, 1500);
  EXPECT_EQ(all.write_average, 100);
  EXPECT_EQ(all.verdict, Verdict::hot);
  EXPECT_TRUE(all.ascending);
  EXPECT_NEAR(*all.hot_at, 1000.0 / 1500, 1e-9);
  EXPECT_EQ(all.proposed_shards, 3);
  ASSERT_EQ(all.readers.size(), 1u);
  EXPECT_EQ(all.readers[0].calls_after, 3);
  EXPECT_EQ(all.readers[0].units_after, 3 * all.readers[0].units_before);  // each shard has to be asked for 100 rows
}

TEST_F(Board, HotReadsAreCuredByCopiesNotByShards) {
  for (Pattern& pattern : model_.patterns)
    if (pattern.name == "board") pattern.rate = {5000, 5000, {}};
  for (Pattern& pattern : model_.patterns)
    if (pattern.name == "open") pattern.rate = {1, 1, {}};
  report_ = heat_of(model_, {});
  const KeyHeat& all = key("ALL");
  EXPECT_EQ(all.verdict, Verdict::hot);
  EXPECT_EQ(all.proposed_shards, 1);
  EXPECT_EQ(all.proposed_copies, static_cast<int>(std::ceil(all.read_peak / 1500)));
}

TEST_F(Board, EvenKeysStayCool) {
  EXPECT_EQ(key("TICKET#{id}").verdict, Verdict::cool);
  EXPECT_NEAR(key("TICKET#{id}").write_peak, 1500.0 / 10000, 1e-9);
}

TEST_F(Board, NewItemsAllGoToTodaysKey) {
  EXPECT_EQ(key("DAY#{day}").write_peak, 1500);
  EXPECT_EQ(key("DAY#{day}").verdict, Verdict::hot);
}

TEST_F(Board, PicturesNameEveryKey) {
  const std::string text = heat_text(model_, report_, {});
  const std::string svg = heat_svg(model_, report_, {});
  for (const KeyHeat& heat : report_.keys) {
    EXPECT_NE(text.find(heat.key), std::string::npos) << heat.key;
    EXPECT_NE(svg.find(heat.key), std::string::npos) << heat.key;
  }
  EXPECT_NE(text.find("HOT"), std::string::npos);
}

TEST_F(Board, ProvisionedPartitionsHaveTheirPartAndABurst) {
  model_.table.capacity.mode = CapacityMode::provisioned;
  model_.table.capacity.read_units = 100;
  model_.table.capacity.write_units = 2000;
  report_ = heat_of(model_, {});
  const KeyHeat& all = key("ALL");
  // 2,000 / 1,000 + 100 / 3,000 make three partitions.
  EXPECT_NEAR(*all.write_allotment, 2000.0 / 3, 1e-9);
  EXPECT_NEAR(*all.burst_s, 300 * (2000.0 / 3) / (1000 - 2000.0 / 3), 1e-6);
}

// A key that is divided already and still too hot: each shard needs as many parts as it is too hot, and there are several.
TEST(Heat, OfAKeyWithShardsMultipliesThem) {
  std::string text = kHeatModel;
  const std::string plain = "OPK: ALL, OSK";
  text.replace(text.find(plain), plain.size(), "OPK: \"ALL#{shard(id, 4)}\", OSK");
  text.replace(text.find("key: {OPK: ALL}"), 15, "key: {OPK: \"ALL#{shard(*, 4)}\"}");
  text.replace(text.find("peak: 1500"), 10, "peak: 8000");
  const Loaded loaded = load_text(text, "board.yaml");
  ASSERT_TRUE(loaded.ok()) << problem_text(loaded.problems.front());
  const HeatReport report = heat_of(loaded.model, {});
  const auto found = std::find_if(report.keys.begin(), report.keys.end(), [](const KeyHeat& heat) { return heat.shards > 1; });
  ASSERT_NE(found, report.keys.end());
  EXPECT_EQ(found->shards, 4);
  EXPECT_EQ(found->write_peak, 2000);  // of one shard
  EXPECT_EQ(found->verdict, Verdict::hot);
  EXPECT_EQ(found->proposed_shards, 16);  // 500 each
  ASSERT_EQ(found->readers.size(), 1u);
  EXPECT_EQ(found->readers[0].calls_before, 4);
  EXPECT_EQ(found->readers[0].calls_after, 16);
  EXPECT_NE(heat_text(loaded.model, report, {}).find("16 shards"), std::string::npos);
}

}  // namespace
}  // namespace stator::design
