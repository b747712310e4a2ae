#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace stator::base {

// Memory that lives as long as one request: bump allocation, freed all at once. Only trivially
// destructible things go in. `reset` keeps the first block, so a reused arena allocates nothing in the
// common case. One owner, one thread at a time.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* allocate(std::size_t bytes, std::size_t alignment) {
    const auto at = (reinterpret_cast<std::uintptr_t>(next_) + alignment - 1) & ~(alignment - 1);
    auto* start = reinterpret_cast<char*>(at);
    if (next_ == nullptr || start > end_ || static_cast<std::size_t>(end_ - start) < bytes) {
      return allocate_block(bytes, alignment);
    }
    next_ = start + bytes;
    return start;
  }

  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  // Uninitialised room for `count` elements.
  template <class T>
  std::span<T> array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return {static_cast<T*>(allocate(count * sizeof(T), alignof(T))), count};
  }

  template <class T>
  std::span<T> copy(std::span<const T> from) {
    std::span<T> to = array<T>(from.size());
    std::uninitialized_copy(from.begin(), from.end(), to.begin());
    return to;
  }
  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* to = static_cast<char*>(allocate(text.size(), 1));
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

  void reset() noexcept {
    if (blocks_.size() > 1) blocks_.resize(1);
    if (!blocks_.empty()) {
      next_ = blocks_.front().get();
      end_ = next_ + kBlockBytes;
    }
  }

 private:
  static constexpr std::size_t kBlockBytes = 16 * 1024;

  void* allocate_block(std::size_t bytes, std::size_t alignment) {
    // A large object gets a block of its own behind the current one, so that the rest of the current
    // block is not given up for it. The first block is always a common one: reset() relies on it.
    const std::size_t needed = bytes + alignment;
    if (needed > kBlockBytes / 2 && !blocks_.empty()) {
      blocks_.emplace_back(new char[needed]);
      const auto at = reinterpret_cast<std::uintptr_t>(blocks_.back().get());
      return reinterpret_cast<void*>((at + alignment - 1) & ~(alignment - 1));
    }
    blocks_.emplace_back(new char[kBlockBytes]);
    next_ = blocks_.back().get();
    end_ = next_ + kBlockBytes;
    return allocate(bytes, alignment);
  }

  char* next_ = nullptr;
  char* end_ = nullptr;
  std::vector<std::unique_ptr<char[]>> blocks_;
};

}  // namespace stator::base
