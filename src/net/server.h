#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "net/exchange.h"

namespace stator::net {

struct ServerOptions {
  std::string host = "127.0.0.1";  // a name or an address, IPv4 or IPv6
  std::uint16_t port = 8000;       // 0 lets the system choose
  unsigned threads = 0;            // reactors; 0 means one for each core

  // Limits. What exceeds them gets 413 (body), 400 (headers) or 503 (connections) and is closed.
  std::size_t request_bytes_max = 16 * 1024 * 1024;  // the body, as sent and unzipped
  std::size_t header_bytes_max = 16 * 1024;          // the request line and headers, as the service takes them
  std::size_t connections_max = 10'000;              // of all reactors together
  // Of one client address; 0: three quarters of all, so that no client can take the last ones.
  std::size_t address_connections_max = 0;
  // What all requests that are arriving may take up together, apart from those below 64 KiB. When
  // it is used up, the ones that grow get 503.
  std::size_t input_bytes_max = 1024 * 1024 * 1024;
  // What answers may take up together until their clients have taken them. When it is used up, requests wait for room, and
  // get 503 in the end.
  std::size_t answer_bytes_max = 1024 * 1024 * 1024;

  // Time-outs, kept to within about a quarter. Within each time-out of its kind, a body that
  // arrives and an answer that is taken must move on by what 16 KiB/s come to, or reach their end.
  std::uint32_t header_timeout_ms =
      20'000;  // from a request's first byte to the end of its headers, and for the first byte of a new connection
  std::uint32_t body_timeout_ms = 30'000;
  std::uint32_t write_timeout_ms = 60'000;
  std::uint32_t idle_timeout_ms = 180'000;  // a connection between two requests
  std::uint32_t room_timeout_ms = 5'000;    // for a request that waits for room or for the place of its connection
  std::uint32_t linger_timeout_ms = 2'000;  // for a refused client to take in the refusal
  std::uint32_t stop_timeout_ms = 10'000;   // for exchanges under way when the server stops
  std::uint32_t stop_grace_ms = 5'000;      // for a handler that has not returned by then
};

// Connections beyond the limit that are let in, so that health checks get an answer and requests can wait for a place.
inline constexpr std::size_t kSpareConnectionsMax = 64;

class Reactor;

// How many reactors a server with these options has.
[[nodiscard]] unsigned reactor_count(const ServerOptions& options);

// An HTTP/1.1 server: one listener and one reactor thread for each of `threads`, between which the
// kernel spreads the connections.
class Server {
 public:
  // Binds and begins to serve. `handler` must outlive the server. The error is one line for people,
  // for instance `port 8000 on 127.0.0.1 is in use by another program; choose another with --port`.
  [[nodiscard]] static Result<std::unique_ptr<Server>> start(const ServerOptions& options,
                                                             Handler& handler);
  // Stops. Whoever may still post to a reactor (base::Executor::current() inside a handler) must be
  // done before the server is destroyed.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const noexcept;

  // Stops accepting, lets exchanges under way finish (for at most stop_timeout_ms), closes all
  // connections and ends the threads. May be called again; not from a reactor's thread. False if a handler has not
  // returned stop_grace_ms later: then the server must not be destroyed, for that would wait for it.
  [[nodiscard]] bool stop();

 private:
  struct Shared;
  explicit Server(std::unique_ptr<Shared> shared);
  std::unique_ptr<Shared> shared_;
};

}  // namespace stator::net
