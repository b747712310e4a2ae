#include "net/socket.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace stator::net {

namespace {

Socket::Transfer failed() noexcept {
  if (errno == EAGAIN || errno == EWOULDBLOCK) return {Socket::Status::would_block, 0};
  return {Socket::Status::closed, 0};
}

}  // namespace

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
