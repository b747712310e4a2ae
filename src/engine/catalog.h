#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "engine/table.h"
#include "store/store.h"

namespace stator::engine {

// The tables of a database. Reading is for every request, so it takes no lock: a snapshot of all tables is shared by
// pointer, and each thread looks at a version number to see whether its own copy of the pointer is still the newest.
// Changes go to the store first, under a guard on the catalog row, and only then into the snapshot.
class Catalog {
 public:
  using Tables = std::map<std::string, TablePtr, std::less<>>;

  Catalog(store::Store& store, const base::Clock& clock) : store_(store), clock_(clock) {}

  // Reads every table from the store, and finishes drops that a crash interrupted.
  [[nodiscard]] base::Task<Result<void>> load();

  // For item operations: a table that is there and can be used. The error is the data plane's.
  [[nodiscard]] Result<TablePtr> find_usable(std::string_view name) const;
  // For table operations: also one that is being created, updated or deleted. The error is the control plane's.
  [[nodiscard]] Result<TablePtr> find(std::string_view name) const;
  // Every table that can be seen now, by name.
  [[nodiscard]] std::shared_ptr<const Tables> tables() const;
  [[nodiscard]] bool gone(const Table& table) const;

  // A new table with a fresh id. ResourceInUse where the name is taken.
  [[nodiscard]] base::Task<Result<TablePtr>> create(Table table);
  // Replaces a table by what `change` makes of it; `change` may run again after a conflict and may refuse.
  [[nodiscard]] base::Task<Result<TablePtr>> update(std::string name,
                                                    std::function<Result<void>(Table&)> change);
  // Takes the table out of sight after `transition_ms` and erases its rows.
  [[nodiscard]] base::Task<Result<TablePtr>> drop(std::string name, std::int64_t transition_ms);

 private:
  [[nodiscard]] base::Task<Result<TableId>> next_id();
  [[nodiscard]] base::Task<Result<void>> erase_rows(TableId table);
  void install(TablePtr table);
  void uninstall(std::string_view name, TableId id);
  [[nodiscard]] const Tables& snapshot() const;

  store::Store& store_;
  const base::Clock& clock_;
  mutable std::mutex mutex_;                 // guards tables_
  std::shared_ptr<const Tables> tables_ = std::make_shared<Tables>();
  std::atomic<std::uint64_t> version_{1};    // bumped after tables_ was replaced
};

}  // namespace stator::engine
