#pragma once

#include <rocksdb/status.h>

#include "base/result.h"

namespace stator::store {

// What a failed RocksDB call means to the caller of the store.
[[nodiscard]] Error to_error(const rocksdb::Status& status);

[[nodiscard]] inline Result<void> to_result(const rocksdb::Status& status) {
  if (status.ok()) return {};
  return tl::unexpected<Error>(to_error(status));
}

}  // namespace stator::store
