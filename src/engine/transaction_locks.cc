#include "engine/transaction_locks.h"

namespace stator::engine {

std::vector<std::size_t> TransactionLocks::try_lock(std::span<const std::string_view> row_keys) {
  const std::lock_guard lock(mutex_);
  std::vector<std::size_t> conflicts;
  for (std::size_t i = 0; i < row_keys.size(); ++i) {
    if (keys_.contains(row_keys[i])) conflicts.push_back(i);
  }
  if (!conflicts.empty()) return conflicts;
  for (const std::string_view key : row_keys) keys_.emplace(key);
  active_.store(keys_.size(), std::memory_order_release);
  return conflicts;
}

void TransactionLocks::unlock(std::span<const std::string_view> row_keys) {
  const std::lock_guard lock(mutex_);
  for (const std::string_view key : row_keys) {
    const auto found = keys_.find(key);
    if (found != keys_.end()) keys_.erase(found);
  }
  active_.store(keys_.size(), std::memory_order_release);
}

std::vector<std::size_t> TransactionLocks::find_locked(std::span<const std::string_view> row_keys) const {
  std::vector<std::size_t> found;
  if (active_.load(std::memory_order_acquire) == 0) return found;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < row_keys.size(); ++i) {
    if (keys_.contains(row_keys[i])) found.push_back(i);
  }
  return found;
}

bool TransactionLocks::begin_token(std::string_view token) {
  const std::lock_guard lock(mutex_);
  return tokens_.emplace(token).second;
}

void TransactionLocks::end_token(std::string_view token) {
  const std::lock_guard lock(mutex_);
  const auto found = tokens_.find(token);
  if (found != tokens_.end()) tokens_.erase(found);
}

}  // namespace stator::engine
