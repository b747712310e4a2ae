// The options of `stator serve`. docs/commands.md lists them too.

#include <CLI/CLI.hpp>

#include "server/serve_command.h"

namespace stator::server {
namespace {

std::string check_account(const std::string& id) {
  const bool digits = id.size() == 12 && id.find_first_not_of("0123456789") == std::string::npos;
  return digits ? "" : "an account id has twelve digits";
}

// Where to listen, where data is kept and with what. Returns --pool, which options of a cluster need.
CLI::Option* add_place_options(CLI::App& serve, ServeOptions& options) {
  serve.add_option("--host", options.host, "Address to listen on")->capture_default_str();
  serve.add_option("--port", options.port, "Port to listen on; 0 picks a free one")->capture_default_str();
  serve.add_option("--data", options.data, "Directory of the data; made where it is missing")
      ->capture_default_str();
  serve.add_flag("--in-memory", options.in_memory, "Keep everything in memory; nothing is written to disk");
  CLI::Option* store = serve.add_option("--store", options.store, "Where data is kept: rocksdb (a directory) or rados (Ceph)")
                           ->check(CLI::IsMember({"rocksdb", "rados"}))
                           ->capture_default_str();
  CLI::Option* pool = serve.add_option("--pool", options.pool, "Ceph pool of --store rados")->needs(store);
  serve.add_option("--ceph-conf", options.ceph_conf, "Ceph configuration file; by default where Ceph looks for it")
      ->needs(pool);
  serve.add_option("--ceph-user", options.ceph_user, "Ceph user, without 'client.'")->needs(pool)->capture_default_str();
  serve.add_option("--ceph-timeout-ms", options.ceph_timeout_ms, "Longest wait for an answer of the Ceph cluster; for its monitors, rounded up to whole seconds")
      ->needs(pool)
      ->check(CLI::Range(100, 3'600'000))
      ->capture_default_str();
  serve.callback([&options] {
    if (options.store == "rados" && options.pool.empty()) throw CLI::ValidationError("--store rados needs --pool NAME");
  });
  serve
      .add_option("--durability", options.durability,
                   "full: a write is answered when it is on disk; relaxed: when the operating system has it")
      ->check(CLI::IsMember({"full", "relaxed"}))
      ->capture_default_str();
  serve.add_flag("--accept-loss", options.accept_loss,
                 "Start although acknowledged writes are missing from the data directory's log, and say which; for one start");
  serve.add_option("--threads", options.threads, "Reactor threads; 0 takes one per core")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  serve.add_option("--cache-mb", options.cache_mb, "Block cache in MB; 0 chooses by the machine's memory")
      ->capture_default_str();
  serve.add_option("--account-id", options.account_id, "Account in ARNs, twelve digits")
      ->check(CLI::Validator(check_account, "ACCOUNT"))
      ->capture_default_str();
  serve.add_option("--region", options.region, "Region of requests that carry no credentials, such as health checks")
      ->capture_default_str();
  serve
      .add_option("--parent", options.parents,
                   "Id of the process that starts the server, such as a test runner; the server ends when it is gone. Given again, "
                   "the parent of that one")
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1 << 22));
  return pool;
}

// How tables, indexes and streams behave.
void add_table_options(CLI::App& serve, ServeOptions& options, CLI::Option* pool) {
  serve
      .add_option("--transition-ms", options.transition_ms,
                   "How long tables stay CREATING, UPDATING and DELETING; 0: until the answer is out")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
  serve
      .add_option("--ttl-interval-ms", options.ttl_interval_ms,
                   "How often expired items are looked for and deleted")
      ->check(CLI::Range(10, 3'600'000))
      ->capture_default_str();
  serve
      .add_option("--index-delay-ms", options.index_delay_ms,
                   "How far eventually consistent reads of tables and indexes lag behind, to test applications with; 0: "
                   "they see the newest write")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
  serve
      .add_option("--index-writes", options.index_writes,
                   "How global indexes are written on --store rados: outbox (right behind the item's commit, which stays one "
                   "operation) or together (in the item's commit). The same on all nodes; by default outbox")
      ->check(CLI::IsMember({"outbox", "together"}))
      ->needs(pool);
  serve
      .add_option("--stream-retention-ms", options.stream_retention_ms,
                   "How long the records of a stream are kept")
      ->check(CLI::Range(1000, 86'400'000))
      ->capture_default_str();
  serve
      .add_option("--shard-lifetime-ms", options.shard_lifetime_ms,
                   "When a shard of a stream is closed and followed by a child")
      ->check(CLI::Range(100, 86'400'000))
      ->capture_default_str();
  serve
      .add_option("--validation", options.validation,
                   "current: faults of requests are worded and ordered as most regions of the service do it; classic: as "
                   "the others do")
      ->check(CLI::IsMember({"current", "classic"}))
      ->capture_default_str();
  serve
      .add_option("--collection-limit-mb", options.collection_limit_mb,
                   "Size that an item collection of a table with local indexes may reach")
      ->check(CLI::Range(1, 10'240))
      ->capture_default_str();
}

// Capacity, and what is told of requests.
void add_telemetry_options(CLI::App& serve, ServeOptions& options) {
  serve
      .add_option("--capacity", options.capacity,
                   "observe: meter capacity and count what would be throttled; enforce: throttle as the service does; off: "
                   "neither. The tag stator:capacity on a table goes before this")
      ->check(CLI::IsMember({"observe", "enforce", "off"}))
      ->capture_default_str();
  serve
      .add_option("--slow-ms", options.slow_ms,
                   "Log requests that take at least so many milliseconds to standard error, a JSON line each; 0: none")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
  CLI::Option* record = serve.add_option("--record", options.record,
                                          "Write what requests consume to this file, for stator simulate --trace");
  serve.add_flag("--record-hash-keys", options.record_hash_keys, "Write hashes of keys to it instead of keys")
      ->needs(record);
  serve
      .add_option("--telemetry-speed", options.telemetry_speed,
                   "How many times as fast time goes for capacity, metrics, alarms and auto scaling, to test what takes minutes; "
                   "timestamps of metrics run ahead")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
}

}  // namespace

void add_serve_command(CLI::App& app, ServeOptions& options) {
  CLI::App* serve = app.add_subcommand("serve", "Run the database server until SIGTERM or Ctrl-C");
  CLI::Option* pool = add_place_options(*serve, options);
  add_table_options(*serve, options, pool);
  add_telemetry_options(*serve, options);
  serve->footer(
      "Examples:\n"
      "  stator serve                                 http://127.0.0.1:8000, data in ./data\n"
      "  stator serve --port 9000 --in-memory         a throwaway database for tests\n"
      "  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000");
}

}  // namespace stator::server
