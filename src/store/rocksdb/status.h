#pragma once

#include <rocksdb/status.h>

#include "base/result.h"

namespace stator::store {

// What a failed RocksDB call means to the caller of the store.
[[nodiscard]] Error to_error(const rocksdb::Status& status);

// Whether something ran out that may come back, such as room on the disk or file descriptors. Then going on is a matter of
// writing again, unlike after a write or sync that a disk has failed.
[[nodiscard]] bool is_shortage(const rocksdb::Status& status);

[[nodiscard]] inline Result<void> to_result(const rocksdb::Status& status) {
  if (status.ok()) return {};
  return tl::unexpected<Error>(to_error(status));
}

}  // namespace stator::store
