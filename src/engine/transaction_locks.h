#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace stator::engine {

// The items and client tokens of transactions that are under way in this process. Correctness does not rest on it (the
// store's guards do that); it is what makes colliding transactions fail at once with TransactionConflict, as the service
// defines it, instead of being put in order silently. All methods may be called from many threads.
class TransactionLocks {
 public:
  // Takes all row keys, or none. The positions of keys that others hold are returned.
  [[nodiscard]] std::vector<std::size_t> try_lock(std::span<const std::string_view> row_keys);
  void unlock(std::span<const std::string_view> row_keys);

  // Positions of keys that a transaction holds at this moment.
  [[nodiscard]] std::vector<std::size_t> find_locked(std::span<const std::string_view> row_keys) const;
  // For plain writes: nearly always there is no transaction at all, and then this is one load.
  [[nodiscard]] bool is_locked(std::string_view row_key) const {
    return active_.load(std::memory_order_acquire) != 0 && !find_locked({&row_key, 1}).empty();
  }

  // False where a transaction with this token is under way.
  [[nodiscard]] bool begin_token(std::string_view token);
  void end_token(std::string_view token);

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Set = std::unordered_set<std::string, Hash, std::equal_to<>>;

  std::atomic<std::size_t> active_{0};  // keys in keys_
  mutable std::mutex mutex_;            // guards the sets
  Set keys_;
  Set tokens_;
};

// Holds what try_lock gave, until the end of a scope.
class LockedKeys {
 public:
  LockedKeys(TransactionLocks& locks, std::span<const std::string_view> row_keys)
      : locks_(locks), row_keys_(row_keys), conflicts_(locks.try_lock(row_keys)) {}
  LockedKeys(const LockedKeys&) = delete;
  LockedKeys& operator=(const LockedKeys&) = delete;
  ~LockedKeys() {
    if (conflicts_.empty()) locks_.unlock(row_keys_);
  }
  [[nodiscard]] const std::vector<std::size_t>& conflicts() const { return conflicts_; }

 private:
  TransactionLocks& locks_;
  std::span<const std::string_view> row_keys_;
  std::vector<std::size_t> conflicts_;
};

// Marks a client token as under way, until the end of a scope. An empty token is none.
class TokenInProgress {
 public:
  TokenInProgress(TransactionLocks& locks, std::string_view token)
      : locks_(locks), token_(token), begun_(token.empty() || locks.begin_token(token)) {}
  TokenInProgress(const TokenInProgress&) = delete;
  TokenInProgress& operator=(const TokenInProgress&) = delete;
  ~TokenInProgress() {
    if (begun_ && !token_.empty()) locks_.end_token(token_);
  }
  [[nodiscard]] bool begun() const { return begun_; }

 private:
  TransactionLocks& locks_;
  std::string token_;
  bool begun_;
};

}  // namespace stator::engine
