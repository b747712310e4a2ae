#pragma once

#include <cstdint>
#include <ctime>
#include <vector>

#include "net/answer_budget.h"
#include "net/buffer_pool.h"
#include "net/connection_places.h"
#include "net/exchange.h"
#include "net/gzip.h"
#include "net/head_memo.h"
#include "net/request_id.h"
#include "net/response.h"
#include "net/server.h"

namespace stator::net {

class Connection;

// Monotonic, and as cheap as a clock can be.
[[nodiscard]] inline std::int64_t coarse_now_ms() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// What the connections of one reactor share. One thread.
struct ReactorContext {
  const ServerOptions& options;
  Handler& handler;

  std::size_t input_bytes_max;  // this reactor's share
  AnswerBudget& answers;        // of all reactors
  ConnectionPlaces& places;     // of all reactors

  BufferPool buffers;
  Gzip gzip;
  HeadMemo heads;
  RequestIds request_ids;
  DateLine date;
  std::int64_t now_ms = 0;      // monotonic and coarse, of the turn of the loop
  std::size_t input_bytes = 0;  // held by large input buffers
  bool stopping = false;        // answers ask the client to close
  // Connections to go on with in the next turn of the loop.
  std::vector<Connection*> to_resume;
  // Connections beyond the limit, the oldest first: they get an answer if a place becomes free, or if they ask for what is
  // always answered.
  std::vector<Connection*> spares;
  // Connections whose requests wait for room, the longest waiting first.
  Connection* line_first = nullptr;
  Connection* line_last = nullptr;
  bool line_may_move = false;  // room was given back

  // Whether this turn of the loop has lasted for so long that nobody should get more than one request of it.
  [[nodiscard]] bool turn_is_long() const noexcept { return is_long_since(now_ms); }
  [[nodiscard]] static bool is_long_since(std::int64_t began_ms) noexcept {
    constexpr std::int64_t kLongMs = 5;
    return coarse_now_ms() - began_ms > kLongMs;
  }
};

}  // namespace stator::net
