#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/task.h"
#include "base/thread_urgency.h"
#include "engine/engine.h"

namespace stator::engine {

// What is being filled: an index, or the order by expiry where `index` is null.
struct BuildTarget {
  TablePtr table;
  const Index* index = nullptr;
  std::string progress_key;  // of the row that says up to which item the table is done
};

// The rows of some items, ready to be put. `batch` refers to the others.
struct BuiltRows {
  std::vector<store::KeyedRow> items;
  std::unique_ptr<base::Arena> arena;
  store::Batch batch;
};

// The rows of `items` that are not there yet, each under a guard on its item, and that the table is done up to the last of
// them. There is at least one item.
[[nodiscard]] base::Task<Result<std::unique_ptr<BuiltRows>>> prepare_rows(Engine& engine, const BuildTarget& target,
                                                                          std::vector<store::KeyedRow> items,
                                                                          base::Turns& turns);

// Puts them. Those of items that have changed since they were read are made again.
[[nodiscard]] base::Task<Result<void>> commit_rows(Engine& engine, const BuildTarget& target, BuiltRows& built,
                                                   base::Turns& turns);

}  // namespace stator::engine
