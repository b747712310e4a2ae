#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace stator::server {

struct ServeOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8000;
  std::string data = "./data";
  bool in_memory = false;
  std::string store = "rocksdb";
  std::string pool;
  std::string ceph_conf;
  std::string ceph_user = "admin";
  std::int64_t ceph_timeout_ms = 30'000;
  std::string durability = "full";
  bool accept_loss = false;
  unsigned threads = 0;
  std::string account_id = "418273906451";
  std::string region = "us-east-1";
  std::int64_t transition_ms = 0;
  std::int64_t ttl_interval_ms = 1000;
  std::int64_t index_delay_ms = 0;
  std::string index_writes;  // together or outbox; empty: by the store
  std::int64_t stream_retention_ms = 24LL * 60 * 60 * 1000;
  std::int64_t shard_lifetime_ms = 4LL * 60 * 60 * 1000;
  std::string validation = "current";
  std::int64_t collection_limit_mb = 10LL * 1024;
  std::int64_t telemetry_speed = 1;
  std::size_t cache_mb = 0;
  std::string capacity = "observe";
  std::int64_t slow_ms = 0;
  std::string record;
  bool record_hash_keys = false;
  std::vector<int> parents;  // processes to end with, from the parent upwards
};

// Adds `stator serve` to the command line.
void add_serve_command(CLI::App& app, ServeOptions& options);

// Runs until SIGTERM or SIGINT, or until a parent is gone; the process's exit code is returned.
int serve(const ServeOptions& options);

}  // namespace stator::server
