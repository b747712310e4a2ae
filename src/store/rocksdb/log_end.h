#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace stator::store {

// What one of RocksDB's logs holds: whole records, up to the first that is not.
//
// A log has room behind its records (LogRoom), and a crash may have torn the last of them: of what was not synced, any part may be
// on disk, and the rest is zero. Each group of commits is one record and is synced before the next is written, so only one can be
// torn, and no record begins behind it. Where one does, something else has damaged the log.
struct LogEnd {
  std::uint64_t bytes = 0;   // where the whole records end
  std::uint64_t groups = 0;  // how many groups of commits they are
  bool damaged = false;      // a group begins behind the end
};
[[nodiscard]] Result<LogEnd> measure_log(const std::string& path);

// Where the records of a log end. A damaged one is an `Error` (corruption).
[[nodiscard]] Result<std::uint64_t> find_log_end(const std::string& path);

}  // namespace stator::store
