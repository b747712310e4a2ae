#pragma once

#include <string>

#include "base/result.h"

namespace stator::store {

// Makes sure that `directory` may be given to RocksDB: it exists (its parent must), is ours or
// empty, has a format that this version reads, and has not lost the file that RocksDB starts from.
// Creates the directory and the FORMAT file of a new one; changes nothing else.
[[nodiscard]] Result<void> prepare_directory(const std::string& directory);

}  // namespace stator::store
