#include "insights/insights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/sync_wait.h"
#include "metrics/test_support.h"

namespace stator::insights {
namespace {

// Keys drawn with chances 1/1, 1/2, 1/3 ...: what access to keys usually looks like.
std::size_t draw(std::mt19937& random, std::size_t keys) {
  const double u = std::uniform_real_distribution<double>(0, 1)(random);
  return static_cast<std::size_t>(std::exp(u * std::log(static_cast<double>(keys) + 1))) - 1;
}

TEST(SpaceSaving, ShowsEveryHeavyKeyWithinTheStatedError) {
  for (const std::uint32_t seed : {1U, 2U, 3U, 4U, 5U}) {
    std::mt19937 random(seed);
    SpaceSaving sketch(64);
    std::map<std::string, std::uint64_t> exact;
    for (int i = 0; i < 50'000; ++i) {
      const std::string key = "key-" + std::to_string(draw(random, 20'000));
      const std::uint64_t weight = 1 + random() % 4;
      sketch.add(key, weight);
      exact[key] += weight;
    }
    const std::vector<SpaceSaving::Entry> shown = sketch.top(64);
    EXPECT_EQ(shown.size(), 64U);
    for (const SpaceSaving::Entry& entry : shown) {
      EXPECT_GE(entry.weight, exact[entry.key]);
      EXPECT_LE(entry.weight, exact[entry.key] + sketch.error_max());
      EXPECT_LE(entry.weight - entry.error, exact[entry.key]);
    }
    for (const auto& [key, weight] : exact) {
      if (weight <= sketch.error_max()) continue;
      EXPECT_TRUE(std::any_of(shown.begin(), shown.end(), [&wanted = key](const auto& entry) { return entry.key == wanted; })) << key;
    }
  }
}

TEST(SpaceSaving, IsExactForFewKeysAndTellsLongOnesApart) {
  SpaceSaving sketch(8);
  const std::string prefix(500, 'x');
  sketch.add(prefix + "1", 3);
  sketch.add(prefix + "2", 5);
  sketch.add(prefix + "1", 1);
  const auto top = sketch.top(8);
  ASSERT_EQ(top.size(), 2U);
  EXPECT_EQ(top[0].weight, 5U);
  EXPECT_EQ(top[1].weight, 4U);
  EXPECT_EQ(top[1].error, 0U);
  EXPECT_EQ(top[0].key.size(), SpaceSaving::kKeyBytesShown);
}

struct World {
  World() { EXPECT_TRUE(insights.load()); }
  std::string rule(std::size_t number) {
    return Insights::rule_names(subject, *insights.find(subject)).at(number);
  }
  std::optional<Report> report(const std::string& name) {
    const std::int64_t now_s = clock.now_ms() / 1000;
    return insights.report(name, now_s - 3600 * 24, now_s + 60, 60, 10);
  }
  metrics::TestClock clock;
  std::unique_ptr<store::Store> store = store::open_memory();
  Insights insights{*store, clock};
  const Subject subject{"app", ""};
};

TEST(Insights, RankKeysAndPairsOverMinutes) {
  World world;
  EXPECT_FALSE(world.insights.any());
  ASSERT_TRUE(base::sync_wait(world.insights.set(world.subject, true, std::nullopt)));
  EXPECT_TRUE(world.insights.any());
  for (int minute = 0; minute < 3; ++minute) {
    for (int i = 0; i < 10; ++i) {
      world.insights.record(world.subject, {.partition_key = "hot", .sort_key = i % 2 == 0 ? "a" : "b", .half_units = 2});
    }
    world.insights.record(world.subject, {.partition_key = "cold", .sort_key = "a", .half_units = 1});
    world.insights.record(world.subject, {.partition_key = "hot", .sort_key = "a", .throttled = true});
    world.clock.advance_minutes(1);
  }
  const auto keys = world.report(world.rule(0));
  ASSERT_TRUE(keys);
  ASSERT_EQ(keys->contributors.size(), 2U);
  EXPECT_EQ(keys->contributors[0].keys, std::vector<std::string>{"hot"});
  EXPECT_EQ(keys->contributors[0].value, 30);
  EXPECT_EQ(keys->contributors[0].datapoints.size(), 3U);
  EXPECT_EQ(keys->contributors[1].value, 1.5);
  EXPECT_EQ(keys->total, 31.5);
  const auto pairs = world.report(world.rule(1));
  EXPECT_EQ(pairs->contributors.at(0).keys, (std::vector<std::string>{"hot", "a"}));
  EXPECT_EQ(pairs->contributors.at(0).value, 15);
  EXPECT_EQ(world.report(world.rule(2))->contributors.at(0).value, 3);
  EXPECT_FALSE(world.report("no-such-rule"));
}

TEST(Insights, OfThrottledKeysAloneIgnoreTheOthers) {
  World world;
  ASSERT_TRUE(base::sync_wait(world.insights.set(world.subject, true, Mode::throttled)));
  world.insights.record(world.subject, {.partition_key = "hot", .half_units = 2});
  world.insights.record(world.subject, {.partition_key = "hot", .throttled = true});
  EXPECT_EQ(Insights::rule_names(world.subject, *world.insights.find(world.subject)).size(), 2U);
  EXPECT_EQ(world.report(world.rule(0))->total, 1);
}

TEST(Insights, AreRememberedAndSwitchedOff) {
  World world;
  ASSERT_TRUE(base::sync_wait(world.insights.set({"app", "GSI1"}, true, Mode::throttled)));
  Insights again(*world.store, world.clock);
  ASSERT_TRUE(again.load());
  EXPECT_TRUE(again.any());
  EXPECT_EQ(again.find({"app", "GSI1"})->mode, Mode::throttled);
  ASSERT_TRUE(base::sync_wait(again.set({"app", "GSI1"}, false, std::nullopt)));
  EXPECT_FALSE(again.any());
  EXPECT_TRUE(Insights::rule_names({"app", "GSI1"}, *again.find({"app", "GSI1"})).empty());
}

TEST(Insights, StayInBounds) {
  World world;
  ASSERT_TRUE(base::sync_wait(world.insights.set(world.subject, true, std::nullopt)));
  for (int minute = 0; minute < 400; ++minute) {
    for (int i = 0; i < 100; ++i) {
      world.insights.record(world.subject, {.partition_key = "key-" + std::to_string(minute * 100 + i), .half_units = 2});
    }
    world.clock.advance_minutes(1);
  }
  const auto report = world.report(world.rule(0));
  EXPECT_EQ(report->contributors.size(), 10U);
  EXPECT_LE(report->unique, static_cast<std::int64_t>((Insights::kKeptMinutes + 1) * Insights::kKeptPerMinute));
}

TEST(Insights, AreForgottenWithTheirTable) {
  World world;
  for (const char* table : {"stays", "goes"}) {
    ASSERT_TRUE(base::sync_wait(world.insights.set({table, ""}, true, std::nullopt)));
  }
  ASSERT_TRUE(world.insights.keep_only([](const Subject& subject) { return subject.table == "stays"; }));
  EXPECT_TRUE(world.insights.find({"stays", ""}));
  EXPECT_FALSE(world.insights.find({"goes", ""}));
  Insights again(*world.store, world.clock);
  ASSERT_TRUE(again.load());
  EXPECT_EQ(again.list().size(), 1U);
}

}  // namespace
}  // namespace stator::insights
