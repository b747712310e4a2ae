// How full a leaf is, and what follows: forgotten transactions are finished, old tombstones go, and a
// leaf that is too large is split.

#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

constexpr std::uint64_t kTombstonesMax = 5'000;

std::uint64_t size_in_twin(const std::string& stored) {
  return decode_number(std::string(4, '\0') + stored);
}

}  // namespace

struct RadosStore::Measure {
  std::uint64_t bytes = 0;
  std::uint64_t tombstones = 0;
  std::vector<std::pair<std::string, std::uint64_t>> rows;  // keys and sizes, descending
  std::vector<std::pair<Stamp, std::vector<std::string>>> records;

  // The key at which about half of the bytes are below; empty when there are not two rows.
  [[nodiscard]] std::string middle() const {
    if (rows.size() < 2) return {};
    std::uint64_t above = 0;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      above += rows[i].second;
      if (above >= bytes / 2) return rows[i].first;
    }
    return rows[rows.size() - 2].first;
  }
};

void RadosStore::measure_if_due(const LeafPointer& leaf) {
  if (leaf->take_measuring_due(options_.measure_after_rows, options_.measure_after_bytes) &&
      !worker_.closing()) {
    worker_.spawn(measure_and_split(leaf, false));
  }
}

base::Task<Result<void>> RadosStore::split_leaf_of(std::string_view key) {
  auto split = measure_and_split(map_.find(key), true);
  co_return co_await split;
}

base::Task<Result<RadosStore::Measure>> RadosStore::measure(LeafPointer leaf) {
  Measure measure;
  for (const char kind : {'d', 'x', 't'}) {
    std::string after(1, kind);
    for (bool more = true; more;) {
      auto read = read_entries(leaf, after, std::string(1, kind), 1000);
      CO_TRY(const Reply::Entries page, co_await read);
      more = page.more;
      for (const auto& [key, stored] : page.entries) {
        after = key;
        if (kind == 'd') {
          measure.rows.emplace_back(key_of_twin(key), size_in_twin(stored));
          measure.bytes += measure.rows.back().second;
        } else if (kind == 'x') {
          ++measure.tombstones;
        } else {
          CO_TRY(std::vector<std::string> keys, decode_keys(stored));
          measure.records.emplace_back(decode_number(std::string_view(key).substr(1)),
                                       std::move(keys));
        }
      }
    }
  }
  co_return std::move(measure);
}

base::Task<Result<void>> RadosStore::measure_and_split(LeafPointer leaf, bool force) {
  auto measured = measure(leaf);
  CO_TRY(Measure size, co_await measured);
  // Records are left by nodes that died; finishing a living one's is no harm.
  for (auto& [transaction, keys] : size.records) {
    auto finished = finish(transaction, leaf->number(), std::move(keys));
    CO_TRY_VOID(co_await finished);
  }
  if (size.tombstones > kTombstonesMax) {
    LeafCommit commit;
    commit.stamp = next_stamp();
    commit.whole_leaf = true;
    commit.removed_ranges.emplace_back("x", end_of_kind('x'));
    commit.sets.emplace_back(kFloorKey, encode_number(commit.stamp));
    leaf->start(commit);
    co_await leaf->wait(commit);
  }
  const bool large =
      size.bytes > options_.leaf_bytes_max || size.rows.size() > options_.leaf_rows_max;
  std::string at = size.middle();
  if ((!large && !force) || at.empty()) co_return Result<void>();
  auto begun = begin_split(leaf, std::move(at));
  CO_TRY_VOID(co_await begun);
  auto continued = continue_split(leaf);
  co_return co_await continued;
}

}  // namespace stator::store::rados
