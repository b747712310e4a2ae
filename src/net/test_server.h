#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <coroutine>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "base/task.h"
#include "net/server.h"

namespace stator::net {

class FunctionHandler final : public Handler {
 public:
  explicit FunctionHandler(std::function<void(Exchange&)> function)
      : function_(std::move(function)) {}
  void handle(Exchange& exchange) override { function_(exchange); }

 private:
  std::function<void(Exchange&)> function_;
};

// Answers with the method, target and body of the request.
inline void echo(Exchange& exchange) {
  const Request& request = exchange.request();
  base::Buffer& body = exchange.body();
  for (const std::string_view part :
       {request.method, std::string_view(" "), request.path, std::string_view(" "), request.body}) {
    body.append(part);
  }
  exchange.finish(200, "text/plain");
}

inline ServerOptions test_options() {
  ServerOptions options;
  options.port = 0;
  options.threads = 2;
  return options;
}

struct TestServer {
  explicit TestServer(std::function<void(Exchange&)> function,
                      const ServerOptions& options = test_options())
      : handler(std::move(function)) {
    auto started = Server::start(options, handler);
    EXPECT_TRUE(started) << started.error().message;
    server = std::move(*started);
  }
  [[nodiscard]] std::uint16_t port() const { return server->port(); }

  FunctionHandler handler;
  std::unique_ptr<Server> server;
};

inline std::string post(std::string_view path, std::string_view body,
                        std::string_view headers = {}) {
  return "POST " + std::string(path) + " HTTP/1.1\r\nHost: h\r\n" + std::string(headers) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// Suspends until another thread posts the coroutine back to its reactor.
struct OnOtherThread {
  std::thread& worker;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    base::Executor* const home = base::Executor::current();
    worker = std::thread([home, waiting] { home->post(waiting); });
  }
  void await_resume() const noexcept {}
};

// Holds coroutines until the test opens it, which is for good.
class Gate {
 public:
  struct Awaiter {
    Gate& gate;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> waiting) {
      const std::lock_guard lock(gate.mutex_);
      if (gate.opened_) return false;
      gate.waiting_[base::Executor::current()].push_back(waiting);
      ++gate.count_;
      gate.count_.notify_all();
      return true;
    }
    void await_resume() const noexcept {}
  };
  Awaiter pass() { return {*this}; }
  void await_arrivals(std::size_t arrivals) {
    for (std::size_t seen = count_.load(); seen < arrivals; seen = count_.load()) count_.wait(seen);
  }
  void open() {
    const std::lock_guard lock(mutex_);
    opened_ = true;
    for (const auto& [executor, waiting] : waiting_) executor->post_many(waiting);
    waiting_.clear();
  }

 private:
  std::mutex mutex_;
  bool opened_ = false;
  std::map<base::Executor*, std::vector<std::coroutine_handle<>>> waiting_;
  std::atomic<std::size_t> count_ = 0;
};

inline base::Detached echo_behind(Gate& gate, Exchange& exchange) {
  co_await gate.pass();
  echo(exchange);
}

}  // namespace stator::net
