#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <span>
#include <utility>

namespace stator::net {

// A file descriptor that is closed with its owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) noexcept : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { reset(); }

  [[nodiscard]] int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }
  void reset() noexcept;

 private:
  int fd_ = -1;
};

// For a connection that was accepted: small answers leave at once.
void prepare_connection(const FileDescriptor& fd) noexcept;

// The bytes of a connection, both ways and without blocking. This is all that stands between the
// network and the parser: encryption goes here.
class Socket {
 public:
  enum class Status { ok, would_block, closed };
  struct Transfer {
    Status status;
    std::size_t bytes;
  };

  explicit Socket(FileDescriptor fd) noexcept : fd_(std::move(fd)) {}

  // closed: the other side has sent everything, or the connection is broken.
  [[nodiscard]] Transfer read(char* to, std::size_t room) noexcept;
  // closed: the connection is broken.
  [[nodiscard]] Transfer write(std::span<const iovec> parts) noexcept;
  // Tells the other side that nothing more comes.
  void shut_down_writing() noexcept;
  void close() noexcept { fd_.reset(); }

  [[nodiscard]] int fd() const noexcept { return fd_.get(); }

 private:
  FileDescriptor fd_;
};

}  // namespace stator::net
