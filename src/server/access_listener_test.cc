#include "server/access_listener.h"

#include "engine/test_support.h"
#include "server/capacity_page.h"

namespace stator::server {
namespace {

using engine::testing::Database;
using engine::testing::N;
using engine::testing::S;

engine::EngineOptions in_mode(engine::CapacityMode mode) {
  engine::EngineOptions options;
  options.capacity.mode = mode;
  return options;
}

engine::CreateTableRequest narrow_table() {
  engine::CreateTableRequest request = engine::testing::sorted_request("t");
  request.billing = engine::BillingMode::provisioned;
  request.throughput = engine::ThroughputInput{4, 4};
  return request;
}

std::vector<insights::Contributor> contributors(const insights::Insights& insights, insights::Rule rule,
                                                std::int64_t now_s) {
  const insights::Subject subject{"t", ""};
  const std::vector<std::string> names = insights::Insights::rule_names(subject, *insights.find(subject));
  const auto report = insights.report(names[static_cast<std::size_t>(rule)], now_s - 3600, now_s + 3600, 60, 10);
  return report ? report->contributors : std::vector<insights::Contributor>();
}

TEST(AccessListener, RanksKeysThatWereUsedAndThrottledInBothModes) {
  for (const engine::CapacityMode mode : {engine::CapacityMode::observe, engine::CapacityMode::enforce}) {
    Database database(in_mode(mode));
    database.create(narrow_table());
    metrics::Hub hub;
    insights::Insights insights(*database.store, database.clock);
    ASSERT_TRUE(insights.load().has_value());
    AccessListener listener(hub, insights, nullptr);
    EXPECT_FALSE(listener.wants_accesses());
    ASSERT_TRUE(base::sync_wait(insights.set({"t", ""}, true, std::nullopt)).has_value());
    EXPECT_TRUE(listener.wants_accesses());
    database.engine.admission.set_listener(&listener);
    for (int i = 0; i < 6; ++i) static_cast<void>(database.put("t", {{"pk", S("hot")}, {"sk", N("1.50")}}));
    database.engine.admission.set_listener(nullptr);

    const std::int64_t now_s = database.clock.now_ms() / 1000;
    const auto accessed = contributors(insights, insights::Rule::accessed_pair, now_s);
    ASSERT_EQ(accessed.size(), 1u);
    EXPECT_EQ(accessed.front().keys, (std::vector<std::string>{"hot", "1.5"}));
    EXPECT_EQ(accessed.front().value, mode == engine::CapacityMode::observe ? 6 : 4);
    const auto throttled = contributors(insights, insights::Rule::throttled_partition, now_s);
    ASSERT_EQ(throttled.size(), 1u);
    EXPECT_EQ(throttled.front().keys.front(), "hot");
    EXPECT_EQ(throttled.front().value, 2);
  }
}

TEST(AccessListener, WhatWasOnlyObservedIsShownByReasonAndKeptApart) {
  for (const engine::CapacityMode mode : {engine::CapacityMode::observe, engine::CapacityMode::enforce}) {
    Database database(in_mode(mode));
    database.create(narrow_table());
    for (int i = 0; i < 6; ++i) static_cast<void>(database.put("t", {{"pk", S("a")}, {"sk", N("1")}}));
    std::string text;
    CapacityPage page(database.engine.admission);
    while (page.append(text)) continue;
    const std::string labels = "{table=\"t\",reason=\"TableWriteProvisionedThroughputExceeded\"} 2\n";
    const bool observed = mode == engine::CapacityMode::observe;
    EXPECT_EQ(text.find("stator_would_throttle_total" + labels) != std::string::npos, observed) << text;
    EXPECT_EQ(text.find("stator_throttles_total" + labels) != std::string::npos, !observed) << text;
    EXPECT_NE(text.find("stator_partitions{table=\"t\"} 1\n"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace stator::server
