#pragma once

#include <rocksdb/file_system.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/rocksdb/ends_file.h"

namespace stator::store {

// The files of one database, with a record in ENDS of how much of each log was acknowledged.
//
// A record is made when a group of commits is acknowledged, and is gone, durably, before RocksDB deletes the log. So no record
// asks for more than what was on disk when it was made, nor for a log that RocksDB has deleted.
//
// Everything but logs goes straight to `target`. May be used by many threads.
class LogRecorder final : public rocksdb::FileSystemWrapper {
 public:
  // `synced`: each group is on disk before it is acknowledged. Otherwise the operating system has it.
  LogRecorder(std::shared_ptr<rocksdb::FileSystem> target, std::string directory, bool synced);
  ~LogRecorder() override;
  const char* Name() const override { return "LogRecorder"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

  // RocksDB is open. It may have written a group of no commits to its new log.
  void opened();
  // All that was written to the newest log so far is one more group of so many commits, and safe. For the one who writes.
  void acknowledge(std::uint64_t commits) noexcept;

 private:
  class Log;
  struct Written;  // what a log has

  [[nodiscard]] rocksdb::IOStatus add(const std::shared_ptr<Written>& log);
  [[nodiscard]] rocksdb::IOStatus forget(std::uint64_t log);
  [[nodiscard]] rocksdb::IOStatus open_ends();

  const std::string directory_;
  const std::uint64_t boot_;  // in the records
  const base::SystemClock clock_;
  std::mutex mutex_;
  // Guarded by mutex_.
  EndsFile file_;                     // opened when first needed: by then RocksDB has locked the directory
  std::vector<std::uint64_t> places_;  // number of the log in each; zero: free
  std::uint64_t manifest_ = 0;
  std::shared_ptr<Written> newest_;
};

}  // namespace stator::store
