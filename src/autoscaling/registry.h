#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "autoscaling/state.h"
#include "base/clock.h"
#include "base/started.h"
#include "base/task.h"
#include "cloudwatch/alarms.h"
#include "metrics/documents.h"
#include "metrics/history.h"

namespace stator::autoscaling {

// The capacity that is scaled, as the database gives it. Both may block; called by the controller's thread.
class CapacityControl {
 public:
  virtual ~CapacityControl() = default;
  // The provisioned units; an error where there is no such table or index.
  [[nodiscard]] virtual Result<std::int64_t> get(const Resource& resource) = 0;
  [[nodiscard]] virtual Result<void> set(const Resource& resource, std::int64_t units) = 0;
};

// What was configured, kept across restarts. May be used from many threads.
class Registry {
 public:
  Registry(store::Store& store, const base::Clock& clock_in, cloudwatch::Alarms& alarms_in,
           const metrics::History& history_in, CapacityControl& capacity_in)
      : clock(clock_in), alarms(alarms_in), history(history_in), capacity(capacity_in), documents_(store, "scaling") {}

  // Reads what an earlier run left; what cannot be used of it is set aside.
  [[nodiscard]] Result<void> load();

  // Reads under the lock.
  template <class Look>
  auto read(Look look) const {
    const std::lock_guard lock(mutex_);
    return look(static_cast<const State&>(state_));
  }
  // Changes what belongs to one target under the lock; where `change` refuses, nothing was to be changed. Then stores.
  [[nodiscard]] base::Task<Result<void>> update(TargetKey key, std::function<Result<void>(State&)> change);
  [[nodiscard]] const metrics::Documents& documents() const { return documents_; }

  const base::Clock& clock;
  cloudwatch::Alarms& alarms;
  const metrics::History& history;
  CapacityControl& capacity;

 private:
  using Writing = std::optional<base::Started<Result<void>>>;
  // Begins to write what belongs to the target. Under the lock, so that commits are in the order of the changes.
  void store(const TargetKey& key, Writing& writing);
  [[nodiscard]] Result<void> split_legacy();  // under the lock, at the start

  metrics::Documents documents_;
  mutable std::mutex mutex_;
  State state_;  // guarded by mutex_
};

}  // namespace stator::autoscaling
