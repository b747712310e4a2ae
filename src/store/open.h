#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace stator::store {

enum class Durability : std::uint8_t {
  full,     // a commit answers when it is on disk (group commit, fsync)
  relaxed,  // a commit answers when the operating system has it; a power loss may take the last moments
};

struct RocksOptions {
  std::string directory;
  Durability durability = Durability::full;
  std::size_t cache_bytes = 0;  // 0: chosen from the machine's memory
  int read_threads = 2;         // for reads that miss the cache
};

// A directory in use, damaged or not writable gives an Error with one clear sentence.
[[nodiscard]] Result<std::unique_ptr<Store>> open_rocksdb(const RocksOptions& options);

// Lost at exit. For tests and `--in-memory`.
[[nodiscard]] std::unique_ptr<Store> open_memory();

}  // namespace stator::store
