#include "store/rocksdb/counters.h"

#include "store/add_wrapping.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace stator::store {
namespace {

static_assert(std::endian::native == std::endian::little, "the stored form is the form in memory");

bool well_formed(std::string_view row) { return row.size() % sizeof(std::int64_t) == 0; }

void add_to(std::string& row, std::string_view deltas) {
  if (row.size() < deltas.size()) row.resize(deltas.size(), '\0');
  for (std::size_t at = 0; at < deltas.size(); at += sizeof(std::int64_t)) {
    std::int64_t sum = 0;
    std::int64_t delta = 0;
    std::memcpy(&sum, row.data() + at, sizeof sum);
    std::memcpy(&delta, deltas.data() + at, sizeof delta);
    sum = add_wrapping(sum, delta);
    std::memcpy(row.data() + at, &sum, sizeof sum);
  }
}

class CounterMergeOperator final : public rocksdb::AssociativeMergeOperator {
 public:
  const char* Name() const override { return "stator.counters"; }  // stored: never change it

  bool Merge(const rocksdb::Slice& /*key*/, const rocksdb::Slice* existing,
             const rocksdb::Slice& value, std::string* sum,
             rocksdb::Logger* /*logger*/) const override {
    sum->clear();
    if (existing != nullptr) {
      if (!well_formed({existing->data(), existing->size()})) return false;
      sum->assign(existing->data(), existing->size());
    }
    if (!well_formed({value.data(), value.size()})) return false;
    add_to(*sum, {value.data(), value.size()});
    return true;
  }
};

}  // namespace

std::string encode_counters(std::span<const std::int64_t> sums) {
  std::string row(sums.size_bytes(), '\0');
  if (!sums.empty()) std::memcpy(row.data(), sums.data(), row.size());
  return row;
}

Result<std::vector<std::int64_t>> decode_counters(std::string_view row, std::size_t count) {
  if (!well_formed(row)) return fail(ErrorCode::corruption, "a row of counters has a wrong length");
  std::vector<std::int64_t> sums(count);
  const std::size_t bytes = std::min(row.size(), count * sizeof(std::int64_t));
  if (bytes != 0) std::memcpy(sums.data(), row.data(), bytes);
  return sums;
}

std::shared_ptr<rocksdb::MergeOperator> make_counter_merge_operator() {
  return std::make_shared<CounterMergeOperator>();
}

void DeltaSums::add(const Add& add) {
  std::vector<std::int64_t>& sums = sums_[add.key];
  if (sums.size() < add.deltas.size()) sums.resize(add.deltas.size());
  for (std::size_t i = 0; i < add.deltas.size(); ++i)
    sums[i] = add_wrapping(sums[i], add.deltas[i]);
}

}  // namespace stator::store
