#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "store/add_wrapping.h"
#include "store/open.h"
#include "store/version_slots.h"

namespace stator::store {
namespace {

// An immutable value that the map and the readers of it share. A put installs a new one, so a
// reader keeps what it got without a copy. The count and the bytes are one allocation.
class SharedValue {
 public:
  explicit SharedValue(std::string_view bytes)
      : block_(new (::operator new(sizeof(Block) + bytes.size())) Block{1, bytes.size()}) {
    if (!bytes.empty()) std::memcpy(data(), bytes.data(), bytes.size());
  }
  SharedValue(SharedValue&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedValue& operator=(SharedValue&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~SharedValue() {
    if (block_ != nullptr) release(block_);
  }

  [[nodiscard]] std::string_view view() const noexcept { return {data(), block_->size}; }
  [[nodiscard]] Bytes share() const noexcept {
    block_->owners.fetch_add(1, std::memory_order_relaxed);
    return Bytes(view(), block_, release);
  }

 private:
  struct Block {
    std::atomic<std::size_t> owners;
    std::size_t size;
  };
  static void release(void* owner) noexcept {
    auto* block = static_cast<Block*>(owner);
    if (block->owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    block->~Block();
    ::operator delete(block);
  }

  [[nodiscard]] char* data() const noexcept { return reinterpret_cast<char*>(block_ + 1); }

  Block* block_;
};

template <class Map>
std::pair<typename Map::iterator, typename Map::iterator> find_range(Map& map, Range range) {
  if (!range.to.empty() && range.to <= range.from) return {map.end(), map.end()};
  return {map.lower_bound(range.from), range.to.empty() ? map.end() : map.lower_bound(range.to)};
}

// One ordered map under one lock. A commit has nothing to wait for: every answer is there at once,
// "latest" and "committed" are the same, and no coroutine frame is ever made.
class MemoryStore final : public Store {
 public:
  base::Task<Result<Row>> get(std::string_view key, ReadMode) override {
    const std::shared_lock lock(mutex_);
    return base::Task<Result<Row>>::ready(find(key));
  }

  base::Task<Result<std::vector<Row>>> get_many(std::span<const std::string_view> keys,
                                                ReadMode) override {
    std::vector<Row> rows;
    rows.reserve(keys.size());
    const std::shared_lock lock(mutex_);
    for (const std::string_view key : keys) rows.push_back(find(key));
    return base::Task<Result<std::vector<Row>>>::ready(std::move(rows));
  }

  // The visitor runs under the shared lock: the scan is one moment, and other readers go on
  // meanwhile.
  base::Task<Result<void>> scan(Range range, Direction direction, RowVisitor& visitor) override {
    const std::shared_lock lock(mutex_);
    auto [at, end] = find_range(rows_, range);
    if (direction == Direction::ascending) {
      for (; at != end && visitor.row(at->first, at->second.view()) == Visit::next; ++at) {
      }
    } else {
      while (at != end) {
        --end;
        if (visitor.row(end->first, end->second.view()) == Visit::stop) break;
      }
    }
    return base::Task<Result<void>>::ready({});
  }

  base::Task<Result<void>> commit(const Batch& batch) override {
    const std::unique_lock lock(mutex_);
    for (const Guard& guard : batch.guards) {
      if (slots_.load(slots_.hash(guard.key)) != guard.version) {
        return base::Task<Result<void>>::ready(fail(ErrorCode::conflict, "conflict"));
      }
    }
    ++sequence_;
    for (const Write& put : batch.puts) apply_put(put);
    for (const std::string_view key : batch.erases) apply_erase(key);
    for (const Add& add : batch.adds) apply_add(add);
    for (const Append& append : batch.appends) {
      rows_.emplace(log_key(append.prefix, ++position_), SharedValue(append.value));
    }
    return base::Task<Result<void>>::ready({});
  }

  base::Task<Result<std::vector<std::int64_t>>> counters(std::string_view key,
                                                         std::size_t count) override {
    std::vector<std::int64_t> sums(count);
    const std::shared_lock lock(mutex_);
    if (const auto found = counters_.find(key); found != counters_.end()) {
      std::copy_n(found->second.begin(), std::min(count, found->second.size()), sums.begin());
    }
    return base::Task<Result<std::vector<std::int64_t>>>::ready(std::move(sums));
  }

  base::Task<Result<void>> erase_range(Range range) override {
    const std::unique_lock lock(mutex_);
    const auto [row, row_end] = find_range(rows_, range);
    rows_.erase(row, row_end);
    const auto [counter, counter_end] = find_range(counters_, range);
    counters_.erase(counter, counter_end);
    slots_.replace_all(++sequence_);
    return base::Task<Result<void>>::ready({});
  }

  Result<void> close() override { return {}; }

 private:
  [[nodiscard]] Row find(std::string_view key) const {
    Row row;
    row.version = slots_.load(slots_.hash(key));
    if (const auto found = rows_.find(key); found != rows_.end()) {
      row.exists = true;
      row.value = found->second.share();
    }
    return row;
  }

  void apply_put(const Write& put) {
    SharedValue value(put.value);
    const auto at = rows_.lower_bound(put.key);
    if (at != rows_.end() && at->first == put.key) {
      at->second = std::move(value);
    } else {
      rows_.emplace_hint(at, put.key, std::move(value));
    }
    slots_.store(slots_.hash(put.key), sequence_);
  }

  void apply_erase(std::string_view key) {
    if (const auto found = rows_.find(key); found != rows_.end()) rows_.erase(found);
    slots_.store(slots_.hash(key), sequence_);
  }

  void apply_add(const Add& add) {
    auto at = counters_.find(add.key);
    if (at == counters_.end()) at = counters_.emplace(add.key, std::vector<std::int64_t>()).first;
    std::vector<std::int64_t>& sums = at->second;
    if (sums.size() < add.deltas.size()) sums.resize(add.deltas.size());
    for (std::size_t i = 0; i < add.deltas.size(); ++i) {
      sums[i] = add_wrapping(sums[i], add.deltas[i]);
    }
  }

  mutable std::shared_mutex mutex_;
  // Guarded by mutex_, as are the stores to slots_.
  std::map<std::string, SharedValue, std::less<>> rows_;
  std::map<std::string, std::vector<std::int64_t>, std::less<>> counters_;
  Version sequence_ = 0;
  std::uint64_t position_ = 0;  // of the last appended row
  VersionSlots slots_;
};

}  // namespace

std::unique_ptr<Store> open_memory() { return std::make_unique<MemoryStore>(); }

}  // namespace stator::store
