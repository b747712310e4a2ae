#include "store/rocksdb/log_recorder.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <utility>

#include "store/rocksdb/appended_file.h"
#include "store/rocksdb/directory.h"

namespace stator::store {
namespace {

std::uint64_t log_number(const std::filesystem::path& path) {
  return path.extension() == ".log" ? file_number(path.filename().string()) : 0;
}

}  // namespace

struct LogRecorder::Written {
  std::uint64_t number = 0;
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<bool> failed{false};  // then nobody knows what is on disk
  // Guarded by the recorder's mutex.
  std::size_t place = 0;
  AcknowledgedEnd end;
};

// RocksDB appends to a log only, and by one thread at a time.
class LogRecorder::Log final : public AppendedFile<LogRecorder::Log> {
 public:
  Log(std::unique_ptr<rocksdb::FSWritableFile> target, std::shared_ptr<Written> written)
      : AppendedFile(std::move(target)), written_(std::move(written)) {}

  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    return noted(target()->Sync(options, debug));
  }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    return noted(target()->Fsync(options, debug));
  }
  template <class Write>
  rocksdb::IOStatus append(const rocksdb::Slice& data, Write write) {
    rocksdb::IOStatus status = noted(write());
    if (status.ok()) written_->bytes += data.size();
    return status;
  }

 private:
  rocksdb::IOStatus noted(rocksdb::IOStatus status) {
    if (!status.ok()) written_->failed = true;
    return status;
  }

  const std::shared_ptr<Written> written_;
};

LogRecorder::LogRecorder(std::shared_ptr<rocksdb::FileSystem> target, std::string directory, bool synced)
    : FileSystemWrapper(std::move(target)), directory_(std::move(directory)), boot_(synced ? 0 : boot_number()) {}

LogRecorder::~LogRecorder() = default;

rocksdb::IOStatus LogRecorder::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                               std::unique_ptr<rocksdb::FSWritableFile>* file,
                                               rocksdb::IODebugContext* debug) {
  rocksdb::IOStatus status = target()->NewWritableFile(path, options, file, debug);
  if (!status.ok()) return status;
  const std::string name = std::filesystem::path(path).filename();
  if (const std::uint64_t number = log_number(path); number != 0) {
    const auto log = std::make_shared<Written>();
    log->number = number;
    status = add(log);
    if (status.ok()) *file = std::make_unique<Log>(std::move(*file), log);
  } else if (name.starts_with("MANIFEST-")) {
    const std::lock_guard lock(mutex_);
    manifest_ = file_number(name);
  }
  return status;
}

rocksdb::IOStatus LogRecorder::DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                                          rocksdb::IODebugContext* debug) {
  if (const std::uint64_t number = log_number(path); number != 0) {
    const rocksdb::IOStatus status = forget(number);
    if (!status.ok()) return status;
  }
  return target()->DeleteFile(path, options, debug);
}

void LogRecorder::opened() {
  const std::lock_guard lock(mutex_);
  if (newest_ && newest_->bytes != 0) newest_->end.groups = 1;
}

void LogRecorder::acknowledge(std::uint64_t commits) noexcept {
  const std::lock_guard lock(mutex_);
  if (!newest_ || newest_->failed) return;
  AcknowledgedEnd& end = newest_->end;
  end.log = newest_->number;
  end.bytes = newest_->bytes;
  end.groups += 1;
  end.commits += commits;
  end.time_ms = clock_.now_ms();
  end.manifest = manifest_;
  end.boot = boot_;
  // The commits are safe whether this succeeds or not. Where it fails, their loss would not be noticed.
  file_.write(newest_->place, end.groups % 2 != 0, end);
}

rocksdb::IOStatus LogRecorder::add(const std::shared_ptr<Written>& log) {
  const std::lock_guard lock(mutex_);
  const rocksdb::IOStatus status = open_ends();
  if (!status.ok()) return status;
  auto place = std::find(places_.begin(), places_.end(), 0U);
  if (place == places_.end()) place = places_.insert(place, 0);
  *place = log->number;
  log->place = static_cast<std::size_t>(place - places_.begin());
  newest_ = log;
  return status;
}

rocksdb::IOStatus LogRecorder::forget(std::uint64_t log) {
  {
    const std::lock_guard lock(mutex_);
    const rocksdb::IOStatus status = open_ends();
    if (!status.ok()) return status;
    const auto place = std::find(places_.begin(), places_.end(), log);
    if (place == places_.end()) return status;
    if (!file_.clear(static_cast<std::size_t>(place - places_.begin()))) return rocksdb::IOStatus::IOError("ENDS cannot be written");
    *place = 0;
    if (newest_ && newest_->number == log) newest_.reset();
  }
  // Not under the lock: whoever acknowledges would wait for the disk.
  return file_.sync() ? rocksdb::IOStatus::OK() : rocksdb::IOStatus::IOError("ENDS cannot be synced");
}

// Called with the lock held.
rocksdb::IOStatus LogRecorder::open_ends() {
  if (file_.is_open()) return rocksdb::IOStatus::OK();
  const Result<std::vector<AcknowledgedEnd>> ends = file_.open(directory_);
  if (!ends) return rocksdb::IOStatus::IOError(ends.error().message);
  // The place of a log that is gone is free: whoever opens a directory where one was removed was asked before (check_logs).
  for (const AcknowledgedEnd& end : *ends) {
    const bool there = end.log != 0 && std::filesystem::exists(log_path(directory_, end.log));
    places_.push_back(there ? end.log : 0);
  }
  return rocksdb::IOStatus::OK();
}

}  // namespace stator::store
