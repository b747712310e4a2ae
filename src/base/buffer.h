#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace stator::base {

// A growing run of bytes. Unlike std::string it never fills the room that it makes, and it keeps its
// capacity when cleared, so a connection answers many requests with one allocation. One owner, one thread.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept
      : bytes_(std::move(other.bytes_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  [[nodiscard]] char* data() noexcept { return bytes_.get(); }
  [[nodiscard]] const char* data() const noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes_.get(), size_}; }

  // Room for `more` bytes behind the end, without counting them as content yet; `commit` counts them.
  char* prepare(std::size_t more) {
    if (capacity_ - size_ < more) grow(size_ + more);
    return bytes_.get() + size_;
  }
  void commit(std::size_t written) noexcept {
    DCHECK(written <= capacity_ - size_);
    size_ += written;
  }

  void append(std::string_view text) {
    if (text.empty()) return;
    std::memcpy(prepare(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void push_back(char byte) {
    *prepare(1) = byte;
    ++size_;
  }

  void truncate(std::size_t size) noexcept {
    DCHECK(size <= size_);
    size_ = size;
  }
  void clear() noexcept { size_ = 0; }
  // Drops the memory of a buffer that one large answer has blown up.
  void release_above(std::size_t capacity_max) noexcept {
    if (capacity_ <= capacity_max) return;
    bytes_.reset();
    size_ = capacity_ = 0;
  }

 private:
  void grow(std::size_t needed) {
    std::size_t capacity = capacity_ < 256 ? 256 : capacity_ * 2;
    if (capacity < needed) capacity = needed;
    std::unique_ptr<char[]> bytes(new char[capacity]);  // new char[]: uninitialised on purpose
    if (size_ != 0) std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace stator::base
