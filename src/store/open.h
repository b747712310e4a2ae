#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace stator::store {

enum class Durability : std::uint8_t {
  full,     // a commit answers when it is on disk (group commit, fsync)
  relaxed,  // a commit answers when the operating system has it; a power loss may take the last moments
};

// Raised when an older program could misread the data. Whoever opens a directory or pool of a newer format is refused.
inline constexpr int kDirectoryFormat = 1;
inline constexpr int kPoolFormat = 1;

struct RocksOptions {
  std::string directory;
  Durability durability = Durability::full;
  std::size_t cache_bytes = 0;  // 0: chosen from the machine's memory
  int read_threads = 2;         // for reads that miss the cache
  // Where acknowledged commits are missing: without it an Error that says what is missing; with it the store is opened
  // with what is there, and this is told what is not.
  std::function<void(const std::string& lost)> accept_loss;
};

// A directory in use, damaged or not writable gives an Error with one clear sentence.
[[nodiscard]] Result<std::unique_ptr<Store>> open_rocksdb(const RocksOptions& options);

struct RadosOptions {
  std::string pool;
  std::string configuration;  // a ceph.conf; empty: where Ceph looks by itself
  std::string user;           // without "client."; empty: admin
  std::string name_space;     // of the objects in the pool
  std::chrono::milliseconds timeout{30'000};  // of connecting, and of each operation
  // When a leaf splits, and how much a node writes to one until it looks at its size.
  std::uint64_t leaf_bytes_max = 32 << 20;
  std::uint64_t leaf_rows_max = 50'000;
  std::uint64_t measure_after_rows = 2'000;
  std::uint64_t measure_after_bytes = 4 << 20;
  std::chrono::milliseconds patience{1'000};  // with another node's undecided transaction
};

// The map in a Ceph pool, shared by all processes that open it. In a build without librados: an Error that says so.
[[nodiscard]] Result<std::unique_ptr<Store>> open_rados(const RadosOptions& options);

// Operations on objects since the store was opened, and the bytes of keys and values in them.
struct RadosStatistics {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
  // Commits of one leaf go together: operations that were sent for them, the commits in these, and the operations that
  // were refused because of a commit that had to be answered with a conflict, or of another node.
  std::uint64_t groups = 0;
  std::uint64_t group_commits = 0;
  std::uint64_t refused_groups = 0;
  std::uint64_t timeouts = 0;  // operations that the cluster did not answer in time
  std::uint64_t late = 0;      // of them, those that it has not answered yet
};
// Nothing where the store is another one.
[[nodiscard]] std::optional<RadosStatistics> rados_statistics(const Store& store);

// For a process that stops: what the Ceph cluster does not answer within `grace` fails from now on, so that nobody
// waits for a cluster that is gone. Does nothing where the store is another one.
void hasten_rados(Store& store, std::chrono::milliseconds grace);

// Lost at exit. For tests and `--in-memory`.
[[nodiscard]] std::unique_ptr<Store> open_memory();

}  // namespace stator::store
