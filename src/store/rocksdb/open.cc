#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/table.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/thread_urgency.h"
#include "store/rocksdb/directory.h"
#include "store/rocksdb/log_check.h"
#include "store/rocksdb/log_recorder.h"
#include "store/rocksdb/log_room.h"
#include "store/rocksdb/manifest_recorder.h"
#include "store/rocksdb/open_internal.h"
#include "store/rocksdb/rocks_store.h"
#include "store/rocksdb/short_turns.h"
#include "store/rocksdb/state_file.h"
#include "store/rocksdb/status.h"
#include "store/rocksdb/write_buffer.h"

namespace stator::store {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr const char* kCountersFamily = "counters";

// A third of the memory that this process may use. The cache grows as it is filled, so an idle
// store costs nothing.
std::size_t default_cache_bytes() {
  std::size_t memory_bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                             static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t limit_bytes = 0;
  if (std::ifstream limit("/sys/fs/cgroup/memory.max"); limit >> limit_bytes) {
    memory_bytes = std::min(memory_bytes, limit_bytes);
  }
  return std::clamp(memory_bytes / 3, 32 * kMiB, 8192 * kMiB);
}

rocksdb::BlockBasedTableOptions table_options(std::size_t cache_bytes) {
  rocksdb::BlockBasedTableOptions table;
  rocksdb::LRUCacheOptions cache;
  cache.capacity = cache_bytes;
  cache.num_shard_bits = 6;
  cache.high_pri_pool_ratio = 0.3;  // for indexes and filters
  table.block_cache = rocksdb::NewLRUCache(cache);
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.optimize_filters_for_memory = true;
  table.format_version = 5;
  table.block_size = 8 * 1024;
  table.block_restart_interval = 8;  // less to walk through for a point read
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.data_block_hash_table_util_ratio = 0.75;
  return table;
}

// RocksDB heals its background work by itself when a full disk has room again. When the log is hit,
// so that commits were lost, going on is for the commit queue to decide (RocksStore::recover).
class CommitsRecoverThemselves final : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status error,
                            bool* automatic) override {
    if (error.severity() >= rocksdb::Status::Severity::kHardError) *automatic = false;
  }
};

rocksdb::DBOptions database_options(rocksdb::Env* env) {
  rocksdb::DBOptions options;
  options.env = env;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.paranoid_checks = true;
  // A crash leaves a torn record at the end of the log. Any other damage is refused.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  options.listeners.push_back(std::make_shared<CommitsRecoverThemselves>());
  options.max_total_wal_size = 80 * kMiB;  // bounds what a start after a crash has to replay
  options.max_background_jobs = 2;
  options.max_open_files = -1;
  options.info_log_level = rocksdb::WARN_LEVEL;
  options.max_log_file_size = 1 * kMiB;
  options.keep_log_file_num = 2;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.bytes_per_sync =
      1 * kMiB;  // a background file reaches the disk bit by bit, not in one burst
  // The committer is the only writer, so nothing is gained from letting writers overlap.
  options.allow_concurrent_memtable_write = false;
  options.enable_write_thread_adaptive_yield = false;
  return options;
}

rocksdb::ColumnFamilyOptions family_options(const rocksdb::BlockBasedTableOptions& table) {
  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.compression = rocksdb::kLZ4Compression;
  options.bottommost_compression = rocksdb::kZSTD;
  options.level_compaction_dynamic_level_bytes = true;
  options.table_properties_collector_factories.push_back(make_short_turns());
  // Files are left as they are until something is written (RocksStore::write): whoever opens the
  // store may find damage and give up, and then nothing shall have been changed.
  options.disable_auto_compactions = true;
  return options;
}

rocksdb::ColumnFamilyOptions rows_options(const rocksdb::BlockBasedTableOptions& table) {
  rocksdb::ColumnFamilyOptions options = family_options(table);
  options.write_buffer_size = 64 * kMiB;
  options.memtable_factory = make_write_buffer_factory();
  options.max_write_buffer_number = 3;
  // Reads of rows that are not in the write buffer skip its search.
  options.memtable_whole_key_filtering = true;
  options.memtable_prefix_bloom_size_ratio = 0.02;
  return options;
}

rocksdb::ColumnFamilyOptions counters_options(const rocksdb::BlockBasedTableOptions& table) {
  rocksdb::ColumnFamilyOptions options = family_options(table);
  options.write_buffer_size = 4 * kMiB;
  options.merge_operator = make_counter_merge_operator();
  // A hot counter gets a delta with each group. Adding them up now and then keeps its reads short.
  options.max_successive_merges = 32;
  return options;
}

