#include "bench/common/socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace stator::bench {
namespace {

sockaddr_in ToSockaddr(const Endpoint& endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(endpoint.port);
  if (::inet_pton(AF_INET, endpoint.host.c_str(), &address.sin_addr) != 1) {
    throw std::invalid_argument("not an IPv4 address: " + endpoint.host);
  }
  return address;
}

const sockaddr* Generic(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

void SetNonBlocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL, 0);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) {
    ThrowErrno("fcntl");
  }
}

void EpollControl(const UniqueFd& epoll, int operation, int fd, std::uint32_t events, void* tag) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = tag;
  if (::epoll_ctl(epoll.get(), operation, fd, &event) < 0) {
    ThrowErrno("epoll_ctl");
  }
}

}  // namespace

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) {
      ::close(fd_);
    }
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

UniqueFd::~UniqueFd() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

void ThrowErrno(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

UniqueFd ConnectTcp(const Endpoint& endpoint) {
  const sockaddr_in address = ToSockaddr(endpoint);
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) {
    ThrowErrno("socket");
  }
  if (::connect(socket.get(), Generic(address), sizeof(address)) < 0) {
    ThrowErrno("connect to " + endpoint.host + ":" + std::to_string(endpoint.port));
  }
  SetNonBlocking(socket.get());
  SetNoDelay(socket.get());
  return socket;
}

UniqueFd ListenTcp(const Endpoint& endpoint) {
  const sockaddr_in address = ToSockaddr(endpoint);
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (socket.get() < 0) {
    ThrowErrno("socket");
  }
  const int on = 1;
  if (::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0) {
    ThrowErrno("setsockopt SO_REUSEADDR");
  }
  if (::bind(socket.get(), Generic(address), sizeof(address)) < 0) {
    ThrowErrno("bind to " + endpoint.host + ":" + std::to_string(endpoint.port));
  }
  if (::listen(socket.get(), SOMAXCONN) < 0) {
    ThrowErrno("listen");
  }
  return socket;
}

std::uint16_t LocalPort(const UniqueFd& socket) {
  sockaddr_in address{};
  socklen_t length = sizeof(address);
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &length) < 0) {
    ThrowErrno("getsockname");
  }
  return ntohs(address.sin_port);
}

void SetNoDelay(int fd) {
  const int on = 1;
  if (::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0) {
    ThrowErrno("setsockopt TCP_NODELAY");
  }
}

UniqueFd CreateEpoll() {
  UniqueFd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (epoll.get() < 0) {
    ThrowErrno("epoll_create1");
  }
  return epoll;
}

void EpollAdd(const UniqueFd& epoll, int fd, std::uint32_t events, void* tag) {
  EpollControl(epoll, EPOLL_CTL_ADD, fd, events, tag);
}

void EpollModify(const UniqueFd& epoll, int fd, std::uint32_t events, void* tag) {
  EpollControl(epoll, EPOLL_CTL_MOD, fd, events, tag);
}

}  // namespace stator::bench
