#pragma once

#include <rocksdb/memtablerep.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>

#include "store/rocksdb/tree_node.h"

namespace stator::store {

// An ordered set of RocksDB's write-buffer entries: a B+ tree for one writer and any number of readers.
//
// Keys of many rows go through the processor's caches badly: each step of a search in a skip list looks at an entry
// somewhere in memory. Here the first bytes of 32 keys stand together in one node, and a search looks at four or five nodes and at
// one or two entries.
class EntryTree {
 public:
  using Comparator = rocksdb::MemTableRep::KeyComparator;
  // Entries of one leaf at one moment.
  struct Run {
    std::array<const char*, TreeNode::kPlaces> entries;
    std::uint32_t count = 0;
    const TreeNode* next = nullptr;
  };

  explicit EntryTree(const Comparator& compare);
  EntryTree(const EntryTree&) = delete;
  EntryTree& operator=(const EntryTree&) = delete;

  // For the one writer. The entry must differ from all others, and live as long as the tree.
  void insert(const char* entry);

  // For readers. The first two return the place in the run: of the first entry that is not below the key (the run's count if there is
  // none in the leaf where it would be, and then it is the first of the next run); of the last entry that is below it (-1 if there is none).
  [[nodiscard]] std::uint32_t find_not_below(const rocksdb::Slice& internal_key, Run& run) const;
  [[nodiscard]] std::int64_t find_below(const rocksdb::Slice& internal_key, Run& run) const;
  void first_run(Run& run) const { read_run(*first_leaf_, run); }
  void last_run(Run& run) const;
  static void read_run(const TreeNode& leaf, Run& run);

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Target {
    rocksdb::Slice internal_key;
    KeyDigest digest;
  };
  enum class Side : std::uint8_t { not_below, above };

  [[nodiscard]] static Target target_of(const rocksdb::Slice& internal_key);
  // The first place whose key is not below the target, or is above it.
  [[nodiscard]] std::uint32_t search(const TreeNode& node, const Target& target, Side side) const;
  template <class Choose, class Read>
  void descend(Choose choose, Read read) const;
  static bool copy_run(const TreeNode& leaf, std::uint32_t version, Run& run);
  TreeNode* add_node(bool leaf);
  TreeNode* split(TreeNode& parent, std::uint32_t place, std::uint32_t keep);

  const Comparator& compare_;
  // The writer's; their elements do not move.
  std::deque<TreeNode> leaves_;
  std::deque<TreeBranch> branches_;
  std::atomic<std::size_t> bytes_{0};
  TreeNode* first_leaf_;
  std::atomic<TreeNode*> root_;
};

}  // namespace stator::store
