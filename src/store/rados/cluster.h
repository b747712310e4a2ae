#pragma once

#include <atomic>
#include <coroutine>
#include <memory>
#include <string>
#include <string_view>

#include "base/executor.h"
#include "base/result.h"
#include "store/open.h"
#include "store/rados/connection.h"

// Operations on objects as awaitables. Nothing here knows what a row is.
namespace stator::store::rados {

// An operation under way. Awaited at most once; may also be dropped. The coroutine goes on where it
// was; a thread that is no executor blocks.
class [[nodiscard]] Operation {
 public:
  struct State;
  explicit Operation(std::shared_ptr<State> state) : state_(std::move(state)) {}
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> awaiting);
  [[nodiscard]] Reply await_resume();

  // co_await operation.anywhere(): goes on where the answer comes in, which saves the way to
  // another thread. Nothing there may wait or take long.
  class [[nodiscard]] Anywhere {
   public:
    explicit Anywhere(Operation& operation) : operation_(operation) {}
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> awaiting);
    [[nodiscard]] Reply await_resume() { return operation_.await_resume(); }

   private:
    Operation& operation_;
  };
  [[nodiscard]] Anywhere anywhere() { return Anywhere(*this); }

 private:
  std::shared_ptr<State> state_;  // shared with the callback of librados
};

// A connection to one pool. All methods may be called from many threads. Every operation ends
// within the time-out.
class Cluster {
 public:
  // A wrong pool, a missing permission or an unreachable monitor give an Error that says so, within
  // the time-out.
  [[nodiscard]] static Result<std::unique_ptr<Cluster>> connect(const RadosOptions& options);
  explicit Cluster(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}

  [[nodiscard]] Operation write(const std::string& object, const WriteRequest& request);
  [[nodiscard]] Operation read(const std::string& object, const ReadRequest& request);
  void hasten(std::chrono::milliseconds grace) { connection_->hasten(grace); }

  // See Connection.
  [[nodiscard]] Operation watch(const std::string& object, const Connection::Watcher& watcher);
  [[nodiscard]] Operation announce(const std::string& object, std::chrono::milliseconds timeout);
  void acknowledge(const std::string& object, const Connection::Announcement& announcement) {
    connection_->acknowledge(object, announcement);
  }
  void unwatch() { connection_->unwatch(); }

  [[nodiscard]] RadosStatistics statistics() const;
  void count_group(std::size_t commits, bool refused);

 private:
  std::unique_ptr<Connection> connection_;
  struct Counters {
    std::atomic<std::uint64_t> reads{0};
    std::atomic<std::uint64_t> writes{0};
    std::atomic<std::uint64_t> read_bytes{0};
    std::atomic<std::uint64_t> written_bytes{0};
    std::atomic<std::uint64_t> groups{0};
    std::atomic<std::uint64_t> group_commits{0};
    std::atomic<std::uint64_t> refused_groups{0};
  };
  // Shared with operations under way, which may end after the cluster object is gone.
  const std::shared_ptr<Counters> counters_ = std::make_shared<Counters>();
};

// The store's error for a negative status.
[[nodiscard]] Error to_error(int status, std::string_view object);

}  // namespace stator::store::rados
