#include "store/rocksdb/manifest_recorder.h"

#include <filesystem>
#include <utility>

#include "store/rocksdb/appended_file.h"

namespace stator::store {
namespace {

// The name of a manifest, or nothing if the path is that of another file.
std::string manifest_name(const std::string& path) {
  std::string name = std::filesystem::path(path).filename();
  return name.starts_with("MANIFEST-") ? name : std::string();
}

}  // namespace

// Sums up what is written. RocksDB appends to a manifest only, and by one thread at a time.
class ManifestRecorder::Manifest final : public AppendedFile<ManifestRecorder::Manifest> {
 public:
  Manifest(std::unique_ptr<rocksdb::FSWritableFile> target, ManifestRecorder& recorder,
           std::string name)
      : AppendedFile(std::move(target)),
        recorder_(recorder),
        name_(std::move(name)) {}

  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                         rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status = target()->Sync(options, debug);
    return status.ok() ? recorder_.record(name_, written_) : status;
  }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status = target()->Fsync(options, debug);
    return status.ok() ? recorder_.record(name_, written_) : status;
  }
  template <class Write>
  rocksdb::IOStatus append(const rocksdb::Slice& data, Write write) {
    // After a failure nobody knows where the file ends.
    if (failed_) return rocksdb::IOStatus::IOError("the manifest could not be written before");
    const rocksdb::IOStatus status = write();
    failed_ = !status.ok();
    if (failed_) return status;
    written_.bytes += data.size();
    written_.checksum = add_to_checksum(written_.checksum, {data.data(), data.size()});
    return status;
  }

 private:
  ManifestRecorder& recorder_;
  const std::string name_;
  ManifestState written_;
  bool failed_ = false;
};

ManifestRecorder::ManifestRecorder(std::shared_ptr<rocksdb::FileSystem> target,
                                   std::string directory)
    : FileSystemWrapper(std::move(target)), directory_(std::move(directory)) {}

rocksdb::IOStatus ManifestRecorder::NewWritableFile(const std::string& path,
                                                    const rocksdb::FileOptions& options,
                                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                                    rocksdb::IODebugContext* debug) {
  const rocksdb::IOStatus status = target()->NewWritableFile(path, options, file, debug);
  if (!status.ok()) return status;
  if (std::string name = manifest_name(path); !name.empty()) {
    *file = std::make_unique<Manifest>(std::move(*file), *this, std::move(name));
  }
  return status;
}

// RocksDB deletes a manifest when CURRENT durably names another. The next record leaves it out.
rocksdb::IOStatus ManifestRecorder::DeleteFile(const std::string& path,
                                               const rocksdb::IOOptions& options,
                                               rocksdb::IODebugContext* debug) {
  const rocksdb::IOStatus status = target()->DeleteFile(path, options, debug);
  if (const std::string name = manifest_name(path); status.ok() && !name.empty()) {
    const std::lock_guard lock(mutex_);
    if (states_) states_->erase(name);
  }
  return status;
}

rocksdb::IOStatus ManifestRecorder::record(const std::string& name, const ManifestState& state) {
  const std::lock_guard lock(mutex_);
  if (!states_) {
    Result<ManifestStates> states = read_states(directory_);
    if (!states) return rocksdb::IOStatus::Corruption(states.error().message);
    states_ = *std::move(states);
    // Those that were deleted after the last record of an earlier process.
    std::erase_if(*states_, [&](const auto& entry) {
      const rocksdb::IOStatus there =
          target()->FileExists(directory_ + "/" + entry.first, rocksdb::IOOptions(), nullptr);
      return there.IsNotFound();
    });
  }
  (*states_)[name] = state;
  return write_state(encode_states(*states_));
}

// Written aside and renamed, so that it is the old one or the new one.
rocksdb::IOStatus ManifestRecorder::write_state(const std::string& text) {
  const std::string path = directory_ + "/" + kStateFile;
  const std::string aside = path + ".new";
  const rocksdb::IOOptions options;
  rocksdb::IOStatus status = rocksdb::WriteStringToFile(target(), text, aside, true);
  if (status.ok()) status = target()->RenameFile(aside, path, options, nullptr);
  std::unique_ptr<rocksdb::FSDirectory> folder;
  if (status.ok()) status = target()->NewDirectory(directory_, options, &folder, nullptr);
  if (status.ok()) status = folder->Fsync(options, nullptr);
  return status;
}

}  // namespace stator::store
