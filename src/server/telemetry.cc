#include "server/telemetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/sync_wait.h"
#include "engine/refresh_capacity.h"
#include "metrics/prometheus.h"
#include "server/capacity_page.h"
#include "server/index_lag_page.h"
#include "server/metric_head.h"

namespace stator::server {
namespace {

constexpr std::int64_t kIntervalMs = 1000;
constexpr std::int64_t kIntervalMsMin = 20;
constexpr std::int64_t kRefreshMs = 60'000;
constexpr std::size_t kChunkBytesInMemory = std::size_t{24} * 1024 * 1024;

}  // namespace

Telemetry::Telemetry(engine::Engine& engine, Options options)
    : engine_(engine),
      own_store_(engine.store.shared() ? store::open_memory() : nullptr),
      store_(own_store_ ? *own_store_ : engine.store),
      clock_(engine.clock, options.speed),
      interval_ms_(std::max<std::int64_t>(kIntervalMs / options.speed, kIntervalMsMin)),
      history_(store_, {.chunk_bytes_max = options.in_memory || own_store_ ? kChunkBytesInMemory : 0}),
      collector_(hub_, history_, clock_),
      insights_(store_, clock_),
      alarms_(store_, history_, clock_, {options.region, options.account_id}),
      cloudwatch_(collector_, history_, alarms_, insights_, clock_),
      capacity_(engine),
      scaling_(store_, clock_, alarms_, history_, capacity_),
      controller_(scaling_),
      autoscaling_(scaling_),
      services_(options.account_id),
      slow_log_(options.slow_ms, engine.clock),
      index_progress_(engine, collector_),
      listener_(hub_, insights_, options.recorder) {
  engine.admission.set_listener(&listener_);
  services_.add({&cloudwatch_, cloudwatch::kTargetPrefix, "com.amazonaws.cloudwatch", cloudwatch::kApiVersion,
                 cloudwatch::kXmlNamespace});
  services_.add({&autoscaling_, autoscaling::kTargetPrefix, "com.amazonaws.applicationautoscaling", "", ""});
  collector_.set_gauges([this](const auto& set) { set_gauges(set); });
}

Result<void> Telemetry::start() {
  TRY_VOID(history_.load());
  TRY_VOID(insights_.load());
  TRY_VOID(alarms_.load());
  TRY_VOID(scaling_.load());
  thread_ = std::make_unique<metrics::CollectorThread>([this] { each_interval(); }, interval_ms_);
  return {};
}

Result<void> Telemetry::stop() {
  thread_.reset();
  engine_.admission.set_listener(nullptr);
  slow_log_.flush();
  return collector_.finish();
}

std::string Telemetry::prometheus_text() {
  collector_.collect();
  return metrics::prometheus_text(collector_.totals()) + capacity_text(engine_.admission.snapshot()) + index_lag_text(engine_) +
         unreadable_text() + cluster_text();
}

std::string Telemetry::unreadable_text() const {
  std::string out;
  append_head(out, "stator_unreadable_records", "gauge",
              "Descriptions of tables and of dropped tables' streams that cannot be read and are set aside; the log names each.");
  return out + fmt::format("stator_unreadable_records {}\n", engine_.catalog.unreadable_records());
}

// Of one node of several.
std::string Telemetry::cluster_text() const {
  const std::optional<store::RadosStatistics> statistics = store::rados_statistics(engine_.base_store);
  if (!statistics) return {};
  std::string out;
  const auto metric = [&](std::string_view name, std::string_view type, std::string_view help) {
    out += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
  };
  metric("stator_cluster_nodes", "gauge", "Nodes whose heartbeat this one sees, itself included.");
  out += fmt::format("stator_cluster_nodes {}\n", engine_.leases.nodes());
  metric("stator_cluster_shares", "gauge", "Shares of the background work that this node holds, of 64.");
  out += fmt::format("stator_cluster_shares {}\n", engine_.leases.held());
  metric("stator_rados_operations_total", "counter", "Operations on objects of the Ceph pool.");
  out += fmt::format("stator_rados_operations_total{{kind=\"read\"}} {}\n", statistics->reads);
  out += fmt::format("stator_rados_operations_total{{kind=\"write\"}} {}\n", statistics->writes);
  metric("stator_rados_bytes_total", "counter", "Keys and values in these operations.");
  out += fmt::format("stator_rados_bytes_total{{kind=\"read\"}} {}\n", statistics->read_bytes);
  out += fmt::format("stator_rados_bytes_total{{kind=\"write\"}} {}\n", statistics->written_bytes);
  metric("stator_rados_groups_total", "counter", "Write operations with the commits of one leaf that came together.");
  out += fmt::format("stator_rados_groups_total {}\n", statistics->groups);
  metric("stator_rados_group_commits_total", "counter", "Commits in these operations.");
  out += fmt::format("stator_rados_group_commits_total {}\n", statistics->group_commits);
  metric("stator_rados_refused_groups_total", "counter", "Of these operations, the ones that were refused and sent again.");
  out += fmt::format("stator_rados_refused_groups_total {}\n", statistics->refused_groups);
  metric("stator_rados_timeouts_total", "counter", "Operations that the Ceph cluster did not answer in time.");
  out += fmt::format("stator_rados_timeouts_total {}\n", statistics->timeouts);
  metric("stator_rados_late_operations", "gauge", "Of these, the ones that it has not answered since.");
  out += fmt::format("stator_rados_late_operations {}\n", statistics->late);
  return out;
}

// What is kept of tables that are gone: their history as far as it goes, and nothing else.
Result<void> Telemetry::forget_dropped() {
  // Asked of the catalog as it is then: whoever asks knows a table that was there before.
  const auto find = [this](const std::string& name) { return engine_.catalog.find(name).value_or(nullptr); };
  collector_.forget_dropped([&](const std::string& name) {
    const engine::TablePtr table = find(name);
    return table ? table->id : 0;
  });
  engine_.admission.forget_dropped(engine_.catalog);
  TRY_VOID(insights_.keep_only([&](const insights::Subject& subject) {
    const engine::TablePtr table = find(subject.table);
    return table && (subject.index.empty() || table->find_index(subject.index) != nullptr);
  }));
  return history_.limit_dropped([&](const std::string& name) { return find(name) != nullptr; });
}

void Telemetry::each_interval() {
  Result<void> done = collector_.tick();
  if (done) done = forget_dropped();
  // A full disk is tried again every second and need not be told every second.
  if (!done && !complained_ && done.error().code != ErrorCode::unavailable) {
    std::fprintf(stderr, "stator: writing metrics: %s\n", done.error().message.c_str());
  }
  complained_ = !done;
  slow_log_.flush();
  index_progress_.look();
  if (const std::int64_t now_ms = clock_.now_ms(); now_ms - refreshed_ms_ >= kRefreshMs) {
    refreshed_ms_ = now_ms;
    // Sizes are a matter of gigabytes: one that cannot be read now is read next time.
    static_cast<void>(base::sync_wait(engine::refresh_capacity(engine_)));
  }
  alarms_.evaluate();
  controller_.step();
}

void Telemetry::set_gauges(const std::function<void(const metrics::SeriesKey&, std::int64_t)>& set) const {
  const auto tables = engine_.catalog.tables();
  const auto of = [&](const std::string& table, const std::string& index, const engine::Throughput& throughput) {
    set({metrics::Metric::provisioned_read_units, table, index}, throughput.read_units);
    set({metrics::Metric::provisioned_write_units, table, index}, throughput.write_units);
  };
  for (const auto& [name, table] : *tables) {
    if (table->billing != engine::BillingMode::provisioned) continue;
    of(name, "", table->throughput);
    for (const engine::Index& index : table->indexes) {
      if (index.kind == engine::IndexKind::global) of(name, index.name, index.throughput);
    }
  }
}

}  // namespace stator::server
