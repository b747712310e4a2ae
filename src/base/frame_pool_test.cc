#include "base/frame_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace stator::base {
namespace {

TEST(FramePool, HandsOutDistinctWritableFramesOfEverySize) {
  std::vector<std::pair<char*, std::size_t>> frames;
  for (std::size_t bytes = 1; bytes < 6000; bytes += 61) {
    auto* frame = static_cast<char*>(allocate_frame(bytes));
    std::memset(frame, static_cast<int>(bytes % 251), bytes);
    frames.emplace_back(frame, bytes);
  }
  for (const auto& [frame, bytes] : frames) {
    EXPECT_EQ(frame[0], static_cast<char>(bytes % 251));
    EXPECT_EQ(frame[bytes - 1], static_cast<char>(bytes % 251));
    free_frame(frame, bytes);
  }
}

TEST(FramePool, ReusesAFreedFrameOfTheSameClass) {
  void* first = allocate_frame(1000);
  free_frame(first, 1000);
  void* second = allocate_frame(999);
  EXPECT_EQ(second, first);
  free_frame(second, 999);
}

TEST(FramePool, KeepsNoMoreThanABoundedNumber) {
  // More frames than a list holds: what is above goes back to the heap. The address sanitizer's
  // leak check sees it if a frame gets lost on the way.
  std::vector<void*> frames;
  for (int i = 0; i < 1000; ++i) frames.push_back(allocate_frame(200));
  EXPECT_EQ(std::set<void*>(frames.begin(), frames.end()).size(), frames.size());
  for (void* frame : frames) free_frame(frame, 200);
}

TEST(FramePool, TakesFramesOfOtherThreads) {
  std::vector<void*> frames;
  std::thread([&] {
    for (int i = 0; i < 10; ++i) frames.push_back(allocate_frame(3000));
  }).join();
  for (void* frame : frames) free_frame(frame, 3000);
  void* reused = allocate_frame(3000);
  EXPECT_EQ(reused, frames.back());
  free_frame(reused, 3000);
}

// A frame that lives in a thread-local object is freed after the thread's lists may be gone.
struct LateFrame {
  void* frame = nullptr;
  ~LateFrame() {
    if (frame == nullptr) return;
    free_frame(frame, 500);
    void* another = allocate_frame(500);
    std::memset(another, 1, 500);
    free_frame(another, 500);
  }
};
thread_local LateFrame late_frame;

TEST(FramePool, WorksWhileItsThreadEnds) {
  bool reused = false;
  std::thread([&] {
    late_frame.frame = allocate_frame(500);  // constructed first, so destroyed after the lists
    void* other = allocate_frame(500);
    free_frame(other, 500);
    void* again = allocate_frame(500);
    reused = again == other;
    free_frame(again, 500);
  }).join();
  EXPECT_TRUE(reused);
}

}  // namespace
}  // namespace stator::base
