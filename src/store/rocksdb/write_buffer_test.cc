#include "store/rocksdb/write_buffer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "store/rocksdb/entry_tree.h"

namespace stator::store {
namespace {

// As RocksDB's: a length (of one byte here), the key and eight bytes of sequence, of which the greater comes first.
class Comparator final : public rocksdb::MemTableRep::KeyComparator {
 public:
  rocksdb::Slice decode_key(const char* entry) const override {
    return {entry + 1, static_cast<unsigned char>(*entry)};
  }
  int operator()(const char* a, const char* b) const override { return (*this)(a, decode_key(b)); }
  int operator()(const char* a, const rocksdb::Slice& b) const override { return order(decode_key(a), b); }

  static int order(const rocksdb::Slice& a, const rocksdb::Slice& b) {
    const rocksdb::Slice user_a(a.data(), a.size() - 8);
    const rocksdb::Slice user_b(b.data(), b.size() - 8);
    const int by_key = user_a.compare(user_b);
    return by_key != 0 ? by_key : -std::memcmp(a.data() + user_a.size(), b.data() + user_b.size(), 8);
  }
};

std::string entry_of(const std::string& key, std::uint64_t sequence) {
  std::string entry(1, static_cast<char>(key.size() + 8));
  entry += key;
  for (int shift = 56; shift >= 0; shift -= 8) entry.push_back(static_cast<char>(sequence >> shift));
  return entry;
}

struct ByKey {
  using is_transparent = void;
  bool operator()(const std::string& a, const std::string& b) const { return Comparator()(a.data(), b.data()) < 0; }
};
using Expected = std::set<std::string, ByKey>;

// Keys with much in common, so that digests are often equal, and some that are one the beginning of another.
std::string random_key(std::mt19937& random) {
  static const char* const kBeginnings[] = {"", "table-1/hash", "table-1/hash/partition-of-many-rows#", "zz"};
  std::string key = kBeginnings[random() % 4];
  for (std::uint32_t i = random() % 6; i > 0; --i) key.push_back(static_cast<char>(random() % 3 == 0 ? 0 : 'a' + random() % 4));
  return key;
}

class WriteBufferTest : public testing::Test {
 protected:
  void insert(const std::string& entry) {
    entries_.push_back(entry);
    buffer_->Insert(entries_.back().data());
  }
  static rocksdb::Slice key_in(const std::string& entry) { return {entry.data() + 1, entry.size() - 1}; }

  Comparator compare_;
  std::deque<std::string> entries_;
  std::unique_ptr<rocksdb::MemTableRep> buffer_{
      make_write_buffer_factory()->CreateMemTableRep(compare_, nullptr, nullptr, nullptr)};
};

TEST_F(WriteBufferTest, IsEmptyAtFirst) {
  const std::unique_ptr<rocksdb::MemTableRep::Iterator> at(buffer_->GetIterator());
  at->SeekToFirst();
  EXPECT_FALSE(at->Valid());
  at->SeekToLast();
  EXPECT_FALSE(at->Valid());
  at->Seek(key_in(entry_of("a", 1)), nullptr);
  EXPECT_FALSE(at->Valid());
  at->SeekForPrev(key_in(entry_of("a", 1)), nullptr);
  EXPECT_FALSE(at->Valid());
  EXPECT_FALSE(buffer_->Contains(entry_of("a", 1).data()));
}

TEST_F(WriteBufferTest, HasTheOrderOfASet) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    buffer_.reset(make_write_buffer_factory()->CreateMemTableRep(compare_, nullptr, nullptr, nullptr));
    entries_.clear();
    std::mt19937 random(seed);
    Expected expected;
    for (std::uint64_t sequence = 1; sequence <= 20'000; ++sequence) {
      // The last seed inserts in order, the one before it in the opposite order.
      const std::string key = seed == 1   ? random_key(random)
                              : seed == 2 ? std::to_string(1'000'000 - sequence)
                                          : std::to_string(1'000'000 + sequence);
      insert(entry_of(key, sequence));
      expected.insert(entries_.back());
    }
    const std::unique_ptr<rocksdb::MemTableRep::Iterator> at(buffer_->GetIterator());
    at->SeekToFirst();
    for (const std::string& entry : expected) {
      ASSERT_TRUE(at->Valid());
      ASSERT_EQ(compare_(at->key(), entry.data()), 0);
      at->Next();
    }
    EXPECT_FALSE(at->Valid());
    at->SeekToLast();
    for (auto entry = expected.rbegin(); entry != expected.rend(); ++entry) {
      ASSERT_TRUE(at->Valid());
      ASSERT_EQ(compare_(at->key(), entry->data()), 0);
      at->Prev();
    }
    EXPECT_FALSE(at->Valid());
  }
}

