#include "base/frame_pool.h"

#include <array>
#include <new>

namespace stator::base {
namespace {

constexpr std::size_t kClassBytes = 128;
constexpr std::size_t kClasses = 32;  // frames up to 4 KiB are pooled
constexpr std::size_t kFramesPerClassMax = 256;

struct FreeFrame {
  FreeFrame* next;
};

class FrameLists {
 public:
  FrameLists() = default;
  FrameLists(const FrameLists&) = delete;
  FrameLists& operator=(const FrameLists&) = delete;
  ~FrameLists() {
    for (List& list : lists_) {
      while (list.head != nullptr) ::operator delete(pop(list));
    }
    closed_ = true;
  }

  void* take(std::size_t size_class) {
    List& list = lists_[size_class];
    if (list.head != nullptr) return pop(list);
    return ::operator new((size_class + 1) * kClassBytes);
  }

  void give(void* frame, std::size_t size_class) noexcept {
    List& list = lists_[size_class];
    if (closed_ || list.count >= kFramesPerClassMax) return ::operator delete(frame);
    auto* free_frame = new (frame) FreeFrame{list.head};
    list.head = free_frame;
    ++list.count;
  }

 private:
  struct List {
    FreeFrame* head = nullptr;
    std::size_t count = 0;
  };
  static void* pop(List& list) noexcept {
    FreeFrame* frame = list.head;
    list.head = frame->next;
    --list.count;
    return frame;
  }

  std::array<List, kClasses> lists_;
  bool closed_ = false;
};

thread_local FrameLists frame_lists;

}  // namespace

void* allocate_frame(std::size_t bytes) {
  const std::size_t size_class = (bytes - 1) / kClassBytes;
  return size_class < kClasses ? frame_lists.take(size_class) : ::operator new(bytes);
}

void free_frame(void* frame, std::size_t bytes) noexcept {
  const std::size_t size_class = (bytes - 1) / kClassBytes;
  if (size_class < kClasses) {
    frame_lists.give(frame, size_class);
  } else {
    ::operator delete(frame);
  }
}

}  // namespace stator::base
