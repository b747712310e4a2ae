#pragma once

#include <rocksdb/slice.h>

#include <string_view>

namespace stator::store {

// RocksDB wants an address even of nothing.
inline rocksdb::Slice slice(std::string_view bytes) {
  return {bytes.data() != nullptr ? bytes.data() : "", bytes.size()};
}

}  // namespace stator::store
