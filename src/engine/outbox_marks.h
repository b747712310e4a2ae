#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "engine/table.h"
#include "store/store.h"

// Which tables a node may have outbox rows in, written down so that another node finds them when this one is gone.
//
//   mark := revision      key: table, number, node (see row_key.h)
//
// A node marks a table before its first outbox row there and takes the mark away when it has had none for some time. Whoever
// finds the mark of a node that is gone shuts out what that node may still have on its way, by raising the table's revision
// and its fence, and only then looks for rows (outbox_sweep.h). A node that was taken for dead and goes on must therefore mark again
// before its first write with the new revision: a mark counts for the revision that it was put with, and older ones.
//
// Each mark has a number of its own, so that a mark that is taken away and one that is being put never meet.
namespace stator::engine {

// All methods may be called from many threads.
class OutboxMarks {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  OutboxMarks(store::Store& store, std::string node) : store_(store), node_(std::move(node)) {}

  [[nodiscard]] const std::string& node() const { return node_; }

  // A user of a mark: a write that is under way, or an outbox row that is to be applied. A marked table stays so while it has any.
  void enter(TableId table);
  void leave(TableId table, Moment now);
  // For a user, before it puts its first row: answers when the mark is durable. At once where it is already.
  [[nodiscard]] base::Task<Result<void>> mark(TableId table, std::uint64_t revision);

  // Takes away the marks of tables without users since `before`.
  [[nodiscard]] base::Task<Result<void>> clear(Moment before);

 private:
  struct State {
    std::uint64_t number = 0;    // of the mark that was put, or tried to be; 0: none
    std::uint64_t revision = 0;  // that the table is marked for
    bool marked = false;
    std::size_t users = 0;
    Moment last_used;
  };
  [[nodiscard]] base::Task<Result<void>> put_mark(TableId table, std::uint64_t number, std::uint64_t revision);

  store::Store& store_;
  const std::string node_;
  std::mutex mutex_;
  // Guarded by mutex_:
  std::map<TableId, State> tables_;
  std::uint64_t last_number_ = 0;
  std::vector<std::string> left_;  // keys of marks that could not be taken away
};

}  // namespace stator::engine
