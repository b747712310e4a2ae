#include "store/rocksdb/write_buffer.h"

#include <array>
#include <cstddef>
#include <new>

#include "store/rocksdb/entry_tree.h"

namespace rocksdb {

// The public headers name this class, since iterators are to be made in it, and leave out how. Of all that it has, this one function is
// declared here; the linker finds it, or says so.
class Arena {
 public:
  char* AllocateAligned(std::size_t bytes, std::size_t huge_page_size, Logger* logger);
};

}  // namespace rocksdb

namespace stator::store {
namespace {

// Goes through a tree leaf by leaf, with a copy of the leaf it is in. What is inserted meanwhile it may or may not show: RocksDB
// passes over entries that are newer than the reader.
class TreeIterator : public rocksdb::MemTableRep::Iterator {
 public:
  TreeIterator(const EntryTree& tree, const EntryTree::Comparator& compare) : tree_(tree), compare_(compare) {}

  bool Valid() const override { return place_ < run_.count; }
  const char* key() const override { return run_.entries[place_]; }
  void Next() override {
    ++place_;
    go_on();
  }
  void Prev() override { go_below(compare_.decode_key(key())); }
  void Seek(const rocksdb::Slice& internal_key, const char* /*entry*/) override {
    place_ = tree_.find_not_below(internal_key, run_);
    go_on();
  }
  void SeekForPrev(const rocksdb::Slice& internal_key, const char* entry) override {
    Seek(internal_key, entry);
    if (Valid() && compare_(key(), internal_key) == 0) return;
    go_below(internal_key);
  }
  void SeekToFirst() override {
    tree_.first_run(run_);
    place_ = 0;
    go_on();
  }
  void SeekToLast() override {
    tree_.last_run(run_);
    place_ = run_.count == 0 ? 0 : run_.count - 1;
  }

 private:
  void go_on() {
    while (place_ == run_.count && run_.next != nullptr) {
      EntryTree::read_run(*run_.next, run_);
      place_ = 0;
    }
  }
  void go_below(const rocksdb::Slice& internal_key) {
    if (Valid() && place_ > 0 && compare_(run_.entries[place_ - 1], internal_key) < 0) {
      --place_;
      return;
    }
    const std::int64_t place = tree_.find_below(internal_key, run_);
    place_ = place < 0 ? run_.count : static_cast<std::uint32_t>(place);
    if (place < 0) run_.next = nullptr;
  }

  const EntryTree& tree_;
  const EntryTree::Comparator& compare_;
  EntryTree::Run run_;
  std::uint32_t place_ = 0;
};

// For a look-up of one key. RocksDB asks for an iterator for each of them and does not give it back, so there is one for each
// thread, made anew in the same place; to delete it does nothing.
class LookUpIterator final : public TreeIterator {
 public:
  using TreeIterator::TreeIterator;
  static LookUpIterator* of_this_thread(const EntryTree& tree, const EntryTree::Comparator& compare) {
    alignas(LookUpIterator) thread_local std::array<std::byte, sizeof(LookUpIterator)> place;
    return ::new (place.data()) LookUpIterator(tree, compare);
  }
  static void operator delete(void* /*place*/) noexcept {}
};

class WriteBuffer final : public rocksdb::MemTableRep {
 public:
  WriteBuffer(const KeyComparator& compare, rocksdb::Allocator* allocator)
      : MemTableRep(allocator), compare_(compare), tree_(compare) {}

  void Insert(rocksdb::KeyHandle handle) override { tree_.insert(static_cast<const char*>(handle)); }
  bool Contains(const char* key) const override {
    TreeIterator at(tree_, compare_);
    const rocksdb::Slice internal_key = compare_.decode_key(key);
    at.Seek(internal_key, key);
    return at.Valid() && compare_(at.key(), internal_key) == 0;
  }
  std::size_t ApproximateMemoryUsage() override { return tree_.bytes(); }
  Iterator* GetIterator(rocksdb::Arena* arena) override {
    if (arena == nullptr) return new TreeIterator(tree_, compare_);
    return new (arena->AllocateAligned(sizeof(TreeIterator), 0, nullptr)) TreeIterator(tree_, compare_);
  }
  Iterator* GetDynamicPrefixIterator(rocksdb::Arena* arena) override {
    return arena == nullptr ? LookUpIterator::of_this_thread(tree_, compare_) : GetIterator(arena);
  }

 private:
  const KeyComparator& compare_;
  EntryTree tree_;
};

class WriteBufferFactory final : public rocksdb::MemTableRepFactory {
 public:
  using MemTableRepFactory::CreateMemTableRep;
  rocksdb::MemTableRep* CreateMemTableRep(const rocksdb::MemTableRep::KeyComparator& compare,
                                          rocksdb::Allocator* allocator, const rocksdb::SliceTransform* /*prefix*/,
                                          rocksdb::Logger* /*logger*/) override {
    return new WriteBuffer(compare, allocator);
  }
  const char* Name() const override { return "StatorWriteBuffer"; }
};

}  // namespace

std::shared_ptr<rocksdb::MemTableRepFactory> make_write_buffer_factory() {
  return std::make_shared<WriteBufferFactory>();
}

}  // namespace stator::store
