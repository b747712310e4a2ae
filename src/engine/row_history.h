#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "store/store.h"

namespace stator::engine {

// What rows were before they were changed, for as long as a read that lags behind may ask for it. In memory only, and bounded:
// where more is changed than it may hold, the oldest changes are forgotten early and become visible before their time.
// All methods may be called from many threads.
class RowHistory {
 public:
  struct OldRow {
    std::string key;
    std::optional<std::string> value;  // nothing: there was no row
  };
  struct Change;
  using ChangePtr = std::shared_ptr<Change>;  // shared: by the rows it changed and by the order of changes

  RowHistory(std::int64_t delay_ms, const base::Clock& clock, std::size_t bytes_max)
      : delay_ms_(delay_ms), clock_(clock), bytes_max_(bytes_max) {}

  // A commit is on its way. Called before it can be seen, so that no reader sees it too early.
  [[nodiscard]] ChangePtr begin(std::vector<OldRow> before);
  // The commit is there, and its time begins to count; or it failed, and nothing was changed.
  void end(const ChangePtr& change, bool committed);

  // One read: it sees every row as it was at one moment, and that moment stays known until the read has ended.
  class Reading {
   public:
    explicit Reading(RowHistory& history);
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading();

    // The row as it was at the moment; nothing where it has not been changed since.
    [[nodiscard]] std::optional<OldRow> find(std::string_view key) const;
    // The first row in [from, to) in this direction that has been changed since. An empty `to` is the end of the map.
    [[nodiscard]] std::optional<OldRow> first(std::string_view from, std::string_view to,
                                              store::Direction direction) const;

   private:
    RowHistory& history_;
    std::int64_t moment_ms_;
  };

  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Entry {
    ChangePtr change;
    std::optional<std::string> before;
  };
  // The changes of a row in the order of their commits: a writer reads a row after the one before has put it in line.
  using Rows = std::map<std::string, std::vector<Entry>, std::less<>>;

  // Of these, the first that the moment does not include tells what the row was.
  [[nodiscard]] static const Entry* entry_at(const std::vector<Entry>& entries, std::int64_t moment_ms);
  void forget(const ChangePtr& change);
  void forget_old();

  const std::int64_t delay_ms_;
  const base::Clock& clock_;
  const std::size_t bytes_max_;
  mutable std::mutex mutex_;  // guards all that follows
  Rows rows_;
  std::deque<ChangePtr> done_;             // oldest first
  std::multiset<std::int64_t> moments_;    // of reads under way
  std::size_t bytes_ = 0;
};

}  // namespace stator::engine
