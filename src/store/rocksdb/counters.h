#pragma once

#include <rocksdb/merge_operator.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/store.h"

namespace stator::store {

// A row of counters as it is stored: `sum*`, each a signed 64-bit number, little endian. A row and
// a delta to it look the same; a missing number counts as zero.

[[nodiscard]] std::string encode_counters(std::span<const std::int64_t> sums);
// Fails when the length is no multiple of eight. Numbers beyond `count` are left out, missing ones
// are zero.
[[nodiscard]] Result<std::vector<std::int64_t>> decode_counters(std::string_view row,
                                                                std::size_t count);

// Adds up rows and deltas inside RocksDB, so that an Add needs no read.
[[nodiscard]] std::shared_ptr<rocksdb::MergeOperator> make_counter_merge_operator();

// The deltas of one group of commits, added up by key: a hot row then costs one merge for each
// group, however many commits are in it. One thread. Keys are borrowed from the batches until
// clear().
class DeltaSums {
 public:
  void add(const Add& add);
  [[nodiscard]] const std::unordered_map<std::string_view, std::vector<std::int64_t>>& sums()
      const {
    return sums_;
  }
  void clear() { sums_.clear(); }

 private:
  std::unordered_map<std::string_view, std::vector<std::int64_t>> sums_;
};

}  // namespace stator::store
