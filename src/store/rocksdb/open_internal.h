#pragma once

#include <memory>

#include "store/open.h"

namespace rocksdb {
class Env;
}

namespace stator::store {

class RocksStore;

// As open_rocksdb, on another environment than the operating system's: for tests that break disks.
// Null means the operating system's; otherwise it must outlive the store. FORMAT is always read
// from the real directory.
[[nodiscard]] Result<std::unique_ptr<RocksStore>> open_rocks_store(const RocksOptions& options,
                                                                   rocksdb::Env* env);

}  // namespace stator::store
