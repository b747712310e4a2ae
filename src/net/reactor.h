#pragma once

#include <sys/epoll.h>

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "net/connection.h"
#include "net/reactor_context.h"
#include "net/server.h"
#include "net/socket.h"

namespace stator::net {

// A thread with its listener, its connections and the work that is posted to it. All but post() and
// stopping is done on that thread.
class Reactor final : public base::Executor {
 public:
  // `connection_count` is that of all reactors, `input_bytes_max` this one's share of the options'
  // limit. Everything given must outlive the reactor.
  Reactor(const ServerOptions& options, Handler& handler, std::size_t input_bytes_max,
          std::atomic<std::size_t>& connection_count, FileDescriptor listener);
  ~Reactor() override;
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  void start();
  // Asks the thread to end, which it does when its exchanges are finished or have had their time.
  void request_stop() noexcept;
  void join();

  void post(std::coroutine_handle<> work) noexcept override;
  void post_many(std::span<const std::coroutine_handle<>> work) noexcept override;

 private:
  void run();
  void wait_for_events();
  void handle_row(std::span<const epoll_event> events);
  void run_posted();
  void resume_connections();
  void accept_connections();
  void add_connection(FileDescriptor fd);
  void remove(Connection& connection);
  void sweep();
  void begin_stop();
  [[nodiscard]] bool stopped() const noexcept;
  [[nodiscard]] int wait_ms() const noexcept;
  void update_time() noexcept;
  void listen_for_connections(bool on) noexcept;
  void wake() noexcept;

  const ServerOptions& options_;
  ReactorContext context_;
  std::atomic<std::size_t>& connection_count_;
  FileDescriptor epoll_;
  FileDescriptor wake_;
  FileDescriptor listener_;
  bool listening_ = false;  // not while the process is out of file descriptors
  std::vector<std::unique_ptr<Connection>> connections_;
  std::int64_t sweep_interval_ms_;
  std::int64_t next_sweep_ms_ = 0;
  std::int64_t stop_deadline_ms_ = 0;
  std::atomic<bool> stop_requested_ = false;

  std::mutex mutex_;
  std::vector<std::coroutine_handle<>> posted_;  // guarded by mutex_
  bool asleep_ = false;                          // guarded by mutex_; whoever clears it wakes
  std::vector<std::coroutine_handle<>> running_;

  std::thread thread_;
};

}  // namespace stator::net
