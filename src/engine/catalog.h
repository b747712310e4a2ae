#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "engine/table.h"
#include "store/store.h"

namespace stator::engine {

// A table for the time of one write. As long as it lives, whoever has changed the table since knows that a write which does
// not know of the change is still under way.
class WriteTable {
 public:
  explicit WriteTable(TablePtr entered) : table_(std::move(entered)) {}
  WriteTable(WriteTable&& other) noexcept : table_(std::exchange(other.table_, nullptr)) {}
  WriteTable& operator=(WriteTable&&) = delete;
  ~WriteTable() {
    if (table_) table_->writers.leave();
  }
  const Table& operator*() const { return *table_; }
  const Table* operator->() const { return table_.get(); }
  [[nodiscard]] const TablePtr& pointer() const { return table_; }

 private:
  TablePtr table_;
};

// The tables of a database. Reading is for every request, so it takes no lock: a snapshot of all tables is shared by
// pointer, and each thread looks at a version number to see whether its own copy of the pointer is still the newest.
// Changes go to the store first, under a guard on the catalog row, and only then into the snapshot.
//
// On a shared store other nodes change tables too. Every change writes one row more, and a node that finds another version of
// that row reads all tables again (refresh): when it is told of a change, once a second, and when a request names a table
// that is not there. What an old snapshot could do wrong is ruled out by fences (store S8): a write says which revision of the
// table it was planned with, and fence_writers() shuts out older ones.
class Catalog {
 public:
  using Tables = std::map<std::string, TablePtr, std::less<>>;
  using RetiredTables = std::map<TableId, TablePtr>;
  using Names = std::set<std::string, std::less<>>;

  Catalog(store::Store& store, const base::Clock& clock) : store_(store), clock_(clock) {}

  // Reads every table from the store, and finishes drops that a crash interrupted.
  [[nodiscard]] base::Task<Result<void>> load();

  // Reads the tables again where another node has changed one. Whether there was anything new.
  [[nodiscard]] base::Task<Result<bool>> refresh();
  // From now on no write is applied that was planned with an older revision of the table, by whatever node. Does nothing
  // where this process is the only one: there drained() is enough.
  [[nodiscard]] base::Task<Result<void>> fence_writers(const Table& table);

  // For item operations: a table that is there and can be used. The error is the data plane's.
  [[nodiscard]] Result<TablePtr> find_usable(std::string_view name) const;
  // The same for a write: the table cannot get an index, lose one or be erased behind the back of the write (see drained).
  [[nodiscard]] Result<WriteTable> begin_write(std::string_view name) const;
  [[nodiscard]] Result<WriteTable> begin_write(TableId id) const;
  // Whether every write of this process that began with an older version of the table has ended.
  [[nodiscard]] bool drained(TableId table);
  // For table operations: also one that is being created, updated or deleted. The error is the control plane's.
  [[nodiscard]] Result<TablePtr> find(std::string_view name) const;
  // The names of all tables, and of those that are set aside: their descriptions are stored and cannot be read, their rows stay as
  // they are, and requests on them are errors (corruption).
  [[nodiscard]] Names names() const;
  // How many records of tables and of retired streams are set aside.
  [[nodiscard]] std::size_t unreadable_records() const { return unreadable_records_.load(); }
  // Every table that can be seen now, by name.
  [[nodiscard]] std::shared_ptr<const Tables> tables() const;
  [[nodiscard]] bool gone(const Table& table) const;
  // Tables that were dropped and whose streams can still be read: each as it was, its streams disabled.
  [[nodiscard]] std::shared_ptr<const RetiredTables> retired() const;
  // Erases the records of a dropped table's streams, and forgets them.
  [[nodiscard]] base::Task<Result<void>> forget_retired(TableId table);

  // A new table with a fresh id. ResourceInUse where the name is taken.
  [[nodiscard]] base::Task<Result<TablePtr>> create(Table table);
  // Replaces a table by what `change` makes of it; `change` may run again after a conflict and may refuse.
  [[nodiscard]] base::Task<Result<TablePtr>> update(std::string name,
                                                    std::function<Result<void>(Table&)> change);
  // Erases the rows of tables whose dropping was interrupted.
  [[nodiscard]] base::Task<Result<void>> finish_drops();
  // Takes the table out of sight after `transition_ms` and erases its rows, but for the records of its streams.
  [[nodiscard]] base::Task<Result<TablePtr>> drop(std::string name, std::int64_t transition_ms);

 private:
  // update(), and drop() up to the erasing of rows: one commit under a guard, then the snapshot.
  [[nodiscard]] base::Task<Result<TablePtr>> replace(std::string name, std::function<Result<void>(Table&)> change,
                                                     bool drops);
  [[nodiscard]] base::Task<Result<void>> erase_rows(TableId table);
  // The rows of all tables as they are stored, and those of retired streams.
  struct Stored {
    Tables tables;
    RetiredTables retired;
    std::vector<std::string> gone;  // names
    Names unreadable;               // tables
    std::vector<TableId> unreadable_retired;
  };
  [[nodiscard]] base::Task<Result<Stored>> read_all() const;
  [[nodiscard]] base::Task<Result<void>> erase_gone(std::string name);
  // Puts what was read in the place of the snapshot, unless a change of this node came in between.
  [[nodiscard]] bool take_over(Stored stored, std::uint64_t changes);
  // The commit of a change of the catalog; other nodes are told of it.
  [[nodiscard]] base::Task<Result<void>> commit_change(store::Batch& batch);
  static Error not_found(std::string_view name);
  static Error unreadable(std::string_view name);
  [[nodiscard]] bool is_unreadable(std::string_view name) const;
  void set_aside(const Stored& stored);  // with mutex_ held
  void let_go_of_outdated();             // with mutex_ held
  void set_retired(TableId id, TablePtr table);
  void install(TablePtr table);
  void uninstall(std::string_view name, TableId id);
  struct Snapshot {
    std::uint64_t owner = 0;  // identity_ of the catalog
    std::uint64_t version = 0;
    std::shared_ptr<const Tables> tables;
    std::shared_ptr<const Names> unreadable;  // null: none
  };
  [[nodiscard]] const Snapshot& snapshot() const;

  // Tells this catalog from one that was at its address before, of which a thread may still hold a snapshot.
  static inline std::atomic<std::uint64_t> last_identity_{0};
  const std::uint64_t identity_ = ++last_identity_;
  store::Store& store_;
  const base::Clock& clock_;
  mutable std::mutex mutex_;                 // guards tables_
  std::shared_ptr<const Tables> tables_ = std::make_shared<Tables>();
  std::map<std::string, TableId> dropped_;   // the last one of a name; guarded by mutex_
  std::shared_ptr<const RetiredTables> retired_ = std::make_shared<RetiredTables>();  // guarded by mutex_
  std::vector<TablePtr> outdated_;           // older versions with writes under way; guarded by mutex_
  std::shared_ptr<const Names> unreadable_;  // null: none; guarded by mutex_
  Names told_;                               // what was said to be unreadable; guarded by mutex_
  std::atomic<std::size_t> unreadable_records_{0};
  std::uint64_t changes_ = 0;                // of the snapshot by this node; guarded by mutex_
  std::atomic<std::uint64_t> version_{1};    // bumped, with mutex_ held, after tables_ was replaced
  std::atomic<store::Version> seen_{0};      // of the row that every change writes, when all tables were last read
};

}  // namespace stator::engine
