#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace stator::net {

// One answer, cut out of what the server sent.
struct Answer {
  int status = 0;  // 0: the connection ended first
  std::string head;
  std::string body;

  [[nodiscard]] std::string header(std::string_view name) const {
    const std::string line = "\r\n" + std::string(name) + ": ";
    const std::size_t at = head.find(line);
    if (at == std::string::npos) return {};
    const std::size_t start = at + line.size();
    return head.substr(start, head.find("\r\n", start) - start);
  }
};

// A blocking socket to a server under test. Gives up after a minute, so that a hanging server fails
// the test rather than stopping it.
class TestClient {
 public:
  explicit TestClient(std::uint16_t port, int receive_buffer_bytes = 0)
      : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer_bytes != 0) {
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof(receive_buffer_bytes));
    }
    const timeval minute{.tv_sec = 60, .tv_usec = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof(minute));
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &minute, sizeof(minute));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~TestClient() { close(); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }

  // False if the server has closed.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  void send_end() { ::shutdown(fd_, SHUT_WR); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  // Ends the connection the hard way: the server gets a reset.
  void reset() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    close();
  }

  Answer receive(bool without_body = false) {
    Answer answer;
    std::size_t end = std::string::npos;
    while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
      if (!receive_some()) return answer;
    }
    answer.head = received_.substr(0, end + 2);
    received_.erase(0, end + 4);
    const std::size_t size =
        without_body ? 0 : std::strtoull(answer.header("Content-Length").c_str(), nullptr, 10);
    while (received_.size() < size) {
      if (!receive_some()) return answer;
    }
    answer.body = received_.substr(0, size);
    received_.erase(0, size);
    answer.status = std::atoi(answer.head.c_str() + sizeof("HTTP/1.1"));
    return answer;
  }

  // What has come and was not taken yet.
  std::string take() { return std::exchange(received_, {}); }

  // Whether the server ends the connection without sending anything more.
  bool at_end() { return received_.empty() && !receive_some(); }

 private:
  bool receive_some() {
    char piece[16 * 1024];
    const ssize_t count = ::recv(fd_, piece, sizeof(piece), 0);
    if (count <= 0) return false;
    received_.append(piece, static_cast<std::size_t>(count));
    return true;
  }

  int fd_;
  bool connected_ = false;
  std::string received_;
};

}  // namespace stator::net
