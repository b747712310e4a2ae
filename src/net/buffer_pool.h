#pragma once

#include <cstddef>
#include <vector>

#include "base/buffer.h"

namespace stator::net {

// The buffers of a reactor's connections. A connection holds one only while it has bytes to keep,
// so a thousand idle connections cost no more than their objects, and busy ones share memory that
// is in the cache. One thread.
class BufferPool {
 public:
  static constexpr std::size_t kBufferBytes = 16 * 1024;
  static constexpr std::size_t kKeptBytesMax = 4 * kBufferBytes;  // larger ones are freed

  BufferPool() { kept_.reserve(kKeptMax); }

  [[nodiscard]] base::Buffer take() {
    base::Buffer buffer;
    if (kept_.empty()) {
      buffer.prepare(kBufferBytes);
    } else {
      buffer = std::move(kept_.back());
      kept_.pop_back();
    }
    return buffer;
  }

  // Leaves `buffer` without memory.
  void give(base::Buffer& buffer) noexcept {
    buffer.clear();
    if (buffer.capacity() >= kBufferBytes && buffer.capacity() <= kKeptBytesMax &&
        kept_.size() < kKeptMax) {
      kept_.push_back(std::move(buffer));
    } else {
      buffer.release_above(0);
    }
  }

 private:
  static constexpr std::size_t kKeptMax = 96;  // for a row that is read (reactor.cc), and the answers of some rows

  std::vector<base::Buffer> kept_;
};

}  // namespace stator::net
