#pragma once

#include <sys/epoll.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "net/answer_budget.h"
#include "net/connection.h"
#include "net/connection_places.h"
#include "net/reactor_context.h"
#include "net/server.h"
#include "net/socket.h"

namespace stator::net {

// A thread with its listener, its connections and the work that is posted to it. All but post() and
// stopping is done on that thread.
class Reactor final : public base::Executor {
 public:
  // What all reactors of a server share. Complete before the first one starts.
  struct Group {
    Group(const ServerOptions& options_in, unsigned threads_in);
    const ServerOptions options;
    const unsigned threads;
    ConnectionPlaces places;
    AnswerBudget answers;
    std::vector<std::unique_ptr<Reactor>> reactors;
  };

  // Group and handler must outlive the reactor.
  Reactor(Group& group, Handler& handler, FileDescriptor listener);
  ~Reactor() override;
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  void start();
  // Asks the thread to end, which it does when its exchanges are finished or have had their time.
  void request_stop() noexcept;
  // Waits for the thread to end; false if it has not until then.
  [[nodiscard]] bool wait_until(std::chrono::steady_clock::time_point deadline);
  void join();

  // Asks for a place for a client of that address, from another reactor's thread.
  void ask_for_place(ClientAddress address) noexcept;

  void post(std::coroutine_handle<> work) noexcept override;
  void post_many(std::span<const std::coroutine_handle<>> work) noexcept override;

 private:
  static constexpr std::int64_t kLineLookMs = 5;  // between two looks whether other reactors have given room back
  static constexpr std::size_t kPlacesAskedMax = 64;

  void run();
  void wait_for_events();
  void handle_row(std::span<const epoll_event> events);
  void run_posted();
  void resume_connections();
  void accept_connections();
  void add_connection(FileDescriptor fd, ClientAddress address);
  [[nodiscard]] bool make_spare_room();
  void look_after_line();
  void make_places();
  void make_asked_places();
  [[nodiscard]] bool make_places_for(ClientAddress address, std::size_t count);
  void cut_off_slow_readers();
  void remove(Connection& connection);
  void sweep();
  void begin_stop();
  [[nodiscard]] bool stopped() const noexcept;
  [[nodiscard]] int wait_ms() const noexcept;
  void update_time() noexcept;
  void listen_for_connections(bool on) noexcept;
  void wake() noexcept;

  Group& group_;
  const ServerOptions& options_;
  ReactorContext context_;
  FileDescriptor epoll_;
  FileDescriptor wake_;
  FileDescriptor listener_;
  bool listening_ = false;  // not while the process is out of file descriptors
  std::vector<std::unique_ptr<Connection>> connections_;
  std::int64_t sweep_interval_ms_;
  std::int64_t next_sweep_ms_ = 0;
  std::int64_t stop_deadline_ms_ = 0;
  std::int64_t line_looked_at_ms_ = 0;
  std::size_t line_looks_ = 0;
  std::atomic<bool> stop_requested_ = false;

  std::mutex mutex_;
  std::vector<std::coroutine_handle<>> posted_;  // guarded by mutex_
  std::vector<ClientAddress> places_asked_;      // guarded by mutex_
  bool ended_ = false;                           // guarded by mutex_
  std::condition_variable has_ended_;
  bool asleep_ = false;                          // guarded by mutex_; whoever clears it wakes
  std::vector<std::coroutine_handle<>> running_;

  std::thread thread_;
};

}  // namespace stator::net
