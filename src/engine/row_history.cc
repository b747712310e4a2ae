#include "engine/row_history.h"

#include <algorithm>
#include <limits>

namespace stator::engine {
namespace {

constexpr std::int64_t kUnderWay = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kEntryBytes = 200;  // about what the containers need for one changed row

}  // namespace

struct RowHistory::Change {
  std::int64_t done_ms = kUnderWay;
  std::vector<std::string> keys;
  std::size_t bytes = 0;
};

RowHistory::ChangePtr RowHistory::begin(std::vector<OldRow> before) {
  auto change = std::make_shared<Change>();
  const std::lock_guard lock(mutex_);
  for (OldRow& row : before) {
    change->bytes += kEntryBytes + 2 * row.key.size() + (row.value ? row.value->size() : 0);
    change->keys.push_back(row.key);
    rows_[std::move(row.key)].push_back({change, std::move(row.value)});
  }
  bytes_ += change->bytes;
  return change;
}

void RowHistory::end(const ChangePtr& change, bool committed) {
  const std::lock_guard lock(mutex_);
  if (committed) {
    change->done_ms = clock_.now_ms();
    done_.push_back(change);
  } else {
    forget(change);
  }
  forget_old();
}

std::size_t RowHistory::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

const RowHistory::Entry* RowHistory::entry_at(const std::vector<Entry>& entries, std::int64_t moment_ms) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.change->done_ms > moment_ms; });
  return found != entries.end() ? &*found : nullptr;
}

void RowHistory::forget(const ChangePtr& change) {
  for (const std::string& key : change->keys) {
    const auto row = rows_.find(key);
    if (row == rows_.end()) continue;
    std::erase_if(row->second, [&](const Entry& entry) { return entry.change == change; });
    if (row->second.empty()) rows_.erase(row);
  }
  bytes_ -= change->bytes;
}

void RowHistory::forget_old() {
  std::int64_t oldest_moment_ms = clock_.now_ms() - delay_ms_;
  if (!moments_.empty()) oldest_moment_ms = std::min(oldest_moment_ms, *moments_.begin());
  while (!done_.empty() && (done_.front()->done_ms <= oldest_moment_ms || bytes_ > bytes_max_)) {
    forget(done_.front());
    done_.pop_front();
  }
}

RowHistory::Reading::Reading(RowHistory& history)
    : history_(history), moment_ms_(history.clock_.now_ms() - history.delay_ms_) {
  const std::lock_guard lock(history_.mutex_);
  history_.moments_.insert(moment_ms_);
}

RowHistory::Reading::~Reading() {
  const std::lock_guard lock(history_.mutex_);
  history_.moments_.erase(history_.moments_.find(moment_ms_));
}

std::optional<RowHistory::OldRow> RowHistory::Reading::find(std::string_view key) const {
  const std::lock_guard lock(history_.mutex_);
  const auto row = history_.rows_.find(key);
  if (row == history_.rows_.end()) return std::nullopt;
  const Entry* entry = entry_at(row->second, moment_ms_);
  if (entry == nullptr) return std::nullopt;
  return OldRow{row->first, entry->before};
}

std::optional<RowHistory::OldRow> RowHistory::Reading::first(std::string_view from, std::string_view to,
                                                             store::Direction direction) const {
  const std::lock_guard lock(history_.mutex_);
  if (!to.empty() && to <= from) return std::nullopt;
  auto begin = history_.rows_.lower_bound(from);
  auto end = to.empty() ? history_.rows_.end() : history_.rows_.lower_bound(to);
  while (begin != end) {
    const auto row = direction == store::Direction::ascending ? begin++ : --end;
    if (const Entry* entry = entry_at(row->second, moment_ms_)) return OldRow{row->first, entry->before};
  }
  return std::nullopt;
}

}  // namespace stator::engine
