#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace stator::store {

// Makes sure that `directory` may be given to RocksDB: it exists (its parent must), is ours or
// empty, has a format that this version reads, and has not lost the file that RocksDB starts from.
// Creates the directory and the FORMAT file of a new one; changes nothing else.
[[nodiscard]] Result<void> prepare_directory(const std::string& directory);

// Refuses to open a directory when its disk has not enough room for the log to be written to table
// files: RocksDB does not always survive to find that out halfway.
[[nodiscard]] Result<void> check_room(const std::string& directory);
[[nodiscard]] Result<void> check_room(const std::string& directory, std::uint64_t available_bytes);

// "the data directory '...' is damaged: <what>; nothing was changed"
[[nodiscard]] Error damaged_directory(const std::string& directory, std::string_view what);

// The number in the name of one of RocksDB's files, such as 000012.log and MANIFEST-000011; zero if it has none.
[[nodiscard]] std::uint64_t file_number(std::string_view name);

}  // namespace stator::store
