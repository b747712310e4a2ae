#include "metrics/collector.h"

#include <array>
#include <chrono>

namespace stator::metrics {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kIdleMs = 10 * kMinuteMs;
constexpr Minute kGaugeMinutes = 5;
// A clock that goes back by less is waited for: minutes go forward. One that goes back by more was wrong before.
constexpr Minute kBackwardsMinutesMax = 5;

constexpr std::array<std::array<Metric, kThrottleReasonCount>, 2> kThrottleMetrics = {{
    {Metric::read_provisioned_throttle_events, Metric::read_key_range_throttle_events,
     Metric::read_on_demand_throttle_events, Metric::read_account_throttle_events},
    {Metric::write_provisioned_throttle_events, Metric::write_key_range_throttle_events,
     Metric::write_on_demand_throttle_events, Metric::write_account_throttle_events},
}};

}  // namespace

void Collector::collect() {
  const std::lock_guard lock(mutex_);
  collect_locked();
}

void Collector::collect_locked() {
  const std::int64_t now_ms = clock_.now_ms();
  const Minute now = now_ms / kMinuteMs;
  // What is found now was counted since the last look, which was a second ago: it belongs to the minute that was under
  // way then only if that has not ended in between, and this cannot be known. The new minute takes it.
  if (now > minute_ || now < minute_ - kBackwardsMinutesMax) minute_ = now;
  const std::lock_guard hub_lock(hub_.mutex_);
  for (const auto& recorder : hub_.recorders_) {
    const std::lock_guard shape(recorder->shape_);
    add_count(Metric::user_errors, "", "", recorder->user_errors_);
    for (const auto& [id, table] : recorder->tables_) take(*table, now_ms);
    for (const auto& [id, table] : recorder->tables_) recorder->sweep_ |= table->idle;
  }
}

void Collector::forget_dropped(const std::function<std::uint32_t(const std::string& name)>& find) {
  const std::lock_guard lock(mutex_);
  const auto gone = [&](const auto& entry) { return !entry.first.table.empty() && find(entry.first.table) == 0; };
  std::erase_if(totals_.counters, gone);
  std::erase_if(totals_.operations, gone);
  const std::lock_guard hub_lock(hub_.mutex_);
  for (const auto& recorder : hub_.recorders_) {
    const std::lock_guard shape(recorder->shape_);
    for (const auto& [id, table] : recorder->tables_) {
      if (find(table->name) == id) continue;
      table->idle = true;
      recorder->sweep_ = true;
    }
  }
}

void Collector::take(TableCounters& table, std::int64_t now_ms) {
  found_ = 0;
  take_capacity(table.name, "", table.capacity);
  for (const auto& index : table.indexes) take_capacity(table.name, index->name, index->counters);
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    if (table.operations[i]) take_operation(table.name, static_cast<Operation>(i), *table.operations[i]);
  }
  for (const auto& stream : table.streams) {
    const std::string operation(operation_name(Operation::get_records));
    add({Metric::returned_bytes, table.name, operation, stream->label}, stream->bytes.take());
    add({Metric::returned_records, table.name, operation, stream->label}, stream->records.take());
    add({Metric::stream_age, table.name, operation}, stream->age_ms.take());
  }
  add_count(Metric::conditional_check_failed, table.name, "", table.conditional_check_failed);
  add_count(Metric::transaction_conflict, table.name, "", table.transaction_conflict);
  add_count(Metric::ttl_deleted_items, table.name, "", table.ttl_deleted_items);
  if (found_ > 0 || table.used_ms == 0) {
    table.used_ms = now_ms;
    table.idle = false;
  } else if (now_ms - table.used_ms > kIdleMs) {
    table.idle = true;
  }
}

void Collector::take_capacity(const std::string& table, const std::string& index, CapacityCounters& counters) {
  add({Metric::consumed_read_units, table, index}, counters.consumed[0].take());
  add({Metric::consumed_write_units, table, index}, counters.consumed[1].take());
  for (std::size_t units = 0; units < 2; ++units) {
    std::int64_t all = 0;
    for (std::size_t reason = 0; reason < kThrottleReasonCount; ++reason) {
      const std::int64_t count = counters.throttled[units][reason].take();
      all += count;
      add({kThrottleMetrics[units][reason], table, index}, {.count = count, .sum = count, .min = 1, .max = 1});
    }
    add({units == 0 ? Metric::read_throttle_events : Metric::write_throttle_events, table, index},
        {.count = all, .sum = all, .min = 1, .max = 1});
  }
}

void Collector::take_operation(const std::string& table, Operation operation, OperationCounters& counters) {
  const std::string name(operation_name(operation));
  Point latency = counters.latency_us.take();
  if (latency.count > 0) {
    for (std::size_t bucket = 0; bucket < kBucketCount; ++bucket) {
      if (counters.latency_buckets[bucket].load(std::memory_order_relaxed) == 0) continue;
      latency.histogram.add(bucket, counters.latency_buckets[bucket].exchange(0, std::memory_order_relaxed));
    }
    Totals::OfOperation& total = totals_.operations[{Metric::successful_request_latency, table, name}];
    total.requests += latency.count;
    total.latency_us += latency.sum;
    total.latency.merge(latency.histogram);
  }
  add({Metric::successful_request_latency, table, name}, std::move(latency));
  add({Metric::returned_item_count, table, name}, counters.returned_items.take());
  add_count(Metric::throttled_requests, table, name, counters.throttled_requests);
  add_count(Metric::system_errors, table, name, counters.system_errors);
}

void Collector::add_count(Metric metric, const std::string& table, const std::string& detail, Counter& counter) {
  const std::int64_t count = counter.take();
  if (count != 0) add({metric, table, detail}, {.count = count, .sum = count, .min = 1, .max = 1});
}

void Collector::add(const SeriesKey& key, Point point) {
  if (point.count == 0) return;
  ++found_;
  point.minute = minute_;
  if (key.metric != Metric::successful_request_latency) totals_.counters[key] += point.sum;
  history_.add(key, point);
}

void Collector::note(const SeriesKey& key, std::int64_t value) {
  const std::lock_guard lock(mutex_);
  Point point{.minute = std::max<Minute>(minute_, clock_.now_ms() / kMinuteMs)};
  point.add(value);
  history_.add(key, point);
}

void Collector::take_gauges() {
  if (!gauges_ || minute_ / kGaugeMinutes == gauges_at_) return;
  gauges_at_ = minute_ / kGaugeMinutes;
  gauges_([this](const SeriesKey& key, std::int64_t value) {
    Point point{.minute = minute_};
    point.add(value);
    history_.add(key, point);
  });
}

Result<void> Collector::tick() {
  Minute now = 0;
  {
    const std::lock_guard lock(mutex_);
    collect_locked();
    take_gauges();
    now = minute_;
  }
  return history_.close_minutes(now);
}

Result<void> Collector::finish() {
  collect();
  return history_.close_all();
}

Totals Collector::totals() const {
  const std::lock_guard lock(mutex_);
  return totals_;
}

CollectorThread::CollectorThread(std::function<void()> each_time, std::int64_t interval_ms)
    : thread_([this, each_time = std::move(each_time), interval_ms] {
        std::unique_lock lock(mutex_);
        while (!stopping_) {
          lock.unlock();
          each_time();
          lock.lock();
          wake_.wait_for(lock, std::chrono::milliseconds(interval_ms), [this] { return stopping_; });
        }
      }) {}

CollectorThread::~CollectorThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

}  // namespace stator::metrics
