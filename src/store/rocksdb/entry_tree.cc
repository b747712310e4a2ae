#include "store/rocksdb/entry_tree.h"

#include <algorithm>

namespace stator::store {
namespace {

constexpr std::size_t kSequenceBytes = 8;  // at the end of RocksDB's internal keys

}  // namespace

EntryTree::EntryTree(const Comparator& compare) : compare_(compare), first_leaf_(add_node(true)), root_(first_leaf_) {}

TreeNode* EntryTree::add_node(bool leaf) {
  TreeNode* const node = leaf ? &leaves_.emplace_back(true) : &branches_.emplace_back();
  bytes_.store(leaves_.size() * sizeof(TreeNode) + branches_.size() * sizeof(TreeBranch), std::memory_order_relaxed);
  return node;
}

EntryTree::Target EntryTree::target_of(const rocksdb::Slice& internal_key) {
  return {internal_key, KeyDigest::of({internal_key.data(), internal_key.size() - kSequenceBytes})};
}

std::uint32_t EntryTree::search(const TreeNode& node, const Target& target, Side side) const {
  std::uint32_t from = 0;
  std::uint32_t to = std::min(node.size(), TreeNode::kPlaces);
  while (from < to) {
    const std::uint32_t middle = (from + to) / 2;
    const KeyDigest digest = node.digest(middle);
    bool before = digest < target.digest;
    if (digest == target.digest) {
      const int order = compare_(node.key(middle), target.internal_key);
      before = order < 0 || (order == 0 && side == Side::above);
    }
    if (before) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

// Goes down from the root: `choose` tells the child of a node, `read` takes what it wants from the leaf and says whether that
// belongs together.
template <class Choose, class Read>
void EntryTree::descend(Choose choose, Read read) const {
  for (;;) {
    const TreeNode* node = root_.load(std::memory_order_acquire);
    std::uint32_t version = node->begin_read();
    bool valid = root_.load(std::memory_order_acquire) == node;
    while (valid && !node->is_leaf) {
      const TreeNode* const child = node->child(choose(*node));
      valid = node->unchanged_since(version);
      if (!valid) break;
      const std::uint32_t child_version = child->begin_read();
      // Still the parent's: what the child lost to a new neighbour since would have changed the parent first.
      valid = node->unchanged_since(version);
      node = child;
      version = child_version;
    }
    if (valid && read(*node, version)) return;
  }
}

bool EntryTree::copy_run(const TreeNode& leaf, std::uint32_t version, Run& run) {
  run.count = std::min(leaf.size(), TreeNode::kPlaces);
  for (std::uint32_t i = 0; i < run.count; ++i) run.entries[i] = leaf.key(i);
  run.next = leaf.next.load(std::memory_order_acquire);
  return leaf.unchanged_since(version);
}

void EntryTree::read_run(const TreeNode& leaf, Run& run) {
  while (!copy_run(leaf, leaf.begin_read(), run)) {
  }
}

std::uint32_t EntryTree::find_not_below(const rocksdb::Slice& internal_key, Run& run) const {
  const Target target = target_of(internal_key);
  std::uint32_t place = 0;
  descend(
      [&](const TreeNode& node) {
        const std::uint32_t above = search(node, target, Side::above);
        return above == 0 ? 0 : above - 1;
      },
      [&](const TreeNode& leaf, std::uint32_t version) {
        place = search(leaf, target, Side::not_below);
        return copy_run(leaf, version, run);
      });
  return place;
}

std::int64_t EntryTree::find_below(const rocksdb::Slice& internal_key, Run& run) const {
  const Target target = target_of(internal_key);
  std::int64_t place = -1;
  descend(
      [&](const TreeNode& node) {
        const std::uint32_t not_below = search(node, target, Side::not_below);
        return not_below == 0 ? 0 : not_below - 1;
      },
      [&](const TreeNode& leaf, std::uint32_t version) {
        place = std::int64_t{search(leaf, target, Side::not_below)} - 1;
        return copy_run(leaf, version, run);
      });
  return place;
}

void EntryTree::last_run(Run& run) const {
  descend([](const TreeNode& node) { return std::min(node.size(), TreeNode::kPlaces) - 1; },
          [&](const TreeNode& leaf, std::uint32_t version) { return copy_run(leaf, version, run); });
}

// Moves what stands from place `keep` on in a child to a new node beside it. The parent has room, and is changed first, so that
// a reader who goes by its old state finds that out.
TreeNode* EntryTree::split(TreeNode& parent, std::uint32_t place, std::uint32_t keep) {
  TreeNode& left = *parent.child(place);
  TreeNode* const right = add_node(left.is_leaf);
  for (std::uint32_t i = keep; i < left.size(); ++i) right->copy(i - keep, left, i);
  right->count.store(left.size() - keep, std::memory_order_release);
  right->next.store(left.next.load(std::memory_order_relaxed), std::memory_order_relaxed);
  parent.begin_change();
  left.begin_change();
  parent.insert(place + 1, right->digest(0), right->key(0), right);
  left.count.store(keep, std::memory_order_release);
  if (left.is_leaf) left.next.store(right, std::memory_order_release);
  left.end_change();
  parent.end_change();
  return right;
}

void EntryTree::insert(const char* entry) {
  const Target target = target_of(compare_.decode_key(entry));
  TreeNode* node = root_.load(std::memory_order_relaxed);
  if (node->size() == TreeNode::kPlaces) {
    // A new root over the full one, which is then split as any other child.
    TreeNode* const root = add_node(false);
    root->insert(0, node->digest(0), node->key(0), node);
    root_.store(root, std::memory_order_release);
    node = root;
  }
  while (!node->is_leaf) {
    const std::uint32_t above = search(*node, target, Side::above);
    std::uint32_t place = above == 0 ? 0 : above - 1;
    TreeNode* child = node->child(place);
    if (child->size() == TreeNode::kPlaces) {
      // Keys that come in their order fill their nodes; others leave half of the room on both sides.
      const bool at_end = search(*child, target, Side::above) == TreeNode::kPlaces;
      TreeNode* const right = split(*node, place, at_end ? TreeNode::kPlaces - 1 : TreeNode::kPlaces / 2);
      if (search(*right, target, Side::above) != 0) child = right;
    }
    node = child;
  }
  node->begin_change();
  node->insert(search(*node, target, Side::not_below), target.digest, entry, nullptr);
  node->end_change();
}

}  // namespace stator::store
