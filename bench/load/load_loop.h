// The closed loop: every connection sends its next request when an answer has come.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/common/socket.h"
#include "bench/load/connection.h"
#include "bench/load/histogram.h"
#include "bench/load/request_source.h"
#include "bench/load/response_parser.h"

namespace stator::bench {

struct LoopOptions {
  Endpoint endpoint;
  std::size_t connections = 64;
  std::size_t pipeline = 1;    // Requests under way on each connection.
  std::uint64_t rate = 0;      // Requests per second at most; 0 for no bound.
  Clock::duration warmup{};    // Answers in this time are not counted.
  Clock::duration duration{};  // The measured time; it ends earlier with the requests.
};

// What happened in the measured time.
struct LoopResult {
  Histogram latency;
  std::uint64_t errors = 0;       // Answers that are errors or of a wrong size.
  std::uint64_t disconnects = 0;  // Connections that the server closed.
  std::uint64_t unanswered = 0;   // Requests without an answer when the loop gave up.
  std::uint64_t bytes = 0;        // Received, heads included.
  double seconds = 0;
  double idle_seconds = 0;  // Of these, the time asleep, waiting for the server.
  std::string first_error;
};

class LoadLoop {
 public:
  using MakeParser = std::function<std::unique_ptr<ResponseParser>()>;

  LoadLoop(LoopOptions options, RequestSource& source, MakeParser make_parser);

  // Runs until the time is over or the source is empty, then waits for the answers under way.
  // Throws std::system_error when a connection cannot be made, ProtocolError when an answer is
  // not in the protocol.
  LoopResult Run();

 private:
  void Open(std::size_t index);
  void HandleEvent(std::size_t index, std::uint32_t events);
  void Receive(std::size_t index);
  void CountAnswer(Connection& connection);
  void SendNext(std::size_t index, std::size_t count);
  void SendNow(std::size_t index, std::size_t count);
  // With a rate: the requests that may have been sent by now, and sending what was held back.
  std::uint64_t Allowed() const;
  void SendHeldBack();
  void WatchWritable(std::size_t index, bool writable);
  void HandleDisconnect(std::size_t index);
  // Waits for events, handles them and moves the clock on.
  void Poll(Clock::time_point deadline);
  void RunUntil(Clock::time_point deadline);

  LoopOptions options_;
  RequestSource& source_;
  MakeParser make_parser_;
  UniqueFd epoll_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<bool> watching_writable_;
  std::vector<char> buffer_;
  std::string batch_;  // Pipelined requests that go out in one send.
  Clock::time_point now_;
  Clock::time_point first_send_;
  std::uint64_t sent_ = 0;             // Counted with a rate only.
  std::deque<std::size_t> held_back_;  // Connections whose next request has to wait for its time.
  std::size_t in_flight_ = 0;
  bool exhausted_ = false;  // The source has no more requests, or none are to be sent.
  LoopResult result_;
};

}  // namespace stator::bench
