#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

// Index writes that cannot be made because something on the disk is damaged: an outbox row that cannot be read, or the item or
// the index row that it is about. They are set aside: the outbox row stays where it is, nobody waits for it, and it is tried again
// only when its table is looked through anew (outbox_sweep.h).
namespace stator::engine {

// Both methods may be called from many threads.
class OutboxDamage {
 public:
  // `key` is the store's, of the damaged outbox row or of the item that cannot be followed; `what` says what is wrong with it and what it
  // means. One line in the log for a key that was not noted before.
  void note(std::string_view table_name, std::string_view key, std::string_view what);
  // Keys that were noted, each once.
  [[nodiscard]] std::uint64_t count() const;

 private:
  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::set<std::string, std::less<>> keys_;
  std::uint64_t count_ = 0;
};

}  // namespace stator::engine
