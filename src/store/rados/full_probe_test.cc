#include "store/rados/full_probe.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace stator::store::rados {
namespace {

const FullProbe::Clock::time_point kStart{std::chrono::hours(1)};

WriteRequest put() {
  WriteRequest request;
  request.set = {{"row", "value"}, {"twin", "size"}, {"sum", "1"}};
  return request;
}

WriteRequest deletion() {
  WriteRequest request;
  request.removed = {"row", "twin"};
  request.set = {{"tombstone", "1"}, {"sum", "0"}};
  return request;
}

TEST(FullProbe, RefusesWhatGrowsWhileThePoolIsFull) {
  FullProbe probe;
  EXPECT_EQ(probe.judge(put()), 0);
  ASSERT_TRUE(probe.due(kStart));
  probe.ended(-ENOSPC, kStart);
  EXPECT_EQ(probe.judge(put()), -ENOSPC);
  EXPECT_EQ(probe.judge(deletion()), 0);
  WriteRequest range = put();
  range.removed_ranges.emplace_back("a", "b");
  EXPECT_EQ(probe.judge(range), 0);

  probe.ended(-ETIMEDOUT, kStart);  // says nothing
  EXPECT_EQ(probe.judge(put()), -ENOSPC);
  probe.ended(0, kStart);
  EXPECT_EQ(probe.judge(put()), 0);
}

TEST(FullProbe, IsMadeOneAtATimeAndMoreOftenWhileFull) {
  FullProbe probe;
  ASSERT_TRUE(probe.due(kStart));
  EXPECT_FALSE(probe.due(kStart + std::chrono::hours(1)));  // the first has not ended
  probe.ended(0, kStart);
  EXPECT_FALSE(probe.due(kStart + FullProbe::kIntervalWhileFull));
  ASSERT_TRUE(probe.due(kStart + FullProbe::kInterval));
  probe.ended(-EDQUOT, kStart);
  EXPECT_TRUE(probe.due(kStart + FullProbe::kIntervalWhileFull));
}

}  // namespace
}  // namespace stator::store::rados
