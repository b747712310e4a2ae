#pragma once

#include <cstddef>

namespace stator::base {

// Memory for coroutine frames: a free list per thread and size class, because a frame is allocated for
// each engine operation and malloc would be a visible part of a GetItem. A frame may be freed on another
// thread than it came from; it then joins that thread's list. Each list is bounded.
void* allocate_frame(std::size_t bytes);
void free_frame(void* frame, std::size_t bytes) noexcept;

}  // namespace stator::base
