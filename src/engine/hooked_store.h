#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "store/open.h"
#include "store/store.h"

namespace stator::engine::testing {

// A store in memory whose changes a test can refuse or interrupt, and which sees that callers keep
// the store's contract. Hooks are set while nothing else runs, and are called on the thread of the
// caller.
class HookedStore final : public store::Store {
 public:
  using Batch = store::Batch;
  using Direction = store::Direction;

  // Before a commit or erase_range; an error is answered instead of doing it.
  std::function<std::optional<Error>()> before_change;
  // Sees each commit before it is done.
  std::function<void(const Batch&)> before_commit;
  // After a commit that succeeded and before its answer.
  std::function<void()> after_commit;
  // After a commit that succeeded; an error is answered all the same.
  std::function<std::optional<Error>()> answer;

  std::function<void()> before_scan;
  std::function<void(std::string_view key)> before_read;  // of several rows; the first one's key

  bool keeps_digest = false;  // gives what a visitor made of the last scan to the next one, whatever has changed meanwhile
  std::size_t digest_bytes_max = std::size_t{1} << 20;
  int digests_taken = 0;

  bool is_shared = false;  // as if other processes had it open too
  int announcements = 0;
  std::vector<std::pair<std::string, std::uint64_t>> fences;  // those that were raised

  base::Task<Result<store::Row>> get(std::string_view key, store::ReadMode mode) override {
    return inner_->get(key, mode);
  }
  base::Task<Result<std::vector<store::Row>>> get_many(std::span<const std::string_view> keys,
                                                       store::ReadMode mode) override {
    if (const auto hook = before_read; hook && !keys.empty()) hook(keys.front());
    return inner_->get_many(keys, mode);
  }
  base::Task<Result<void>> scan(store::Range range, Direction direction,
                                store::RowVisitor& visitor) override {
    if (before_scan) before_scan();
    if (!keeps_digest || visitor.digest_kind() == 0) return inner_->scan(range, direction, visitor);
    if (digest_ && visitor.take_digest(*digest_)) {
      ++digests_taken;
      return base::Task<Result<void>>::ready({});
    }
    return scan_for_digest(range, direction, visitor);
  }
  base::Task<Result<void>> commit(const Batch& batch) override {
    expect_distinct_keys(batch);
    if (before_commit) before_commit(batch);
    if (is_outdated(batch)) {
      co_return tl::unexpected(Error{ErrorCode::unavailable, "outdated", std::make_shared<store::Outdated>()});
    }
    if (before_change) {
      if (std::optional<Error> error = before_change()) co_return tl::unexpected(*error);
    }
    Result<void> done = co_await inner_->commit(batch);
    if (done && after_commit) after_commit();
    if (done && answer) {
      if (std::optional<Error> error = answer()) co_return tl::unexpected(*error);
    }
    co_return done;
  }
  base::Task<Result<std::vector<std::int64_t>>> counters(std::string_view key,
                                                         std::size_t count) override {
    return inner_->counters(key, count);
  }
  base::Task<Result<void>> erase_range(store::Range range) override {
    if (before_change) {
      if (std::optional<Error> error = before_change()) co_return tl::unexpected(*error);
    }
    Result<void> done = co_await inner_->erase_range(range);
    co_return done;
  }
  [[nodiscard]] bool shared() const noexcept override { return is_shared; }
  base::Task<Result<void>> raise_fence(std::string_view space, std::uint64_t number) override {
    fences.emplace_back(space, number);
    return inner_->raise_fence(space, number);
  }
  base::Task<Result<void>> announce() override {
    ++announcements;
    return inner_->announce();
  }
  Result<void> close() override { return inner_->close(); }

 private:
  // Notes whether a visitor has seen all rows.
  struct Watched final : store::RowVisitor {
    explicit Watched(store::RowVisitor& of) : visitor(of) {}
    store::Visit row(std::string_view key, std::string_view value) override {
      const store::Visit visit = visitor.row(key, value);
      stopped = visit == store::Visit::stop;
      return visit;
    }
    store::RowVisitor& visitor;
    bool stopped = false;
  };
  base::Task<Result<void>> scan_for_digest(store::Range range, Direction direction, store::RowVisitor& visitor) {
    Watched watched(visitor);
    Result<void> done = co_await inner_->scan(range, direction, watched);
    if (done && !watched.stopped) digest_ = visitor.make_digest(digest_bytes_max);
    if (digest_ && digest_->empty()) digest_.reset();
    co_return done;
  }

  // S8, of a store that is shared.
  [[nodiscard]] bool is_outdated(const Batch& batch) const {
    for (const store::Fence& fence : batch.fences) {
      for (const auto& [space, number] : fences) {
        if (is_shared && space == fence.space && fence.number < number) return true;
      }
    }
    return false;
  }

  // A key stands at most once among puts and erases.
  static void expect_distinct_keys(const Batch& batch) {
    std::set<std::string_view> keys(batch.erases.begin(), batch.erases.end());
    for (const store::Write& put : batch.puts) keys.insert(put.key);
    EXPECT_EQ(keys.size(), batch.puts.size() + batch.erases.size());
  }

  std::optional<std::string> digest_;
  std::unique_ptr<store::Store> inner_ = store::open_memory();
};

// Refuses the next `count` changes as conflicts.
inline std::function<std::optional<Error>()> conflict_times(int count) {
  return [left = count]() mutable -> std::optional<Error> {
    if (left == 0) return std::nullopt;
    --left;
    return Error{ErrorCode::conflict, "conflict"};
  };
}

// Lets `count` changes pass and refuses all that follow, like a process that ended there.
inline std::function<std::optional<Error>()> fail_after(int count) {
  return [left = count]() mutable -> std::optional<Error> {
    if (left == 0) return Error{ErrorCode::unavailable, "closed"};
    --left;
    return std::nullopt;
  };
}

}  // namespace stator::engine::testing
