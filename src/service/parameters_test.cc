#include "service/parameters.h"

#include <gtest/gtest.h>

namespace stator::service {
namespace {

TEST(Parameters, ReadTextsOfTheQueryProtocolAsTheirTypes) {
  Value value = Value::structure();
  value.set("Period", "300").set("Threshold", "1.5").set("Enabled", "true").set("At", "2026-06-01T00:00:00Z");
  std::optional<Error> error;
  const Parameters in(value, error);
  EXPECT_EQ(in.integer("Period"), 300);
  EXPECT_EQ(in.real("Threshold"), 1.5);
  EXPECT_EQ(in.boolean("Enabled"), true);
  EXPECT_EQ(in.time_ms("At"), 1'780'272'000'000);
  EXPECT_EQ(in.integer("Absent"), std::nullopt);
  value.set("Empty", "");
  EXPECT_TRUE(in.strings("Empty").empty());
  EXPECT_TRUE(in.structures("Empty").empty());
  EXPECT_FALSE(error);
}

TEST(Parameters, RememberTheFirstMemberOfAWrongType) {
  Value value = Value::structure();
  value.set("Period", "many").set("Names", "none").set("At", "yesterday");
  std::optional<Error> error;
  const Parameters in(value, error);
  EXPECT_EQ(in.integer("Period"), std::nullopt);
  EXPECT_TRUE(in.strings("Names").empty());
  EXPECT_EQ(in.time_ms("At"), std::nullopt);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "Period is not a whole number");
}

TEST(IsoTime, ReadsFractionsOffsetsAndDates) {
  EXPECT_EQ(parse_iso_time("2026-06-01T02:00:00.250+02:00"), 1'780'272'000'250);
  EXPECT_EQ(parse_iso_time("2026-06-01"), 1'780'272'000'000);
  EXPECT_EQ(parse_iso_time("2026-06-01T00:00"), 1'780'272'000'000);
  for (const char* text : {"", "x", "2026-13-01T00:00:00Z", "2026-06-01X", "2026-06-01T00:00:00Q"}) {
    EXPECT_EQ(parse_iso_time(text), std::nullopt) << text;
  }
  EXPECT_EQ(format_iso_time(1'780'272'000'250), "2026-06-01T00:00:00.250Z");
}

}  // namespace
}  // namespace stator::service
