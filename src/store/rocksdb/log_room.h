#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace stator::store {

// The files of one database, with room of zeros ahead of what is written to its logs.
//
// A flush of a file that has grown writes its data, its new size and where its blocks are; one of a file whose bytes were there
// before writes the data alone. So a thread of its own keeps some room behind the last record of each log that is
// open. Nobody waits for it: where the room is used up, the log grows as it would without. RocksDB cuts the room off when it closes a log;
// after a crash a log is read up to the end of its records (find_log_end).
//
// A log for which there is no file descriptor, or no room on the disk, is begun without one (AbsentLog).
//
// Everything but logs goes straight to `target`. May be used by many threads.
class LogRoom final : public rocksdb::FileSystemWrapper {
 public:
  // `makes_room`: not where commits are not synced one by one, because then more than one record may be torn.
  // `reads_damaged`: a damaged log is read up to the damage. Otherwise it is not read.
  LogRoom(std::shared_ptr<rocksdb::FileSystem> target, bool makes_room, bool reads_damaged);
  ~LogRoom() override;
  const char* Name() const override { return "LogRoom"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;

 private:
  class Log;
  class AbsentLog;
  class Reader;

  void run();
  void ask_for_room(std::shared_ptr<class LogZeros> zeros);

  const bool makes_room_;
  const bool reads_damaged_;
  std::atomic<std::uint64_t> other_files_{0};  // that were begun, or should have been
  std::mutex mutex_;
  std::condition_variable asked_;
  std::vector<std::shared_ptr<class LogZeros>> wanting_;  // guarded by mutex_
  bool stopping_ = false;                                 // guarded by mutex_
  std::thread keeper_;
};

}  // namespace stator::store
