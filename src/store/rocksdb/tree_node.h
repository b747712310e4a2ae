#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <thread>

namespace stator::store {

// The first sixteen bytes of a key as two numbers: compares as the keys do, unless it is equal.
struct KeyDigest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const KeyDigest&) const = default;

  static KeyDigest of(std::string_view key) noexcept {
    std::array<char, 16> bytes{};
    std::memcpy(bytes.data(), key.data(), key.size() < bytes.size() ? key.size() : bytes.size());
    return {big_endian(bytes.data()), big_endian(bytes.data() + 8)};
  }

 private:
  static std::uint64_t big_endian(const char* at) noexcept {
    std::uint64_t number;
    std::memcpy(&number, at, sizeof(number));
    return __builtin_bswap64(number);
  }
};

// A node of a tree that one thread changes while others read.
//
// Readers take no lock: they note the version, read, and look whether the version is still the same. If not, what they have
// read is worth nothing, and they begin again. Nodes live as long as the tree, and so do the entries that they point to, so nothing
// that a reader comes across in between is gone.
struct TreeNode {
  static constexpr std::uint32_t kPlaces = 32;

  explicit TreeNode(bool leaf) noexcept : is_leaf(leaf) {}

  // Waits until nobody is changing the node.
  [[nodiscard]] std::uint32_t begin_read() const noexcept {
    for (;;) {
      const std::uint32_t now = version.load(std::memory_order_acquire);
      if ((now & 1) == 0) return now;
      std::this_thread::yield();  // a change takes less than a microsecond, unless its thread had to make way for this one
    }
  }
  // Whether all that was read since begin_read() belongs together.
  [[nodiscard]] bool unchanged_since(std::uint32_t then) const noexcept {
    std::atomic_thread_fence(std::memory_order_acquire);
    return version.load(std::memory_order_relaxed) == then;
  }
  void begin_change() noexcept {
    version.store(version.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
  }
  void end_change() noexcept {
    version.store(version.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  [[nodiscard]] std::uint32_t size() const noexcept { return count.load(std::memory_order_acquire); }
  [[nodiscard]] KeyDigest digest(std::uint32_t place) const noexcept {
    return {highs[place].load(std::memory_order_relaxed), lows[place].load(std::memory_order_relaxed)};
  }
  [[nodiscard]] const char* key(std::uint32_t place) const noexcept { return keys[place].load(std::memory_order_acquire); }
  [[nodiscard]] TreeNode* child(std::uint32_t place) const noexcept;

  // What stands at a place, in the order of places. For the writer, within a change.
  void set(std::uint32_t place, KeyDigest digest, const char* entry, TreeNode* below) noexcept {
    highs[place].store(digest.high, std::memory_order_relaxed);
    lows[place].store(digest.low, std::memory_order_relaxed);
    keys[place].store(entry, std::memory_order_release);
    if (!is_leaf) set_child(place, below);
  }
  void set_child(std::uint32_t place, TreeNode* below) noexcept;
  void copy(std::uint32_t to, const TreeNode& from, std::uint32_t place) noexcept {
    set(to, from.digest(place), from.key(place), is_leaf ? nullptr : from.child(place));
  }
  void insert(std::uint32_t place, KeyDigest digest, const char* entry, TreeNode* below) noexcept {
    for (std::uint32_t i = size(); i > place; --i) copy(i, *this, i - 1);
    set(place, digest, entry, below);
    count.store(size() + 1, std::memory_order_release);
  }

  std::atomic<std::uint32_t> version{0};  // odd while the node is being changed
  std::atomic<std::uint32_t> count{0};
  const bool is_leaf;
  std::atomic<TreeNode*> next{nullptr};  // of leaves: the one with the keys that follow
  std::array<std::atomic<std::uint64_t>, kPlaces> highs{};
  std::array<std::atomic<std::uint64_t>, kPlaces> lows{};
  // Of a leaf: its entries. Of another node: the first entry under each child, as it was when the child came to be; what the
  // first child holds may be less than that.
  std::array<std::atomic<const char*>, kPlaces> keys{};
};

// A node that is no leaf.
struct TreeBranch : TreeNode {
  TreeBranch() noexcept : TreeNode(false) {}
  std::array<std::atomic<TreeNode*>, kPlaces> children{};
};

inline TreeNode* TreeNode::child(std::uint32_t place) const noexcept {
  return static_cast<const TreeBranch*>(this)->children[place].load(std::memory_order_acquire);
}
inline void TreeNode::set_child(std::uint32_t place, TreeNode* below) noexcept {
  static_cast<TreeBranch*>(this)->children[place].store(below, std::memory_order_release);
}

}  // namespace stator::store
