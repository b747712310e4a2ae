#pragma once

#include <rocksdb/table_properties.h>

#include <memory>

namespace stator::store {

// For the options of a column family. Whatever writes a table file (a flush, a merge) then gives requests that wait for the
// processor their turn between two blocks of it. Nothing is collected: this is the one place that RocksDB calls regularly
// while it works.
std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> make_short_turns();

}  // namespace stator::store
