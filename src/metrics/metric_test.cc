#include "metrics/metric.h"

#include <gtest/gtest.h>

#include "metrics/series_codec.h"

namespace stator::metrics {
namespace {

TEST(Metric, IsFoundByItsName) {
  EXPECT_EQ(find_metric("ThrottledRequests"), Metric::throttled_requests);
  EXPECT_EQ(find_metric("throttledrequests"), std::nullopt);
}

TEST(Series, HasTheDimensionsOfItsMetric) {
  const std::vector<Dimension> index = {{"GlobalSecondaryIndexName", "GSI1"}, {"TableName", "app"}};
  const SeriesKey expected{Metric::consumed_read_units, "app", "GSI1"};
  EXPECT_EQ(series_of(Metric::consumed_read_units, index), expected);
  const std::vector<Dimension> shown = {{"TableName", "app"}, {"GlobalSecondaryIndexName", "GSI1"}};
  EXPECT_EQ(dimensions_of(expected), shown);
}

TEST(Series, OfWrongDimensionsIsNone) {
  const std::vector<Dimension> none;
  const std::vector<Dimension> table = {{"TableName", "app"}};
  const std::vector<Dimension> operation = {{"TableName", "app"}, {"Operation", "GetItem"}};
  const std::vector<Dimension> twice = {{"TableName", "app"}, {"TableName", "app"}};
  EXPECT_TRUE(series_of(Metric::user_errors, none));
  EXPECT_FALSE(series_of(Metric::user_errors, table));
  EXPECT_FALSE(series_of(Metric::consumed_read_units, none));
  EXPECT_FALSE(series_of(Metric::consumed_read_units, operation));
  EXPECT_FALSE(series_of(Metric::successful_request_latency, table));
  EXPECT_FALSE(series_of(Metric::consumed_read_units, twice));
}

TEST(SeriesCodec, GivesBackTheKey) {
  const SeriesKey key{Metric::returned_bytes, "app", "GetRecords", "2026-06-01T00:00:00.000"};
  EXPECT_EQ(decode_series(encode_series(key)), key);
  EXPECT_EQ(decode_series(""), std::nullopt);
  EXPECT_EQ(decode_series("\xff" "app"), std::nullopt);
  EXPECT_EQ(minute_of_frame(frame_row_key(29'700'000, 7)), 29'700'000);
  EXPECT_EQ(part_of_frame(frame_row_key(29'700'000, 7)), 7U);
}

}  // namespace
}  // namespace stator::metrics
