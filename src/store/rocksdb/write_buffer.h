#pragma once

#include <rocksdb/memtablerep.h>

#include <memory>

namespace stator::store {

// RocksDB's write buffers as trees (EntryTree). For column families with keys in the order of their bytes, and databases with one
// writer at a time.
[[nodiscard]] std::shared_ptr<rocksdb::MemTableRepFactory> make_write_buffer_factory();

}  // namespace stator::store
