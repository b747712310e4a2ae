#include "net/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace stator::net {

namespace {

Socket::Transfer failed() noexcept {
  if (errno == EAGAIN || errno == EWOULDBLOCK) return {Socket::Status::would_block, 0};
  return {Socket::Status::closed, 0};
}

// Whether the other side is on this machine.
bool is_loopback(int fd) noexcept {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return false;
  if (address.ss_family == AF_INET) {
    const auto& peer = reinterpret_cast<const sockaddr_in&>(address);
    return ntohl(peer.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
  }
  if (address.ss_family == AF_INET6) {
    const in6_addr& peer = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
    return IN6_IS_ADDR_LOOPBACK(&peer) || (IN6_IS_ADDR_V4MAPPED(&peer) && peer.s6_addr[12] == IN_LOOPBACKNET);
  }
  return false;
}

}  // namespace

void prepare_connection(const FileDescriptor& fd) noexcept {
  const int on = 1;
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  // No network, no congestion: what a system may have chosen for the world outside, such as BBR with a timer for each packet,
  // only costs time here. Reno is always there, and allowed to everybody.
  constexpr std::string_view kSimplest = "reno";
  if (is_loopback(fd.get())) ::setsockopt(fd.get(), IPPROTO_TCP, TCP_CONGESTION, kSimplest.data(), kSimplest.size());
}

void FileDescriptor::reset() noexcept {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Socket::Transfer Socket::read(char* to, std::size_t room) noexcept {
  ssize_t count = 0;
  do {
    count = ::recv(fd_.get(), to, room, 0);
  } while (count < 0 && errno == EINTR);
  if (count > 0) return {Status::ok, static_cast<std::size_t>(count)};
  if (count == 0) return {Status::closed, 0};
  return failed();
}

Socket::Transfer Socket::write(std::span<const iovec> parts) noexcept {
  ssize_t count = 0;
  do {
    if (parts.size() == 1) {
      count = ::send(fd_.get(), parts[0].iov_base, parts[0].iov_len, MSG_NOSIGNAL);
    } else {
      msghdr message{};
      message.msg_iov = const_cast<iovec*>(parts.data());  // the call only reads it
      message.msg_iovlen = parts.size();
      count = ::sendmsg(fd_.get(), &message, MSG_NOSIGNAL);
    }
  } while (count < 0 && errno == EINTR);
  if (count >= 0) return {Status::ok, static_cast<std::size_t>(count)};
  return failed();
}

void Socket::shut_down_writing() noexcept { ::shutdown(fd_.get(), SHUT_WR); }

}  // namespace stator::net
