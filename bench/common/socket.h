// Non-blocking TCP sockets over IPv4.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace stator::bench {

// Owns a file descriptor and closes it.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd();

  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

struct Endpoint {
  std::string host = "127.0.0.1";  // A dotted IPv4 address.
  std::uint16_t port = 0;
};

// Throws the std::system_error that `errno` describes.
[[noreturn]] void ThrowErrno(const std::string& what);

// Connects and returns the socket, non-blocking and with Nagle's algorithm off. Throws
// std::system_error when the connection is refused, std::invalid_argument on a bad address.
UniqueFd ConnectTcp(const Endpoint& endpoint);

// Returns a listening, non-blocking socket. With port 0 the system chooses one.
UniqueFd ListenTcp(const Endpoint& endpoint);

// The port that a socket is bound to.
std::uint16_t LocalPort(const UniqueFd& socket);

// Turns Nagle's algorithm off: every answer goes out at once.
void SetNoDelay(int fd);

// Creates an epoll instance.
UniqueFd CreateEpoll();

// Adds `fd` to an epoll instance, or changes what it waits for; `tag` comes back in the event.
void EpollAdd(const UniqueFd& epoll, int fd, std::uint32_t events, void* tag);
void EpollModify(const UniqueFd& epoll, int fd, std::uint32_t events, void* tag);

}  // namespace stator::bench