Error opening_failed(const RocksOptions& options, const rocksdb::Status& status) {
  const std::string text = status.ToString();
  if (text.find("Permission denied") != std::string::npos ||
      text.find("Read-only file system") != std::string::npos) {
    return {ErrorCode::out_of_space,
            fmt::format("the data directory '{}' is not writable: {}", options.directory, text)};
  }
  if (status.IsIOError() && text.find("LOCK") != std::string::npos &&
      text.find("lock") != std::string::npos) {
    return {ErrorCode::unavailable,
            fmt::format("the data directory '{}' is in use by another process", options.directory)};
  }
  Error error = to_error(status);
  if (error.code == ErrorCode::out_of_space) {
    error.message =
        fmt::format("the disk of the data directory '{}' is full: {}", options.directory, text);
  } else {
    // What is missing or does not parse is damage, whatever RocksDB calls it.
    error = {ErrorCode::corruption,
             fmt::format("the data directory '{}' is damaged: {}; nothing was changed",
                         options.directory, text)};
  }
  return error;
}

// RocksDB would open what it finds, and take the rest for a torn end.
Result<void> check_logs(const RocksOptions& options) {
  const std::string lost = find_lost_commits(options.directory);
  if (lost.empty()) return {};
  if (options.accept_loss) {
    options.accept_loss(lost);
    return {};
  }
  return tl::unexpected<Error>(damaged_directory(
      options.directory, fmt::format("{}. To go on without what is missing, start once with: stator serve --data {} --accept-loss", lost,
                                     options.directory)));
}

// What has to be right before RocksDB may touch anything. Locked, so that the files of a store that
// is open are not taken for damaged ones; RocksDB takes the lock again for itself.
Result<void> check_files(const RocksOptions& options, rocksdb::Env& env) {
  rocksdb::FileLock* lock = nullptr;
  const rocksdb::Status locked = env.LockFile(options.directory + "/LOCK", &lock);
  if (!locked.ok()) return tl::unexpected<Error>(opening_failed(options, locked));
  Result<void> checked = check_manifest(options.directory);
  if (checked) checked = check_logs(options);
  if (checked) checked = check_room(options.directory);
  const rocksdb::Status unlocked = env.UnlockFile(lock);
  if (checked && !unlocked.ok()) return tl::unexpected<Error>(to_error(unlocked));
  return checked;
}

// For the thread of flushes. Memory waits for it, so it gets its part of a busy processor; but a request that
// comes meanwhile goes first instead of waiting for the end of a time slice.
void let_requests_interrupt_flushes(void* /*unused*/) {
  constexpr int kNiceness = 5;
  base::give_way_to_requests(kNiceness);
}

// For the thread of merges, which can wait.
void let_requests_interrupt_merges(void* /*unused*/) {
  constexpr int kNiceness = 19;
  base::give_way_to_requests(kNiceness);
}

}  // namespace

Result<std::unique_ptr<RocksStore>> open_rocks_store(const RocksOptions& options,
                                                     rocksdb::Env* env) {
  TRY_VOID(prepare_directory(options.directory));
  if (env == nullptr) env = rocksdb::Env::Default();
  TRY_VOID(check_files(options, *env));
  const bool synced = options.durability == Durability::full;
  const auto roomy = std::make_shared<LogRoom>(env->GetFileSystem(), synced, static_cast<bool>(options.accept_loss));
  const auto recorder = std::make_shared<LogRecorder>(roomy, options.directory, synced);
  std::unique_ptr<rocksdb::Env> recording =
      rocksdb::NewCompositeEnv(std::make_shared<ManifestRecorder>(recorder, options.directory));
  const std::size_t cache_bytes =
      options.cache_bytes != 0 ? options.cache_bytes : default_cache_bytes();
  const RocksStore::CacheSizes caches{.rows_bytes = cache_bytes / 4,
                                      .scans_bytes = cache_bytes / 8};
  const rocksdb::BlockBasedTableOptions table =
      table_options(cache_bytes - caches.rows_bytes - caches.scans_bytes);
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {rocksdb::kDefaultColumnFamilyName, rows_options(table)},
      {kCountersFamily, counters_options(table)},
  };
  rocksdb::DB* db = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  const rocksdb::Status status = rocksdb::DB::Open(database_options(recording.get()),
                                                   options.directory, families, &handles, &db);
  if (!status.ok()) return tl::unexpected<Error>(opening_failed(options, status));
  recorder->opened();
  env->Schedule(let_requests_interrupt_flushes, nullptr, rocksdb::Env::HIGH);
  env->Schedule(let_requests_interrupt_merges, nullptr, rocksdb::Env::LOW);
  RocksHandles opened{std::move(recording), recorder, std::unique_ptr<rocksdb::DB>(db), handles[0],
                      handles[1]};
  return std::make_unique<RocksStore>(std::move(opened), options, caches);
}

Result<std::unique_ptr<Store>> open_rocksdb(const RocksOptions& options) {
  TRY(std::unique_ptr<Store> store, open_rocks_store(options, nullptr));
  return store;
}

}  // namespace stator::store
