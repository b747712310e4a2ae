#include "top/scrape.h"

#include <gtest/gtest.h>

namespace stator::top {
namespace {

TEST(Scrape, ReadsNamesLabelsAndValues) {
  const std::vector<Sample> samples = parse_samples(
      "# HELP a b\n"
      "plain_total 3\n"
      "labelled{table=\"t\",reason=\"a \\\"quoted\\\" \\\\ one\"} 1.5\n"
      "empty{} 2e3\n");
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[0].name, "plain_total");
  EXPECT_EQ(samples[0].value, 3);
  EXPECT_EQ(samples[1].label("table"), "t");
  EXPECT_EQ(samples[1].label("reason"), "a \"quoted\" \\ one");
  EXPECT_EQ(samples[1].value, 1.5);
  EXPECT_EQ(samples[1].label("absent"), "");
  EXPECT_EQ(samples[2].value, 2000);
}

TEST(Scrape, LeavesOutWhatItDoesNotUnderstand) {
  for (const std::string_view text : {"", "\n\n", "name", "name{", "name{a=\"b", "name{a=\"b\"}", "name x", "{a=\"b\""}) {
    EXPECT_TRUE(parse_samples(text).empty()) << text;
  }
}

}  // namespace
}  // namespace stator::top
