#include "trigger/tracker.h"

#include <gtest/gtest.h>

namespace stator::trigger {
namespace {

TEST(Tracker, AdvancesOverWhatIsDoneWithoutAGap) {
  Tracker tracker;
  const auto first = tracker.add("1", false);
  const auto second = tracker.add("2", false);
  tracker.add("3", true);
  const auto fourth = tracker.add("4", false);
  EXPECT_EQ(std::nullopt, tracker.advance());
  tracker.done(second);
  EXPECT_EQ(std::nullopt, tracker.advance());
  tracker.done(first);
  EXPECT_EQ("3", tracker.advance());
  EXPECT_EQ(std::nullopt, tracker.advance());
  EXPECT_FALSE(tracker.empty());
  tracker.done(fourth);
  const auto fifth = tracker.add("5", false);
  EXPECT_EQ("4", tracker.advance());
  tracker.done(fifth);
  EXPECT_EQ("5", tracker.advance());
  EXPECT_TRUE(tracker.empty());
}

}  // namespace
}  // namespace stator::trigger
