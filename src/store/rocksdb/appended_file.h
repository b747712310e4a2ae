#pragma once

#include <rocksdb/file_system.h>

#include <memory>
#include <utility>

namespace stator::store {

// A file that RocksDB only appends to, for classes that want to know of it. `File` has
//   template <class Write> rocksdb::IOStatus append(const rocksdb::Slice& data, Write write);
// which calls write() to have the data written.
template <class File>
class AppendedFile : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  explicit AppendedFile(std::unique_ptr<rocksdb::FSWritableFile> target)
      : FSWritableFileOwnerWrapper(std::move(target)) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    return file().append(data, [&] { return target()->Append(data, options, debug); });
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& verification,
                           rocksdb::IODebugContext* debug) override {
    return file().append(data, [&] { return target()->Append(data, options, verification, debug); });
  }

 private:
  File& file() noexcept { return static_cast<File&>(*this); }
};

}  // namespace stator::store
