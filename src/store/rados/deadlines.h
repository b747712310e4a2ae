#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/rados/connection.h"

// Time-outs of our own. Those of librados 16.2 corrupt memory when they strike a watch.
namespace stator::store::rados {

// An operation that librados was given. Whatever librados may still write to is a member of a
// descendant, which lives until librados has answered, however late.
class Pending {
 public:
  Pending(std::string object, std::size_t bytes, Connection::Done done, void* argument)
      : object_(std::move(object)), bytes_(bytes), done_(done), argument_(argument) {}
  virtual ~Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  // Exactly once, by whoever Deadlines tells to.
  void answer(Reply reply) const { done_(argument_, std::move(reply)); }
  void answer(int status) const {
    Reply reply;
    reply.status = status;
    answer(std::move(reply));
  }

 private:
  friend class Deadlines;
  enum class State : std::uint8_t { waiting, late, ended };
  const std::string object_;
  const std::size_t bytes_;  // that it keeps in memory, about
  const Connection::Done done_;
  void* const argument_;
  State state_ = State::waiting;  // guarded by Deadlines::mutex_
};

// Answers each operation with ETIMEDOUT when its time is over. Operations that librados still has
// after that are *late*: their answers are dropped. Memory is bounded while a cluster is down,
// because new operations are answered at once where too many are late. All methods may be called
// from many threads.
class Deadlines {
 public:
  struct Limits {
    std::chrono::milliseconds timeout;
    // An object that does not answer must not stop the others: each has a bound of its own.
    std::size_t late_of_object_max = 64;
    std::size_t late_max = 8'192;
    std::size_t late_bytes_max = std::size_t{128} << 20;
  };
  using PendingPointer = std::shared_ptr<Pending>;

  explicit Deadlines(const Limits& limits);
  ~Deadlines();
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;

  // Before the operation is given to librados. False when it must not be: it has been answered.
  [[nodiscard]] bool begin(const PendingPointer& pending);
  // The same for one that nobody waits for: it has time until hasten().
  [[nodiscard]] bool begin_patiently(const PendingPointer& pending);
  // librados has answered. True when the caller has to pass it on and then call answered(); false
  // when it came too late.
  [[nodiscard]] bool end(Pending& pending);
  void answered();

  // From now on the time-out is not above `grace`, for operations under way too; after the first
  // one that was not answered within it, nothing is waited for any more. For a node that stops.
  void hasten(std::chrono::milliseconds grace);
  // Waits until every operation has been answered, in time or not; then says which librados has not
  // answered.
  [[nodiscard]] std::vector<PendingPointer> drain();

  struct Statistics {
    std::uint64_t timeouts = 0;  // operations that were answered with ETIMEDOUT
    std::size_t late = 0;        // of them, those that librados has not answered yet
  };
  [[nodiscard]] Statistics statistics() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    Clock::time_point at;
    std::weak_ptr<Pending> pending;
  };
  [[nodiscard]] bool begin(const PendingPointer& pending, bool patiently);
  [[nodiscard]] bool refuses(const Pending& pending) const;
  void become_late(const PendingPointer& pending);
  void run();

  const Limits limits_;
  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::condition_variable wake_;
  std::condition_variable idle_;
  std::chrono::milliseconds timeout_;
  std::deque<Entry> entries_;  // by time, since all have the same time-out
  std::vector<std::weak_ptr<Pending>> patient_;
  std::size_t waiting_ = 0;
  std::unordered_map<const Pending*, PendingPointer> late_;
  std::unordered_map<std::string, std::size_t> late_of_object_;
  std::size_t late_bytes_ = 0;
  std::uint64_t timeouts_ = 0;
  bool hastened_ = false;
  bool gone_ = false;  // hastened, and the cluster did not answer: nothing is waited for any more
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace stator::store::rados
