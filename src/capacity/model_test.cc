#include "capacity/model.h"

#include <gtest/gtest.h>

#include "capacity/test_support.h"

namespace stator::capacity {
namespace {

constexpr std::int64_t kStartUs = 1'780'000'000'000'000;
constexpr std::int64_t kSecondUs = 1'000'000;

TEST(Model, KeepsTablesAndIndexes) {
  Model model;
  const auto orders = model.open(7, "orders", Settings{}, kStartUs);
  EXPECT_EQ(orders, model.open(7, "orders", provisioned(1, 1), kStartUs)) << "the second opening finds the first";
  EXPECT_EQ(orders, model.find(7));
  const auto index = orders->add_index("GSI1", Settings{}, model.ticks(kStartUs));
  EXPECT_EQ(index, orders->index("GSI1"));
  EXPECT_EQ(nullptr, orders->index("GSI2"));
  const std::vector<TableCapacity::Snapshot> all = model.snapshot(kStartUs);
  ASSERT_EQ(1U, all.size());
  EXPECT_EQ("orders", all[0].table_name);
  ASSERT_EQ(1U, all[0].indexes.size());
  EXPECT_EQ("GSI1", all[0].indexes[0].first);
  orders->remove_index("GSI1");
  EXPECT_EQ(nullptr, orders->index("GSI1"));
  model.drop(7);
  EXPECT_EQ(nullptr, model.find(7));
}

TEST(Model, DoesNotStopWhenTheClockIsSetBack) {
  Model model;
  const auto table = model.open(1, "t", provisioned(1, 10), kStartUs);
  const auto write = [&](std::int64_t now_us) {
    const Charge charge{&table->table(), Direction::write, 2, spread(now_us), {}};
    return model.admit({&charge, 1}, Mode::enforce, now_us).allowed;
  };
  int allowed = 0;
  for (int i = 0; i < 100; ++i) allowed += write(kStartUs);
  EXPECT_EQ(10, allowed) << "the first second's units";
  allowed = 0;
  const std::int64_t back = kStartUs - 3600 * kSecondUs;
  for (int i = 0; i < 1000; ++i) allowed += write(back + i * kSecondUs / 100);  // ten seconds, an hour earlier
  EXPECT_NEAR(100, allowed, 1) << "the rate goes on as if nothing had happened";
  EXPECT_EQ(2 * (10 + allowed), model.snapshot(back + 10 * kSecondUs)[0].table.side(Direction::write).consumed);
}

}  // namespace
}  // namespace stator::capacity
