#include "server/serve_command.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/clock.h"
#include "base/log_text.h"
#include "base/sync_wait.h"
#include "engine/background.h"
#include "engine/engine.h"
#include "engine/heartbeat.h"
#include "engine/propagator.h"
#include "net/server.h"
#include "server/ancestors.h"
#include "server/endpoint.h"
#include "server/process_limits.h"
#include "server/telemetry.h"
#include "server/trace_recorder.h"
#include "store/open.h"

namespace stator::server {
namespace {

int refuse(const Error& error) {
  std::fprintf(stderr, "stator: %s\n", base::log_text(error).c_str());
  return 1;
}

// A Ceph cluster that answers nothing for so long after SIGTERM is not waited for.
constexpr std::chrono::milliseconds kStopGrace{2000};

// How often a server with --parent looks for it.
constexpr timespec kParentInterval{.tv_sec = 0, .tv_nsec = 200'000'000};

// SIGTERM and SIGINT are waited for by the main thread and blocked in all others, which inherit the mask.
sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void wait_for_stop(const sigset_t& signals, const ServeOptions& options) {
  if (options.parents.empty()) {
    int received = 0;
    sigwait(&signals, &received);
    return;
  }
  while (have_ancestors(options.parents) && sigtimedwait(&signals, nullptr, &kParentInterval) < 0) {
  }
}

net::ServerOptions server_options(const ServeOptions& options) {
  constexpr std::size_t kMiB = 1 << 20;
  net::ServerOptions result;
  result.host = options.host;
  result.port = options.port;
  result.threads = options.threads;
  result.connections_max = options.max_connections;
  result.address_connections_max = options.max_connections_per_address;
  result.header_timeout_ms = options.head_timeout_ms;
  result.body_timeout_ms = options.body_timeout_ms;
  result.write_timeout_ms = options.answer_timeout_ms;
  result.idle_timeout_ms = options.idle_timeout_ms;
  result.room_timeout_ms = options.room_timeout_ms;
  result.answer_bytes_max = options.answer_memory_mb * kMiB;
  return result;
}

Result<std::unique_ptr<store::Store>> open_store(const ServeOptions& options, int open_files_max) {
  if (options.in_memory) return store::open_memory();
  if (options.store == "rados") {
    store::RadosOptions rados;
    rados.pool = options.pool;
    rados.configuration = options.ceph_conf;
    rados.user = options.ceph_user;
    rados.timeout = std::chrono::milliseconds(options.ceph_timeout_ms);
    return store::open_rados(rados);
  }
  store::RocksOptions rocks;
  rocks.directory = options.data;
  rocks.durability =
      options.durability == "full" ? store::Durability::full : store::Durability::relaxed;
  rocks.cache_bytes = options.cache_mb * 1024 * 1024;
  if (options.accept_loss) {
    rocks.accept_loss = [](const std::string& lost) {
      std::fprintf(stderr, "stator: going on without what is missing, as --accept-loss says: %s\n", lost.c_str());
    };
  }
  rocks.open_files_max = open_files_max;
  return store::open_rocksdb(rocks);
}

std::string where_data_is(const ServeOptions& options) {
  if (options.store == "rados" && !options.in_memory) return fmt::format("data in the Ceph pool {}", options.pool);
  return options.in_memory ? "data in memory, lost at exit"
                           : fmt::format("data in {}, durability {}", std::filesystem::weakly_canonical(options.data).native(),
                                         options.durability);
}

// One line for programs that wait for it, and one more for people who have just typed ./run.
void announce(const ServeOptions& options, int port) {
  const std::string url = fmt::format("http://{}:{}", options.host, port);
  std::printf("stator is ready on %s (%s)\n", url.c_str(), where_data_is(options).c_str());
  if (isatty(STDOUT_FILENO) != 0) {
    std::printf("Try: AWS_ACCESS_KEY_ID=me AWS_SECRET_ACCESS_KEY=secret aws dynamodb list-tables --region %s --endpoint-url %s\n",
                options.region.c_str(), url.c_str());
  }
  std::fflush(stdout);
}

// One process writes indexes and items with one disk flush; of several leaves of a cluster that is one more round trip.
engine::IndexWrites index_writes(const ServeOptions& options, const store::Store& store) {
  return store.shared() && options.index_writes != "together" ? engine::IndexWrites::outbox : engine::IndexWrites::together;
}

engine::EngineOptions engine_options(const ServeOptions& options, const store::Store& store) {
  return {.transition_ms = options.transition_ms,
          .ttl_interval_ms = options.ttl_interval_ms,
          .index_delay_ms = options.index_delay_ms,
          .stream_retention_ms = options.stream_retention_ms,
          .shard_lifetime_ms = options.shard_lifetime_ms,
          .collection_bytes_max = options.collection_limit_mb * 1024 * 1024,
          .index_writes = index_writes(options, store),
          .capacity = {engine::find_capacity_mode(options.capacity).value_or(engine::CapacityMode::off),
                       options.telemetry_speed}};
}

}  // namespace

int serve(const ServeOptions& options) {
  if (!have_ancestors(options.parents)) {
    return refuse({ErrorCode::unavailable, fmt::format("--parent {} is not above this process, or is gone",
                                                       fmt::join(options.parents, ", "))});
  }
  prepare_process();
  const sigset_t signals = block_stop_signals();
  net::ServerOptions net_options = server_options(options);
  const Result<DescriptorPlan> plan = plan_descriptors(net_options.connections_max, net::reactor_count(net_options));
  if (!plan) return refuse(plan.error());
  net_options.connections_max = plan->connections_max;
  Result<cloudwatch::WebhookTargets> webhooks = cloudwatch::WebhookTargets::parse(options.webhook_allow);
  if (!webhooks) return refuse(webhooks.error());
  Result<std::unique_ptr<store::Store>> store = open_store(options, plan->store_files_max);
  if (!store) return refuse(store.error());
  const base::SystemClock clock;
  engine::Engine engine(**store, clock, engine_options(options, **store));
  const Result<void> loaded = base::sync_wait(engine.catalog.load());
  if (!loaded) return refuse(loaded.error());

  std::unique_ptr<TraceRecorder> recorder;
  if (!options.record.empty()) {
    Result<std::unique_ptr<TraceRecorder>> opened =
        TraceRecorder::open({options.record, options.record_hash_keys}, clock, engine.catalog);
    if (!opened) return refuse(opened.error());
    recorder = std::move(*opened);
  }
  Telemetry telemetry(engine, {.account_id = options.account_id,
                               .region = options.region,
                               .in_memory = options.in_memory,
                               .speed = options.telemetry_speed,
                               .slow_ms = options.slow_ms,
                               .recorder = recorder.get(),
                               .webhooks = *std::move(webhooks)});
  const Result<void> counting = telemetry.start();
  if (!counting) return refuse(counting.error());

  Endpoint endpoint(engine, {.account_id = options.account_id,
                             .region = options.region,
                             .metrics = &telemetry.hub(),
                             .insights = &telemetry.insights(),
                             .services = &telemetry.services(),
                             .validation = options.validation == "classic" ? expr::Layer::classic : expr::Layer::current,
                             .slow_log = &telemetry.slow_log(),
                             .metrics_page = [&] { return telemetry.metrics_page(); }});
  Result<std::unique_ptr<net::Server>> server = net::Server::start(net_options, endpoint);
  if (!server) return refuse(server.error());
  // Nothing is refused from here on: the engine stays until the store is closed.
  (*store)->listen([&engine] { return engine::learn_of_changes(engine); });
  auto heartbeat = std::make_unique<engine::Heartbeat>(engine);
  auto propagator = std::make_unique<engine::Propagator>(engine);
  auto background = std::make_unique<engine::Background>(engine, [&](const engine::Table& table, std::size_t items) {
    telemetry.hub().local().ttl_deleted({table.id, table.name}, static_cast<std::int64_t>(items));
  });
  announce(options, (*server)->port());

  wait_for_stop(signals, options);
  store::hasten_rados(**store, kStopGrace);
  if (!(*server)->stop()) {
    // What was answered is kept, as it would be after a crash.
    std::fputs("stator: a request does not come to its end; stopping without it\n", stderr);
    std::_Exit(1);
  }
  background.reset();
  propagator.reset();
  heartbeat.reset();
  // A disk that takes nothing more is told of when the store is closed.
  static_cast<void>(telemetry.stop());
  const Result<void> closed = (*store)->close();
  if (!closed) return refuse(closed.error());
  return 0;
}

}  // namespace stator::server