TEST_F(WriteBufferTest, SeeksAsASetDoes) {
  std::mt19937 random(4);
  Expected expected;
  const std::unique_ptr<rocksdb::MemTableRep::Iterator> at(buffer_->GetIterator());
  for (std::uint64_t sequence = 1; sequence <= 6'000; ++sequence) {
    insert(entry_of(random_key(random), sequence));
    expected.insert(entries_.back());
    const std::string target = entry_of(random_key(random), random() % 7'000);
    EXPECT_EQ(buffer_->Contains(target.data()), expected.contains(target));
    EXPECT_TRUE(buffer_->Contains(entries_[random() % entries_.size()].data()));
    const auto lower = expected.lower_bound(target);
    at->Seek(key_in(target), nullptr);
    ASSERT_EQ(at->Valid(), lower != expected.end());
    if (at->Valid()) {
      ASSERT_EQ(compare_(at->key(), lower->data()), 0);
      at->Prev();
      ASSERT_EQ(at->Valid(), lower != expected.begin());
      if (at->Valid()) {
        ASSERT_EQ(compare_(at->key(), std::prev(lower)->data()), 0);
        at->Next();
        ASSERT_TRUE(at->Valid());
        ASSERT_EQ(compare_(at->key(), lower->data()), 0);
      }
    }
    auto upper = expected.upper_bound(target);
    at->SeekForPrev(key_in(target), nullptr);
    ASSERT_EQ(at->Valid(), upper != expected.begin());
    if (at->Valid()) {
      ASSERT_EQ(compare_(at->key(), std::prev(upper)->data()), 0);
    }
  }
}

// RocksDB keeps no iterator of a look-up, and deletes none.
TEST_F(WriteBufferTest, LooksKeysUpWithoutMemoryOfItsOwn) {
  insert(entry_of("a", 1));
  rocksdb::MemTableRep::Iterator* const first = buffer_->GetDynamicPrefixIterator();
  for (int i = 0; i < 3; ++i) {
    rocksdb::MemTableRep::Iterator* const at = buffer_->GetDynamicPrefixIterator();
    EXPECT_EQ(at, first);
    at->Seek(key_in(entry_of("a", 1)), nullptr);
    EXPECT_TRUE(at->Valid());
  }
  delete first;
  std::thread([&] { EXPECT_NE(buffer_->GetDynamicPrefixIterator(), first); }).join();
}

TEST_F(WriteBufferTest, CountsTheMemoryOfItsNodes) {
  const std::size_t empty = buffer_->ApproximateMemoryUsage();
  for (std::uint64_t i = 0; i < 1000; ++i) insert(entry_of(std::to_string(i), i));
  EXPECT_GE(buffer_->ApproximateMemoryUsage(), empty + 1000 * 3 * sizeof(void*));
}

// Whatever was there before a reader began, it finds, in order, however much is inserted meanwhile.
TEST_F(WriteBufferTest, ReadersNeedNotWaitForTheWriter) {
  constexpr std::uint64_t kEntries = 60'000;
  std::vector<std::string> planned;
  std::mt19937 random(5);
  for (std::uint64_t i = 0; i < kEntries; ++i) planned.push_back(entry_of("k" + std::to_string(random() % 100'000), i));
  std::atomic<std::uint64_t> inserted{0};
  std::atomic<int> passes{0};
  const auto read = [&](unsigned seed) {
    std::mt19937 choose(seed);
    const std::unique_ptr<rocksdb::MemTableRep::Iterator> at(buffer_->GetIterator());
    for (bool last = false; !last;) {
      const std::uint64_t before = inserted.load(std::memory_order_acquire);
      last = before == kEntries;
      for (int i = 0; i < 200 && before > 0; ++i) {
        const std::string& known = planned[choose() % before];
        at->Seek(key_in(known), nullptr);
        ASSERT_TRUE(at->Valid());
        ASSERT_EQ(compare_(at->key(), known.data()), 0);
      }
      std::uint64_t seen = 0;
      const char* previous = nullptr;
      const bool forward = choose() % 2 == 0;
      for (forward ? at->SeekToFirst() : at->SeekToLast(); at->Valid(); forward ? at->Next() : at->Prev()) {
        if (previous != nullptr) {
          ASSERT_EQ(compare_(previous, at->key()) < 0, forward);
        }
        previous = at->key();
        ++seen;
      }
      ASSERT_GE(seen, before);
      ++passes;
    }
  };
  std::thread first([&] { read(1); });
  std::thread second([&] { read(2); });
  for (const std::string& entry : planned) {
    buffer_->Insert(const_cast<char*>(entry.data()));
    inserted.fetch_add(1, std::memory_order_release);
  }
  first.join();
  second.join();
  EXPECT_GE(passes.load(), 2);
}

}  // namespace
}  // namespace stator::store
