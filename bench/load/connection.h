// One keep-alive connection of the load loop.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/common/socket.h"
#include "bench/load/response_parser.h"

namespace stator::bench {

using Clock = std::chrono::steady_clock;

class Connection {
 public:
  // `depth` is the largest number of requests under way at once.
  Connection(const Endpoint& endpoint, std::unique_ptr<ResponseParser> parser, std::size_t depth);

  int fd() const { return socket_.get(); }
  ResponseParser& parser() { return *parser_; }

  // Notes that a request is sent at `now`; Finish() gives that time back, oldest first.
  void Begin(Clock::time_point now);
  Clock::time_point Finish();
  std::size_t in_flight() const { return in_flight_; }

  // Sends bytes as far as the socket takes them and keeps the rest. Returns whether the
  // connection still stands.
  bool Send(std::string_view bytes);
  bool Flush();
  bool has_unsent() const { return !unsent_.empty(); }

 private:
  UniqueFd socket_;
  std::unique_ptr<ResponseParser> parser_;
  std::string unsent_;
  std::vector<Clock::time_point> started_;  // A ring.
  std::size_t oldest_ = 0;
  std::size_t in_flight_ = 0;
};

}  // namespace stator::bench
