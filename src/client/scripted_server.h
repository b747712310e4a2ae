#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace stator::client {

// Answers the requests that come to a free port of 127.0.0.1 with prepared texts, in order, and keeps the requests. An
// empty text closes the connection instead. When all have been used it answers nothing more.
class ScriptedServer {
 public:
  explicit ScriptedServer(std::vector<std::string> answers) : answers_(std::move(answers)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(0, ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size));
    EXPECT_EQ(0, ::listen(listener_, 8));
    EXPECT_EQ(0, ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size));
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~ScriptedServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::vector<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void serve() {
    while (next_ < answers_.size()) {
      const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) return;
      while (next_ < answers_.size() && read_request(connection)) {
        const std::string& answer = answers_[next_++];
        if (answer.empty()) break;
        if (::send(connection, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) break;
      }
      ::close(connection);
    }
  }

  // One request with a Content-Length; false at the end of the connection.
  bool read_request(int connection) {
    std::string text;
    while (true) {
      const std::size_t head = text.find("\r\n\r\n");
      if (head != std::string::npos) {
        const std::size_t length = text.find("Content-Length: ");
        if (text.size() >= head + 4 + std::stoul(text.substr(length + 16))) break;
      }
      char bytes[4096];
      const ssize_t count = ::recv(connection, bytes, sizeof(bytes), 0);
      if (count <= 0) return false;
      text.append(bytes, static_cast<std::size_t>(count));
    }
    const std::lock_guard lock(mutex_);
    requests_.push_back(text);
    return true;
  }

  std::vector<std::string> answers_;
  std::size_t next_ = 0;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

inline std::string http_answer(int status, const std::string& body, const std::string& headers = "") {
  return "HTTP/1.1 " + std::to_string(status) + " x\r\nContent-Type: application/x-amz-json-1.0\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace stator::client
