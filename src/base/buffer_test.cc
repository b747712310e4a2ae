#include "base/buffer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>

namespace stator::base {
namespace {

TEST(Buffer, KeepsItsContentWhileItGrows) {
  Buffer buffer;
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = std::to_string(i);
    buffer.append(text);
    buffer.push_back(',');
    expected.append(text).append(",");
  }
  EXPECT_EQ(buffer.view(), expected);
  EXPECT_EQ(buffer.size(), expected.size());
}

TEST(Buffer, CountsOnlyWhatIsCommitted) {
  Buffer buffer;
  buffer.append("ab");
  std::memcpy(buffer.prepare(1000), "cdef", 4);
  EXPECT_EQ(buffer.view(), "ab");
  EXPECT_GE(buffer.capacity(), 1002u);
  buffer.commit(2);
  EXPECT_EQ(buffer.view(), "abcd");
}

TEST(Buffer, ClearingKeepsTheMemory) {
  Buffer buffer;
  buffer.append(std::string(1000, 'x'));
  const char* data = buffer.data();
  const std::size_t capacity = buffer.capacity();
  buffer.clear();
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.capacity(), capacity);
  buffer.append("y");
  EXPECT_EQ(buffer.data(), data);
  EXPECT_EQ(buffer.view(), "y");
}

TEST(Buffer, TruncatesAtTheEnd) {
  Buffer buffer;
  buffer.append("hello");
  buffer.truncate(2);
  EXPECT_EQ(buffer.view(), "he");
}

TEST(Buffer, ReleasesOnlyMemoryAboveTheLimit) {
  Buffer buffer;
  buffer.append(std::string(1000, 'x'));
  buffer.release_above(buffer.capacity());
  EXPECT_EQ(buffer.size(), 1000u);
  buffer.release_above(buffer.capacity() - 1);
  EXPECT_EQ(buffer.capacity(), 0u);
  EXPECT_TRUE(buffer.view().empty());
  buffer.append("again");
  EXPECT_EQ(buffer.view(), "again");
}

TEST(Buffer, MovingLeavesAnEmptyBufferThatCanBeUsed) {
  Buffer from;
  from.append("text");
  Buffer to(std::move(from));
  EXPECT_EQ(to.view(), "text");
  from.append("new");  // NOLINT(bugprone-use-after-move): promised
  EXPECT_EQ(from.view(), "new");
  to = std::move(from);
  EXPECT_EQ(to.view(), "new");
  EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move)
}

TEST(Buffer, AppendingNothingToAnEmptyBufferAllocatesNothing) {
  Buffer buffer;
  buffer.append("");
  EXPECT_EQ(buffer.capacity(), 0u);
  EXPECT_TRUE(buffer.view().empty());
}

}  // namespace
}  // namespace stator::base
