#include "base/arena.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace stator::base {
namespace {

TEST(Arena, AlignsWhatItGives) {
  Arena arena;
  for (const std::size_t alignment : {1u, 2u, 8u, 16u, 64u}) {
    for (const std::size_t bytes :
         {std::size_t{1}, std::size_t{3}, std::size_t{9000}, std::size_t{100'000}}) {
      const auto at = reinterpret_cast<std::uintptr_t>(arena.allocate(bytes, alignment));
      EXPECT_EQ(at % alignment, 0u) << bytes << " " << alignment;
    }
  }
}

TEST(Arena, GivesMemoryThatDoesNotOverlap) {
  Arena arena;
  std::vector<std::span<char>> parts;
  for (std::size_t i = 0; i < 400; ++i) {
    const auto part = arena.array<char>(i % 7 == 0 ? 10'000 + i * 100 : i);
    if (!part.empty()) std::memset(part.data(), static_cast<int>(i % 128), part.size());
    parts.push_back(part);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const char c : parts[i]) ASSERT_EQ(c, static_cast<char>(i % 128)) << i;
  }
}

TEST(Arena, ALargeObjectLeavesTheCurrentBlockInUse) {
  Arena arena;
  char* before = static_cast<char*>(arena.allocate(8, 1));
  char* large = static_cast<char*>(arena.allocate(1'000'000, 1));
  std::memset(large, 1, 1'000'000);
  char* behind = static_cast<char*>(arena.allocate(8, 1));
  EXPECT_EQ(behind, before + 8);
}

TEST(Arena, MayStartWithALargeObject) {
  Arena arena;
  char* large = static_cast<char*>(arena.allocate(1'000'000, 8));
  std::memset(large, 1, 1'000'000);
  const auto* small = arena.make<int>(7);
  EXPECT_EQ(*small, 7);
  arena.reset();
  char* again = static_cast<char*>(arena.allocate(10'000, 8));
  std::memset(again, 2, 10'000);  // the block that reset() kept must be as large as it thinks
  EXPECT_EQ(again[9999], 2);
}

TEST(Arena, ResetStartsOverInTheFirstBlock) {
  Arena arena;
  void* first = arena.allocate(100, 8);
  for (int i = 0; i < 100; ++i) arena.allocate(5000, 8);
  arena.reset();
  EXPECT_EQ(arena.allocate(100, 8), first);
}

TEST(Arena, ResetOfAFreshArenaIsHarmless) {
  Arena arena;
  arena.reset();
  EXPECT_EQ(*arena.make<int>(1), 1);
}

TEST(Arena, CopiesTextAndSpans) {
  Arena arena;
  std::string text = "hello";
  const std::string_view copy = arena.copy(text);
  text = "other";
  EXPECT_EQ(copy, "hello");
  EXPECT_TRUE(arena.copy(std::string_view()).empty());
  const std::array<int, 3> numbers = {1, 2, 3};
  const auto span = arena.copy(std::span<const int>(numbers));
  EXPECT_EQ(std::vector<int>(span.begin(), span.end()), (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(arena.copy(std::span<const int>()).empty());
}

}  // namespace
}  // namespace stator::base
