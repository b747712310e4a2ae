#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/executor.h"
#include "base/task.h"
#include "store/rados/cluster.h"
#include "store/rados/format.h"
#include "store/rados/worker.h"

namespace stator::store::rados {

enum class Outcome : std::uint8_t {
  applied,
  conflict,  // a guard does not hold
  moved,     // a key is not in this leaf's range any more; header() has the new one
  frozen,    // a key is in the part that a split is moving
  blocked,   // an intent of another transaction is in the way
  fenced,    // the transaction was stopped by someone
  outdated,  // the fence of a space is above the writer's number (S8)
  stale,     // the intent to settle is gone: someone was faster
  failed,    // see `error`; nobody knows whether it was applied
};

// An intent that was met.
struct Blocker {
  std::string key;
  Stamp transaction = 0;
  LeafNumber home = 0;
};

// Why a comparison is made, and so what its failure means.
enum class Reason : std::uint8_t {
  guard,
  unlocked,  // there must be no intent on the row
  fence,
  space,  // the fence of a space must not be above the writer's number
  intent,  // there must be this transaction's intent on the row
};

// Changes of one leaf that are applied together: a commit, or one leaf's part of one. Lives until
// it is answered.
struct LeafCommit {
  struct Check {
    WriteRequest::Comparison comparison;
    Reason reason;
    std::string_view key;  // the row's
  };
  struct LogRow {
    std::string_view prefix;
    std::string_view value;
  };
  struct InLine {  // what `latest` reads see until this is answered
    std::string_view key;
    std::optional<std::string_view> value;
  };

  Stamp stamp = 0;
  std::vector<std::string> keys;  // must be in the range, and not be frozen
  bool whole_leaf = false;        // nothing of the leaf may be frozen
  std::vector<Check> checks;
  std::vector<std::pair<std::string, std::string>>
      sets;  // omap entries; a later one of the same key wins
  std::vector<std::string> removes;
  std::vector<std::pair<std::string, std::string>> removed_ranges;
  std::vector<Add> adds;
  std::vector<LogRow> appends;
  std::optional<LeafNumber> appends_are_intents_of;  // the home of the transaction
  std::vector<InLine> in_line;

  // Guards and writes of rows, as checks and omap entries.
  void guard(std::string_view key, Version version);
  void must_be_unlocked(std::string_view key);
  void respect(const Fence& fence);
  void put(std::string_view key, std::string_view value);
  void erase(std::string_view key);
  void set_row(std::string_view key, const StoredRow& row);  // with its twin
  void set_intent(std::string_view key, const Intent& intent);

  // The answer.
  Outcome outcome = Outcome::failed;
  Error error;
  Blocker blocker;
  std::vector<std::string> appended;  // keys of the log rows

 private:
  friend class Leaf;
  bool answered_ = false;
  std::coroutine_handle<> handle_;
  base::Executor* executor_ = nullptr;
};

// One leaf as this node knows it, and the line in which changes of it wait for the operation in
// flight.
class Leaf {
 public:
  Leaf(LeafNumber number, Cluster& cluster, Worker& worker, Instance instance,
       std::chrono::milliseconds timeout);

  [[nodiscard]] LeafNumber number() const { return number_; }
  [[nodiscard]] const std::string& object() const { return object_; }
  [[nodiscard]] static std::string object_name(LeafNumber number);

  // As last seen; null when never.
  [[nodiscard]] std::shared_ptr<const Header> header() const;
  // What a read has brought along. Older ones are ignored.
  void note(const Header& header);

  // Gets in line. `commit` must live until wait() has returned.
  void start(LeafCommit& commit);
  class [[nodiscard]] Wait {
   public:
    Wait(Leaf& leaf, LeafCommit& commit) : leaf_(leaf), commit_(commit) {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> awaiting);
    void await_resume() const noexcept {}

   private:
    Leaf& leaf_;
    LeafCommit& commit_;
  };
  Wait wait(LeafCommit& commit) { return {*this, commit}; }

  // The newest write in line for the key, if there is one.
  [[nodiscard]] std::optional<Row> find_in_line(std::string_view key) const;

  // How much was written since the last call that returned true.
  [[nodiscard]] bool take_measuring_due(std::uint64_t rows_max, std::uint64_t bytes_max);

 private:
  using Group = std::vector<LeafCommit*>;
  struct Plan;
  // Sends group after group until none is in line. Begins on the thread of the first commit and goes
  // on where answers come in, so that a lone commit is not handed from thread to thread.
  base::Task<Result<void>> pump();
  base::Task<Result<void>> write_group(Group group);
  base::Task<Result<void>> refresh(const Group& group, Reply& state);
  Group take_group();
  [[nodiscard]] bool has_line() const;
  void forget();
  void fail_group(Group group, int status, const Error& error);
  [[nodiscard]] bool plan(Group& group, Plan& plan);
  [[nodiscard]] bool admit(LeafCommit& commit, Plan& plan);
  void plan_sums_and_appends(const Group& group, Plan& plan);
  void judge(Group& group, const Reply& state);
  void remember(const std::string& key, std::string_view value);
  void refuse(LeafCommit& commit, const LeafCommit::Check& failed, std::string_view stored);
  void answer(LeafCommit& commit, Outcome outcome);
  void answer_all(const Group& group, Outcome outcome, const Error& error = {});

  const LeafNumber number_;
  const std::string object_;
  Cluster& cluster_;
  Worker& worker_;
  const Instance instance_;
  const std::chrono::milliseconds timeout_;

  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::condition_variable answered_;
  std::shared_ptr<const Header> header_;
  std::deque<LeafCommit*> queue_;
  bool pumping_ = false;
  struct InLine {
    const LeafCommit* commit;
    Stamp stamp;
    std::optional<std::string_view> value;
  };
  std::unordered_map<std::string_view, InLine> in_line_;
  std::uint64_t rows_written_ = 0;
  std::uint64_t bytes_written_ = 0;

  // Of the pump. A wrong guess costs a round trip, since all of it is compared.
  std::optional<std::uint64_t> position_;
  std::unordered_map<std::string, std::vector<std::int64_t>> sums_;  // of this instance, as stored
  // The beginnings of entries as they were last seen. A guard that does not hold here would make
  // RADOS refuse the whole group; so it is answered at once, and forgotten, since another node may
  // have changed the entry.
  std::unordered_map<std::string, std::string> recent_;
};

}  // namespace stator::store::rados
