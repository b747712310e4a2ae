#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/hooked_store.h"
#include "engine/outbox_row.h"
#include "engine/propagate.h"
#include "engine/test_support.h"
#include "engine/write_plan.h"

// What the tests of the outbox share.
namespace stator::engine::testing {

inline EngineOptions outbox_options() {
  EngineOptions options;
  options.index_writes = IndexWrites::outbox;
  return options;
}

inline std::vector<std::pair<std::string, std::string>> rows_of_space(store::Store& store, TableId table,
                                                                      std::uint8_t space) {
  base::Buffer from;
  append_space(from, table, space);
  base::Buffer to;
  append_space(to, table, static_cast<std::uint8_t>(space + 1));
  return StoredRows(store, from.view(), to.view()).rows;
}

inline std::vector<std::string> outbox_rows(store::Store& store, TableId table) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : rows_of_space(store, table, 0)) {
    if (is_outbox_key(key)) keys.push_back(key);
  }
  return keys;
}

inline std::vector<std::string> outbox_marks(store::Store& store) {
  const std::string from = outbox_marks_key();
  std::string to = from;
  to.back() = static_cast<char>(to.back() + 1);
  std::vector<std::string> nodes;
  for (const auto& [key, value] : StoredRows(store, from, to).rows) {
    nodes.emplace_back(read_outbox_mark_key(key).node);
  }
  return nodes;
}

// That every index has exactly the rows that the items want, and the counts of them.
inline void expect_indexes_equal_table(store::Store& store, const Table& table) {
  base::Arena arena;
  std::map<IndexId, std::map<std::string, std::string>> wanted;
  std::map<IndexId, std::int64_t> bytes;
  for (const auto& [key, value] : rows_of_space(store, table.id, 0)) {
    if (is_outbox_key(key)) continue;
    const Result<item::StoredItem> item = item::StoredItem::open(value);
    ASSERT_TRUE(item.has_value());
    const std::optional<KeyValues> values = find_key_values(table.key, *item, arena);
    ASSERT_TRUE(values.has_value());
    for (const Index& index : table.indexes) {
      const std::optional<IndexRow> row = index_row(table, index, *values, *item, arena);
      if (!row) continue;
      wanted[index.id].emplace(row->key, row->item.bytes());
      bytes[index.id] += static_cast<std::int64_t>(row->item.item_bytes());
    }
  }
  for (const Index& index : table.indexes) {
    const auto rows = rows_of_space(store, table.id, index.id);
    const std::map<std::string, std::string> found(rows.begin(), rows.end());
    EXPECT_TRUE(found == wanted[index.id]) << index.name << " has " << found.size() << " rows, not "
                                           << wanted[index.id].size() << ", or others";
    const auto counters = base::sync_wait(store.counters(statistics_key(table.id, index.id), 2));
    ASSERT_TRUE(counters.has_value());
    EXPECT_EQ((*counters)[0], static_cast<std::int64_t>(found.size())) << index.name;
    EXPECT_EQ((*counters)[1], bytes[index.id]) << index.name;
  }
}

}  // namespace stator::engine::testing
