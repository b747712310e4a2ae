#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace stator::store {

// Where the records of one of RocksDB's logs end.
//
// A log has room behind its records (LogRoom), and a crash may have torn the last of them: of what was not synced, any part may be
// on disk, and the rest is zero. Each group of commits is one record and is synced before the next is written, so only one can be
// torn, and no record begins behind it. Where one does, something else has damaged the log, and that is an `Error` (corruption).
[[nodiscard]] Result<std::uint64_t> find_log_end(const std::string& path);

}  // namespace stator::store
