#include "capacity/units.h"

#include <gtest/gtest.h>

namespace stator::capacity {
namespace {

struct UnitsCase {
  std::size_t bytes;
  double eventual, strong, transactional_read, write, transactional_write;
};

TEST(Units, RoundUpAsTheServiceDoes) {
  constexpr UnitsCase kCases[] = {
      {0, 0.5, 1, 2, 1, 2},         // a missing item, a delete of nothing
      {1, 0.5, 1, 2, 1, 2},         //
      {1024, 0.5, 1, 2, 1, 2},      //
      {1025, 0.5, 1, 2, 2, 4},      //
      {2560, 0.5, 1, 2, 3, 6},      // 2.5 KB
      {3072, 0.5, 1, 2, 3, 6},      // 3 KB
      {4096, 0.5, 1, 2, 4, 8},      //
      {4097, 1, 2, 4, 5, 10},       //
      {20480, 2.5, 5, 10, 20, 40},  // 20 KB
      {409600, 50, 100, 200, 400, 800},
  };
  for (const UnitsCase& c : kCases) {
    EXPECT_EQ(c.eventual * 2, read_cost(c.bytes, Consistency::eventual)) << c.bytes;
    EXPECT_EQ(c.strong * 2, read_cost(c.bytes, Consistency::strong)) << c.bytes;
    EXPECT_EQ(c.transactional_read * 2, read_cost(c.bytes, Consistency::transactional)) << c.bytes;
    EXPECT_EQ(c.write * 2, write_cost(c.bytes)) << c.bytes;
    EXPECT_EQ(c.transactional_write * 2, write_cost(c.bytes, true)) << c.bytes;
  }
}

TEST(Units, OfTheShopByHand) {
  EXPECT_EQ(1500 * 2, 500 * write_cost(2560));                             // 500 writes/s of 2.5 KB
  EXPECT_EQ(1000 * 2, 2000 * read_cost(3 * 1024, Consistency::eventual));  // 2,000 reads/s of 3 KB
}

}  // namespace
}  // namespace stator::capacity
