#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace stator::store {

// For tests: the operating system's files, with a power switch and a disk that can fill up or
// break.
class FaultFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  FaultFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "FaultFileSystem"; }

  // From now on nothing reaches a file any more.
  void power_off() { off_ = true; }
  // The same, after so many more writes, syncs and changes of names.
  void power_off_after(int operations) { operations_left_ = operations; }
  // What a power loss does: cuts every file back to what was synced. Call it when the store is
  // gone.
  void drop_unsynced() {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, file] : files_) {
      if (std::filesystem::exists(name)) std::filesystem::resize_file(name, file->synced_bytes);
    }
  }
  // Makes writes to, or syncs of, files with this extension fail; all work again with an empty
  // extension.
  void fail_appends(std::string extension,
                    rocksdb::IOStatus how = rocksdb::IOStatus::NoSpace("No space left")) {
    const std::lock_guard lock(mutex_);
    append_failure_ = how;
    failing_appends_ = std::move(extension);
  }
  void fail_syncs(std::string extension) {
    const std::lock_guard lock(mutex_);
    failing_syncs_ = std::move(extension);
  }
  // From now on syncs of the log wait until they are let go.
  void hold_log_syncs() {
    const std::lock_guard lock(mutex_);
    log_syncs_held_ = true;
  }
  void let_log_syncs_go() {
    const std::lock_guard lock(mutex_);
    log_syncs_held_ = false;
    changed_.notify_all();
  }
  void wait_until_a_log_sync_is_held() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return log_sync_waits_; });
  }
  [[nodiscard]] int log_syncs() const { return log_syncs_; }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override {
    if (is_off()) return rocksdb::IOStatus::IOError("power is off");
    const rocksdb::IOStatus status = target()->NewWritableFile(name, options, result, debug);
    if (status.ok()) wrap(name, result);
    return status;
  }
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    if (is_off()) return rocksdb::IOStatus::IOError("power is off");
    const rocksdb::IOStatus status = target()->RenameFile(from, to, options, debug);
    const std::lock_guard lock(mutex_);
    if (auto file = files_.extract(from); status.ok() && !file.empty()) {
      files_.erase(to);
      file.key() = to;
      files_.insert(std::move(file));
    }
    return status;
  }
  rocksdb::IOStatus DeleteFile(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    if (is_off()) return rocksdb::IOStatus::IOError("power is off");
    return target()->DeleteFile(name, options, debug);
  }

 private:
  struct FileState {
    std::uint64_t bytes = 0;
    std::uint64_t synced_bytes = 0;
  };

  class File final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(std::unique_ptr<rocksdb::FSWritableFile> target, FaultFileSystem& system,
         std::string extension, std::shared_ptr<FileState> state)
        : FSWritableFileOwnerWrapper(std::move(target)),
          system_(system),
          extension_(std::move(extension)),
          state_(std::move(state)) {}

    rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override {
      rocksdb::IOStatus status = system_.before_append(extension_);
      if (status.ok()) status = FSWritableFileOwnerWrapper::Append(data, options, debug);
      if (status.ok()) state_->bytes += data.size();
      return status;
    }
    rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                             const rocksdb::DataVerificationInfo&,
                             rocksdb::IODebugContext* debug) override {
      return Append(data, options, debug);
    }
    rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
      return synced([&] { return FSWritableFileOwnerWrapper::Sync(options, debug); });
    }
    rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                            rocksdb::IODebugContext* debug) override {
      return synced([&] { return FSWritableFileOwnerWrapper::Fsync(options, debug); });
    }

   private:
    template <class Synchronize>
    rocksdb::IOStatus synced(Synchronize synchronize) {
      rocksdb::IOStatus status = system_.before_sync(extension_);
      if (status.ok()) status = synchronize();
      if (status.ok()) state_->synced_bytes = state_->bytes;
      return status;
    }
    FaultFileSystem& system_;
    const std::string extension_;
    const std::shared_ptr<FileState>
        state_;  // shared with the file system, which cuts the file back later
  };

  void wrap(const std::string& name, std::unique_ptr<rocksdb::FSWritableFile>* file) {
    auto state = std::make_shared<FileState>();
    const std::lock_guard lock(mutex_);
    files_[name] = state;
    *file = std::make_unique<File>(std::move(*file), *this, std::filesystem::path(name).extension(),
                                   state);
  }
  bool is_off() {
    if (operations_left_ >= 0 && operations_left_-- == 0) off_ = true;
    return off_;
  }
  rocksdb::IOStatus before_append(const std::string& extension) {
    if (is_off()) return rocksdb::IOStatus::IOError("power is off");
    const std::lock_guard lock(mutex_);
    return extension == failing_appends_ ? append_failure_ : rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus before_sync(const std::string& extension) {
    if (is_off()) return rocksdb::IOStatus::IOError("power is off");
    if (extension == ".log") ++log_syncs_;
    std::unique_lock lock(mutex_);
    if (extension == ".log" && log_syncs_held_) {
      log_sync_waits_ = true;
      changed_.notify_all();
      changed_.wait(lock, [&] { return !log_syncs_held_; });
      log_sync_waits_ = false;
    }
    if (extension == failing_syncs_) return rocksdb::IOStatus::IOError("the sync failed");
    return rocksdb::IOStatus::OK();
  }

  std::atomic<bool> off_{false};
  std::atomic<int> operations_left_{-1};  // negative: no end
  std::atomic<int> log_syncs_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool log_syncs_held_ = false;
  bool log_sync_waits_ = false;
  std::map<std::string, std::shared_ptr<FileState>> files_;
  std::string failing_appends_ = "none";
  std::string failing_syncs_ = "none";
  rocksdb::IOStatus append_failure_;
};

}  // namespace stator::store
