#include "bench/load/connection.h"

#include <sys/socket.h>

#include <cerrno>
#include <stdexcept>
#include <utility>

namespace stator::bench {

Connection::Connection(const Endpoint& endpoint, std::unique_ptr<ResponseParser> parser,
                       std::size_t depth)
    : socket_(ConnectTcp(endpoint)), parser_(std::move(parser)), started_(depth) {}

void Connection::Begin(Clock::time_point now) {
  std::size_t slot = oldest_ + in_flight_;
  if (slot >= started_.size()) {
    slot -= started_.size();
  }
  started_[slot] = now;
  ++in_flight_;
}

Clock::time_point Connection::Finish() {
  if (in_flight_ == 0) {
    throw ProtocolError("an answer to no request");
  }
  const Clock::time_point begun = started_[oldest_];
  oldest_ = oldest_ + 1 == started_.size() ? 0 : oldest_ + 1;
  --in_flight_;
  return begun;
}

bool Connection::Send(std::string_view bytes) {
  if (!unsent_.empty()) {
    unsent_ += bytes;
    return Flush();
  }
  const ssize_t sent = ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) {
    return false;
  }
  const std::size_t taken = sent < 0 ? 0 : static_cast<std::size_t>(sent);
  if (taken < bytes.size()) {
    unsent_ = bytes.substr(taken);
  }
  return true;
}

bool Connection::Flush() {
  const std::string bytes = std::exchange(unsent_, {});
  return bytes.empty() || Send(bytes);
}

}  // namespace stator::bench
