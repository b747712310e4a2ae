#include "server/serve_command.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <memory>
#include <thread>

#include "base/clock.h"
#include "base/sync_wait.h"
#include "engine/background.h"
#include "engine/engine.h"
#include "engine/heartbeat.h"
#include "engine/propagator.h"
#include "net/server.h"
#include "server/endpoint.h"
#include "server/telemetry.h"
#include "server/trace_recorder.h"
#include "store/open.h"

namespace stator::server {
namespace {

int refuse(const Error& error) {
  fmt::print(stderr, "stator: {}\n", error.message);
  return 1;
}

// A Ceph cluster that answers nothing for so long after SIGTERM is not waited for.
constexpr std::chrono::milliseconds kStopGrace{2000};

// SIGTERM and SIGINT are waited for by the main thread and blocked in all others, which inherit the mask.
sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

Result<std::unique_ptr<store::Store>> open_store(const ServeOptions& options) {
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
  return store::open_rocksdb(rocks);
}

std::string where_data_is(const ServeOptions& options) {
  if (options.store == "rados" && !options.in_memory) return fmt::format("data in the Ceph pool {}", options.pool);
  return options.in_memory ? "data in memory, lost at exit"
                           : fmt::format("data in {}, durability {}", options.data, options.durability);
}

// One process writes indexes and items with one disk flush; of several leaves of a cluster that is one more round trip.
engine::IndexWrites index_writes(const ServeOptions& options, const store::Store& store) {
  return store.shared() && options.index_writes != "together" ? engine::IndexWrites::outbox : engine::IndexWrites::together;
}

std::string check_account(const std::string& id) {
  const bool digits = id.size() == 12 && id.find_first_not_of("0123456789") == std::string::npos;
  return digits ? "" : "an account id has twelve digits";
}

// Connections are file descriptors, and the usual soft limit is far below what the machine allows.
void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

void add_serve_command(CLI::App& app, ServeOptions& options) {
  CLI::App* serve = app.add_subcommand("serve", "Run the database server until SIGTERM or Ctrl-C");
  serve->add_option("--host", options.host, "Address to listen on")->capture_default_str();
  serve->add_option("--port", options.port, "Port to listen on; 0 picks a free one")->capture_default_str();
  serve->add_option("--data", options.data, "Directory of the data; made where it is missing")
      ->capture_default_str();
  serve->add_flag("--in-memory", options.in_memory, "Keep everything in memory; nothing is written to disk");
  CLI::Option* store = serve->add_option("--store", options.store, "Where data is kept: rocksdb (a directory) or rados (Ceph)")
                           ->check(CLI::IsMember({"rocksdb", "rados"}))
                           ->capture_default_str();
  CLI::Option* pool = serve->add_option("--pool", options.pool, "Ceph pool of --store rados")->needs(store);
  serve->add_option("--ceph-conf", options.ceph_conf, "Ceph configuration file; by default where Ceph looks for it")
      ->needs(pool);
  serve->add_option("--ceph-user", options.ceph_user, "Ceph user, without 'client.'")->needs(pool)->capture_default_str();
  serve->add_option("--ceph-timeout-ms", options.ceph_timeout_ms, "Longest wait for an answer of the Ceph cluster; for its monitors, rounded up to whole seconds")
      ->needs(pool)
      ->check(CLI::Range(100, 3'600'000))
      ->capture_default_str();
  serve->callback([&options] {
    if (options.store == "rados" && options.pool.empty()) throw CLI::ValidationError("--store rados needs --pool NAME");
  });
  serve
      ->add_option("--durability", options.durability,
                   "full: a write is answered when it is on disk; relaxed: when the operating system has it")
      ->check(CLI::IsMember({"full", "relaxed"}))
      ->capture_default_str();
  serve->add_option("--threads", options.threads, "Reactor threads; 0 takes one per core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  serve->add_option("--cache-mb", options.cache_mb, "Block cache in MB; 0 chooses by the machine's memory")
      ->capture_default_str();
  serve->add_option("--account-id", options.account_id, "Account in ARNs, twelve digits")
      ->check(CLI::Validator(check_account, "ACCOUNT"))
      ->capture_default_str();
  serve->add_option("--region", options.region, "Region of requests that carry no credentials, such as health checks")
      ->capture_default_str();
  serve
      ->add_option("--transition-ms", options.transition_ms,
                   "How long tables stay CREATING, UPDATING and DELETING; 0: until the answer is out")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
  serve
      ->add_option("--ttl-interval-ms", options.ttl_interval_ms,
                   "How often expired items are looked for and deleted")
      ->check(CLI::Range(10, 3'600'000))
      ->capture_default_str();
  serve
      ->add_option("--index-delay-ms", options.index_delay_ms,
                   "How far eventually consistent reads of tables and indexes lag behind, to test applications with; 0: "
                   "they see the newest write")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
  serve
      ->add_option("--index-writes", options.index_writes,
                   "How global indexes are written on --store rados: outbox (right behind the item's commit, which stays one "
                   "operation) or together (in the item's commit). The same on all nodes; by default outbox")
      ->check(CLI::IsMember({"outbox", "together"}))
      ->needs(pool);
  serve
      ->add_option("--stream-retention-ms", options.stream_retention_ms,
                   "How long the records of a stream are kept")
      ->check(CLI::Range(1000, 86'400'000))
      ->capture_default_str();
  serve
      ->add_option("--shard-lifetime-ms", options.shard_lifetime_ms,
                   "When a shard of a stream is closed and followed by a child")
      ->check(CLI::Range(100, 86'400'000))
      ->capture_default_str();
  serve
      ->add_option("--collection-limit-mb", options.collection_limit_mb,
                   "Size that an item collection of a table with local indexes may reach")
      ->check(CLI::Range(1, 10'240))
      ->capture_default_str();
  serve
      ->add_option("--capacity", options.capacity,
                   "observe: meter capacity and count what would be throttled; enforce: throttle as the service does; off: "
                   "neither. The tag stator:capacity on a table goes before this")
      ->check(CLI::IsMember({"observe", "enforce", "off"}))
      ->capture_default_str();
  serve
      ->add_option("--slow-ms", options.slow_ms,
                   "Log requests that take at least so many milliseconds to standard error, a JSON line each; 0: none")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
  CLI::Option* record = serve->add_option("--record", options.record,
                                          "Write what requests consume to this file, for stator simulate --trace");
  serve->add_flag("--record-hash-keys", options.record_hash_keys, "Write hashes of keys to it instead of keys")
      ->needs(record);
  serve
      ->add_option("--telemetry-speed", options.telemetry_speed,
                   "How many times as fast time goes for capacity, metrics, alarms and auto scaling, to test what takes minutes; "
                   "timestamps of metrics run ahead")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  serve->footer(
      "Examples:\n"
      "  stator serve                                 http://127.0.0.1:8000, data in ./data\n"
      "  stator serve --port 9000 --in-memory         a throwaway database for tests\n"
      "  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000");
}

int serve(const ServeOptions& options) {
  raise_file_limit();
  const sigset_t signals = block_stop_signals();
  Result<std::unique_ptr<store::Store>> store = open_store(options);
  if (!store) return refuse(store.error());
  const base::SystemClock clock;
  engine::Engine engine(**store, clock,
                        {.transition_ms = options.transition_ms,
                         .ttl_interval_ms = options.ttl_interval_ms,
                         .index_delay_ms = options.index_delay_ms,
                         .stream_retention_ms = options.stream_retention_ms,
                         .shard_lifetime_ms = options.shard_lifetime_ms,
                         .collection_bytes_max = options.collection_limit_mb * 1024 * 1024,
                         .index_writes = index_writes(options, **store),
                         .capacity = {engine::find_capacity_mode(options.capacity).value_or(engine::CapacityMode::off),
                                      options.telemetry_speed}});
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
                               .recorder = recorder.get()});
  const Result<void> counting = telemetry.start();
  if (!counting) return refuse(counting.error());

  Endpoint endpoint(engine, {.account_id = options.account_id,
                             .region = options.region,
                             .metrics = &telemetry.hub(),
                             .insights = &telemetry.insights(),
                             .services = &telemetry.services(),
                             .slow_log = &telemetry.slow_log(),
                             .prometheus_text = [&] { return telemetry.prometheus_text(); }});
  net::ServerOptions server_options;
  server_options.host = options.host;
  server_options.port = options.port;
  server_options.threads = options.threads;
  Result<std::unique_ptr<net::Server>> server = net::Server::start(server_options, endpoint);
  if (!server) return refuse(server.error());
  // Nothing is refused from here on: the engine stays until the store is closed.
  (*store)->listen([&engine] { return engine::learn_of_changes(engine); });
  auto heartbeat = std::make_unique<engine::Heartbeat>(engine);
  auto propagator = std::make_unique<engine::Propagator>(engine);
  auto background = std::make_unique<engine::Background>(engine, [&](const engine::Table& table, std::size_t items) {
    telemetry.hub().local().ttl_deleted({table.id, table.name}, static_cast<std::int64_t>(items));
  });
  fmt::print("stator is ready on http://{}:{} ({})\n", options.host, (*server)->port(),
             where_data_is(options));
  std::fflush(stdout);

  int received = 0;
  sigwait(&signals, &received);
  store::hasten_rados(**store, kStopGrace);
  (*server)->stop();
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
