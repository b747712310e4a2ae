#pragma once

#include <rocksdb/file_system.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "store/rocksdb/state_file.h"

namespace stator::store {

// The files of one database, with a record in STATE of what its manifest has on disk.
//
// When RocksDB syncs a manifest, STATE is brought up to date, durably, before the sync returns. So
// whatever RocksDB does on the strength of a record in the manifest (pointing CURRENT to a new one,
// deleting a log or a table file), STATE knows that record; and what STATE does not know yet may be
// torn by a crash without harm. If STATE cannot be written, the sync of the manifest has failed.
//
// Everything but manifests goes straight to `target`. May be used by many threads.
class ManifestRecorder final : public rocksdb::FileSystemWrapper {
 public:
  ManifestRecorder(std::shared_ptr<rocksdb::FileSystem> target, std::string directory);
  const char* Name() const override { return "ManifestRecorder"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

 private:
  class Manifest;

  [[nodiscard]] rocksdb::IOStatus record(const std::string& name, const ManifestState& state);
  [[nodiscard]] rocksdb::IOStatus write_state(const std::string& text);

  const std::string directory_;
  std::mutex mutex_;
  // Guarded by mutex_. Read from the disk when first needed: by then RocksDB has locked the
  // directory.
  std::optional<ManifestStates> states_;
};

}  // namespace stator::store
