#include "store/rados/full_probe.h"

#include <cerrno>

namespace stator::store::rados {

bool FullProbe::due(Clock::time_point now) {
  const Clock::rep time = now.time_since_epoch().count();
  Clock::rep next = next_.load(std::memory_order_relaxed);
  if (time < next) return false;
  // One at a time: the next one is due when this one has ended.
  return next_.compare_exchange_strong(next, Clock::time_point::max().time_since_epoch().count());
}

void FullProbe::ended(int status, Clock::time_point now) {
  const bool full = status == -ENOSPC || status == -EDQUOT;
  // Another error says nothing about room.
  if (full || status == 0) status_ = status;
  next_ = (now + (full ? kIntervalWhileFull : kInterval)).time_since_epoch().count();
}

// Deleting an item removes two entries and sets a tombstone and a sum, each of them small.
int FullProbe::judge(const WriteRequest& request) const {
  const int status = status_.load(std::memory_order_relaxed);
  if (status == 0) return 0;
  const bool grows = request.removed_ranges.empty() && request.set.size() > request.removed.size();
  return grows ? status : 0;
}

}  // namespace stator::store::rados
