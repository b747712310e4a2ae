// What a split copies into the new leaf, page by page (step 2 of "A split" in docs/design/rados.md).

#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

constexpr std::uint64_t kPageRows = 500;

}  // namespace

// 2. Copy. Everyone copies the same bytes, and nobody can after the new leaf was opened.
base::Task<Result<void>> RadosStore::copy_upper_part(LeafPointer leaf, const Header& header) {
  const std::string right = Leaf::object_name(header.split->leaf);
  for (const char kind : {'s', 'r', 'i', 'x'}) {
    std::string after(1, kind);
    if (kind != 's') after += header.split->at;  // fences are not of a range
    for (bool more = true; more;) {
      auto read = read_entries(leaf, after, std::string(1, kind), kPageRows);
      CO_TRY(const Reply::Entries page, co_await read);
      more = page.more;
      if (page.entries.empty()) break;
      WriteRequest copy;
      copy.comparisons.push_back({kEpochKey, Compare::equal, kClosedEpoch});
      for (const auto& [key, stored] : page.entries) {
        after = key;
        copy.set.emplace(key, stored);
        if (kind != 'r') continue;
        const std::string_view row = key_of_row(key);
        std::string size = encode_number(stored.size() + row.size()).substr(4);
        copy.set.emplace(twin_key(row), std::move(size));
      }
      auto written = cluster_->write(right, copy);
      const Reply written_reply = co_await written;
      if (written_reply.status == -ECANCELED)
        co_return Result<void>();  // it is open, so it is complete
      if (written_reply.status < 0)
        co_return tl::unexpected<Error>(to_error(written_reply.status, right));
      if (stop_here(Step::split_copied_page))
        co_return stopped_by_test();
    }
  }
  co_return Result<void>();
}

// Which leaves hold parts of the counters of the new range; the old leaf itself is one for those it
// has sums of.
base::Task<Result<void>> RadosStore::copy_counters(LeafPointer leaf, const Header& header) {
  const std::string right = Leaf::object_name(header.split->leaf);
  for (const char kind : {'c', 'p'}) {
    std::string after = counters_from(kind, header.split->at);
    const std::string end = header.to.empty() ? end_of_kind(kind) : counters_from(kind, header.to);
    for (bool more = true; more;) {
      auto read = read_entries(leaf, after, std::string(1, kind), kPageRows);
      CO_TRY(const Reply::Entries page, co_await read);
      more = page.more;
      WriteRequest copy;
      copy.comparisons.push_back({kEpochKey, Compare::equal, kClosedEpoch});
      for (const auto& [key, stored] : page.entries) {
        after = key;
        if (key >= end) {
          more = false;
          break;
        }
        copy.set.emplace(
            kind == 'p' ? key : part_key(counter_of(key, sizeof(Instance)), leaf->number()),
            "\x01");
      }
      if (copy.set.empty()) break;
      auto written = cluster_->write(right, copy);
      const Reply written_reply = co_await written;
      if (written_reply.status == -ECANCELED) co_return Result<void>();
      if (written_reply.status < 0)
        co_return tl::unexpected<Error>(to_error(written_reply.status, right));
    }
  }
  co_return Result<void>();
}

}  // namespace stator::store::rados
