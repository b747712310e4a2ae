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

struct FrameList {
  FreeFrame* head = nullptr;
  std::size_t count = 0;
};

// Has no destructor on purpose: frames may still be taken and given while other thread-local
// objects of an ending thread are destroyed, and what a destructor writes into its own object may
// be optimised away.
struct FrameLists {
  enum class State : unsigned char { untouched, open, closed };
  std::array<FrameList, kClasses> lists;
  State state = State::untouched;
};
constinit thread_local FrameLists frame_lists;

void* pop(FrameList& list) noexcept {
  FreeFrame* frame = list.head;
  list.head = frame->next;
  --list.count;
  return frame;
}

// Gives a thread's frames back when it ends; from then on the lists stay empty.
struct FrameListsCloser {
  FrameListsCloser() = default;
  FrameListsCloser(const FrameListsCloser&) = delete;
  FrameListsCloser& operator=(const FrameListsCloser&) = delete;
  ~FrameListsCloser() {
    frame_lists.state = FrameLists::State::closed;
    for (FrameList& list : frame_lists.lists) {
      while (list.head != nullptr) ::operator delete(pop(list));
    }
  }
};

void open_lists() {
  static thread_local FrameListsCloser
      closer;  // the first call on a thread registers its destructor
  frame_lists.state = FrameLists::State::open;
}

void give(void* frame, FrameList& list) noexcept {
  if (frame_lists.state == FrameLists::State::untouched) open_lists();
  if (frame_lists.state == FrameLists::State::closed || list.count >= kFramesPerClassMax) {
    return ::operator delete(frame);
  }
  list.head = new (frame) FreeFrame{list.head};
  ++list.count;
}

}  // namespace

void* allocate_frame(std::size_t bytes) {
  const std::size_t size_class = (bytes - 1) / kClassBytes;
  if (size_class >= kClasses) return ::operator new(bytes);
  FrameList& list = frame_lists.lists[size_class];
  return list.head != nullptr ? pop(list) : ::operator new((size_class + 1) * kClassBytes);
}

void free_frame(void* frame, std::size_t bytes) noexcept {
  const std::size_t size_class = (bytes - 1) / kClassBytes;
  if (size_class >= kClasses) return ::operator delete(frame);
  give(frame, frame_lists.lists[size_class]);
}

}  // namespace stator::base
