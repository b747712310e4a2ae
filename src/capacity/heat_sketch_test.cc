#include "capacity/heat_sketch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "capacity/test_support.h"

namespace stator::capacity {
namespace {

TEST(HeatSketch, KnowsNothingFromFewSamples) {
  HeatSketch sketch;
  for (int i = 0; i < 10; ++i) sketch.sample(one_key(0), 1, true, "");
  EXPECT_EQ(HeatCause::unknown, sketch.judge(Tuning{}).cause);
}

TEST(HeatSketch, SeesManyKeysAndTheirMiddle) {
  HeatSketch sketch;
  for (int i = 0; i < 10000; ++i) sketch.sample(spread(i), 2, true, "");
  const HeatSketch::Verdict verdict = sketch.judge(Tuning{});
  EXPECT_EQ(HeatCause::many_keys, verdict.cause);
  const double middle = static_cast<double>(key_hash(verdict.middle)) / 18446744073709551616.0;
  EXPECT_NEAR(0.5, middle, 0.25);
}

TEST(HeatSketch, SeesASingleItemAmongOthers) {
  HeatSketch sketch;
  for (int i = 0; i < 1000; ++i) sketch.sample(i % 4 == 0 ? spread(i) : one_key(i), 2, false, "");
  const HeatSketch::Verdict verdict = sketch.judge(Tuning{});
  EXPECT_EQ(HeatCause::single_item, verdict.cause);
  EXPECT_TRUE(verdict.hottest == one_key(0));
}

TEST(HeatSketch, TellsAscendingSortKeysFromOthers) {
  HeatSketch ascending;
  HeatSketch mixed;
  HeatSketch unknown;
  for (int i = 0; i < 1000; ++i) {
    ascending.sample(one_collection(i), 2, true, fmt::format("EVENT#2026-06-08T10:00:{:06}", i));
    mixed.sample(one_collection(i), 2, true, fmt::format("EVENT#{:016x}", key_hash(spread(i))));
    unknown.sample(one_collection(i), 2, true, "");
  }
  EXPECT_EQ(HeatCause::ascending, ascending.judge(Tuning{}).cause);
  EXPECT_EQ(HeatCause::collection, mixed.judge(Tuning{}).cause);
  EXPECT_EQ(HeatCause::collection, unknown.judge(Tuning{}).cause);
}

TEST(HeatSketch, WeighsByCostNotByNumber) {
  HeatSketch sketch;
  for (int i = 0; i < 1000; ++i)
    i % 10 == 0 ? sketch.sample(one_key(i), 100, true, "") : sketch.sample(spread(i), 1, true, "");
  EXPECT_EQ(HeatCause::single_item, sketch.judge(Tuning{}).cause);
}

TEST(HeatSketch, ForgetsWhenCleared) {
  HeatSketch sketch;
  for (int i = 0; i < 1000; ++i) sketch.sample(one_key(i), 1, true, "");
  sketch.clear();
  EXPECT_EQ(HeatCause::unknown, sketch.judge(Tuning{}).cause);
}

}  // namespace
}  // namespace stator::capacity
