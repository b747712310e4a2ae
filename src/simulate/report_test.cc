#include "simulate/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "simulate/test_support.h"

namespace stator::simulate {
namespace {

Report make_report() {
  SyntheticSource source(shipments(0.6, 1));
  Report report;
  report.title = "shipments <before> & after";
  report.outcome = *run(source, {});
  report.sharded_keys = 1;
  report.shards = {{.shards = 1, .requests = 10, .throttled = 5, .throttled_by_key_range = 5, .read_units = 0},
                   {.shards = 10, .requests = 10, .throttled = 0, .throttled_by_key_range = 0, .read_units = 0}};
  report.prices.currency = "USD";
  report.prices.write_unit_hour = 0.00065;
  return report;
}

TEST(Report, TextHasReasonKeyNeedAndShards) {
  const std::string text = report_text(make_report());
  for (const std::string_view part : {"TableWriteKeyRangeThroughputExceeded", "SHIPMENT#{shipmentId} (the busiest)",
                                      "key range (partition)", "6,000 WCU", "Write shards"})
    EXPECT_NE(std::string::npos, text.find(part)) << part << "\n" << text;
}

TEST(Report, JsonHasTheSameFigures) {
  const Report report = make_report();
  const auto json = nlohmann::json::parse(report_json(report));
  EXPECT_EQ(report.outcome.requests, json["requests"]);
  EXPECT_EQ(report.outcome.throttled, json["throttled"]);
  EXPECT_EQ(report.outcome.throttled,
            json["resources"][0]["writes"]["throttles"]["TableWriteKeyRangeThroughputExceeded"]);
  EXPECT_EQ(5U, json["resources"][0]["writes"]["perMinute"]["demandUnits"].size());
  EXPECT_EQ("SHIPMENT#{shipmentId} (the busiest)", json["throttledKeys"][0]["key"]);
  EXPECT_EQ(10, json["shards"][1]["shards"]);
  EXPECT_GT(json["resources"][0]["writes"]["leastProvisioned"], 2000);
}

TEST(Report, SvgIsEscapedAndHasAPlotForEachDirectionWithTraffic) {
  const std::string svg = report_svg(make_report());
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(std::string::npos, svg.find("shipments &lt;before&gt; &amp; after"));
  EXPECT_NE(std::string::npos, svg.find("shipments writes"));
  EXPECT_EQ(std::string::npos, svg.find("shipments reads"));
  EXPECT_EQ(std::string::npos, svg.find("nan"));
}

}  // namespace
}  // namespace stator::simulate
