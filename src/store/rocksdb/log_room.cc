#include "store/rocksdb/log_room.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "base/thread_name.h"
#include "store/rocksdb/appended_file.h"
#include "store/rocksdb/log_end.h"
#include "store/rocksdb/log_zeros.h"
#include "store/rocksdb/status.h"

namespace stator::store {
namespace {

bool is_log(const std::string& path) { return std::filesystem::path(path).extension() == ".log"; }

}  // namespace

// A log that is written. RocksDB appends to it only, and by one thread at a time.
class LogRoom::Log final : public AppendedFile<LogRoom::Log> {
 public:
  Log(std::unique_ptr<rocksdb::FSWritableFile> target, LogRoom& owner, const std::string& path)
      : AppendedFile(std::move(target)), owner_(owner), zeros_(std::make_shared<LogZeros>(path)) {
    owner_.ask_for_room(zeros_);
  }
  ~Log() override { zeros_->stop(); }

  rocksdb::IOStatus Close(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    zeros_->stop();
    const rocksdb::IOStatus cut = failed_ ? rocksdb::IOStatus::OK() : target()->Truncate(zeros_->size(), options, debug);
    const rocksdb::IOStatus closed = target()->Close(options, debug);
    return cut.ok() ? closed : cut;
  }
  template <class Write>
  rocksdb::IOStatus append(const rocksdb::Slice& data, Write write) {
    const rocksdb::IOStatus status = zeros_->append(data.size(), write);
    // After a failure nobody knows where the file ends, and RocksDB writes no more to it.
    if (!status.ok()) {
      failed_ = true;
      zeros_->stop();
    } else if (zeros_->wants_more()) {
      owner_.ask_for_room(zeros_);
    }
    return status;
  }

 private:
  LogRoom& owner_;
  const std::shared_ptr<LogZeros> zeros_;
  bool failed_ = false;
};

// A log for which no file could be made. RocksDB does not stand a failure to begin a log: where it comes to the end of a write
// buffer, that buffer can never be flushed again. So the log seems to be there, and the first record is what fails, which
// is recovered from as from a disk that is full. Nothing was acknowledged that should be in it.
//
// The failure waits until the flush of the memtable before has begun its table file. RocksDB 7.8 forgets a flush that it has
// scheduled when it finds an error of another thread before it begins: the memtable stays queued, and Resume() waits for it
// for ever.
class LogRoom::AbsentLog final : public rocksdb::FSWritableFile {
 public:
  AbsentLog(rocksdb::IOStatus reason, const std::atomic<std::uint64_t>& other_files)
      : reason_(std::move(reason)), other_files_(other_files), seen_(other_files) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& /*data*/, const rocksdb::IOOptions& /*options*/,
                           rocksdb::IODebugContext* /*debug*/) override {
    return fail();
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& /*data*/, const rocksdb::IOOptions& /*options*/,
                           const rocksdb::DataVerificationInfo& /*verification*/,
                           rocksdb::IODebugContext* /*debug*/) override {
    return fail();
  }
  rocksdb::IOStatus Truncate(std::uint64_t /*size*/, const rocksdb::IOOptions& /*options*/,
                             rocksdb::IODebugContext* /*debug*/) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Close(const rocksdb::IOOptions& /*options*/, rocksdb::IODebugContext* /*debug*/) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Flush(const rocksdb::IOOptions& /*options*/, rocksdb::IODebugContext* /*debug*/) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& /*options*/, rocksdb::IODebugContext* /*debug*/) override {
    return rocksdb::IOStatus::OK();
  }
  bool IsSyncThreadSafe() const override { return true; }

 private:
  rocksdb::IOStatus fail() const {
    constexpr std::chrono::milliseconds kLook{1};
    constexpr int kLooksMax = 2'000;  // a log that is begun for another reason has no flush before it
    for (int looks = 0; looks < kLooksMax && other_files_ == seen_; ++looks) std::this_thread::sleep_for(kLook);
    return reason_;
  }

  const rocksdb::IOStatus reason_;
  const std::atomic<std::uint64_t>& other_files_;
  const std::uint64_t seen_;
};

// A log that is read, as far as its records go.
class LogRoom::Reader final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  Reader(std::unique_ptr<rocksdb::FSSequentialFile> target, std::uint64_t end)
      : FSSequentialFileOwnerWrapper(std::move(target)), left_(end) {}

  rocksdb::IOStatus Read(std::size_t bytes, const rocksdb::IOOptions& options, rocksdb::Slice* result, char* scratch,
                         rocksdb::IODebugContext* debug) override {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, left_));
    const rocksdb::IOStatus status = target()->Read(wanted, options, result, scratch, debug);
    if (status.ok()) left_ -= result->size();
    return status;
  }
  rocksdb::IOStatus Skip(std::uint64_t bytes) override {
    const std::uint64_t skipped = std::min(bytes, left_);
    left_ -= skipped;
    return target()->Skip(skipped);
  }

 private:
  std::uint64_t left_;
};

LogRoom::LogRoom(std::shared_ptr<rocksdb::FileSystem> target, bool makes_room, bool reads_damaged)
    : FileSystemWrapper(std::move(target)), makes_room_(makes_room), reads_damaged_(reads_damaged) {
  if (makes_room_) keeper_ = std::thread([this] { run(); });
}

LogRoom::~LogRoom() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  asked_.notify_one();
  if (keeper_.joinable()) keeper_.join();
}

rocksdb::IOStatus LogRoom::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                                           rocksdb::IODebugContext* debug) {
  const rocksdb::IOStatus status = target()->NewWritableFile(path, options, file, debug);
  if (!is_log(path)) {
    ++other_files_;
    return status;
  }
  if (!status.ok() && is_shortage(status)) {
    *file = std::make_unique<AbsentLog>(status, other_files_);
    return rocksdb::IOStatus::OK();
  }
  if (status.ok() && makes_room_) *file = std::make_unique<Log>(std::move(*file), *this, path);
  return status;
}

rocksdb::IOStatus LogRoom::NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                             std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                             rocksdb::IODebugContext* debug) {
  const rocksdb::IOStatus status = target()->NewSequentialFile(path, options, file, debug);
  if (!status.ok() || !is_log(path)) return status;
  const Result<LogEnd> log = measure_log(path);
  if (!log) return rocksdb::IOStatus::Corruption(log.error().message);
  if (log->damaged && !reads_damaged_) return rocksdb::IOStatus::Corruption(path, "whole records follow a damaged one");
  *file = std::make_unique<Reader>(std::move(*file), log->bytes);
  return status;
}

void LogRoom::ask_for_room(std::shared_ptr<LogZeros> zeros) {
  {
    const std::lock_guard lock(mutex_);
    if (std::find(wanting_.begin(), wanting_.end(), zeros) != wanting_.end()) return;
    wanting_.push_back(std::move(zeros));
  }
  asked_.notify_one();
}

void LogRoom::run() {
  base::name_thread("stator-log");
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [&] { return stopping_ || !wanting_.empty(); });
    if (stopping_) return;
    const std::shared_ptr<LogZeros> zeros = wanting_.front();
    lock.unlock();
    zeros->grow();
    lock.lock();
    std::erase(wanting_, zeros);  // those who asked meanwhile were served
  }
}

}  // namespace stator::store
