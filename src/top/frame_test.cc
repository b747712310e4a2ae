#include "top/frame.h"

#include <gtest/gtest.h>

namespace stator::top {
namespace {

const FrameOptions kOptions{.endpoint = "http://127.0.0.1:8000", .time = "12:00:00", .rows = 2};

TEST(Frame, PutsTheBusiestTableFirstAndItsIndexesUnderIt) {
  Activity activity;
  activity[{"a", ""}].requests_per_s = 1;
  activity[{"b", ""}].requests_per_s = 10;
  activity[{"b", "index"}].write_units_per_s = 3;
  const std::string frame = draw_frame(activity, {}, kOptions);
  const std::size_t table = frame.find("\nb ");
  const std::size_t index = frame.find("\n  index ");
  ASSERT_NE(table, std::string::npos) << frame;
  ASSERT_NE(index, std::string::npos) << frame;
  EXPECT_LT(table, index);
  EXPECT_EQ(frame.find("\na "), std::string::npos) << frame;
  EXPECT_NE(frame.find("... and 1 more"), std::string::npos) << frame;
}

TEST(Frame, ShowsReasonsAndHotKeys) {
  Activity activity;
  activity[{"t", ""}].reasons["TableWriteKeyRangeThroughputExceeded"] = 12;
  const std::vector<HotKey> keys = {{"t", "", "USER#1", 12, true}, {"t", "GSI1", "OPEN", 99.5, false}};
  const std::string frame = draw_frame(activity, keys, kOptions);
  EXPECT_NE(frame.find("12  TableWriteKeyRangeThroughputExceeded"), std::string::npos) << frame;
  EXPECT_NE(frame.find("12.0 throttles t "), std::string::npos) << frame;
  EXPECT_NE(frame.find("USER#1"), std::string::npos) << frame;
  EXPECT_NE(frame.find("t/GSI1"), std::string::npos) << frame;
}

TEST(Frame, KeysCannotReachTheTerminal) {
  const std::vector<HotKey> keys = {{"t", "", "a\x1b[2Jb\nc", 1, false}};
  const std::string frame = draw_frame({}, keys, kOptions);
  EXPECT_NE(frame.find("a?[2Jb?c"), std::string::npos) << frame;
  EXPECT_EQ(frame.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace stator::top
