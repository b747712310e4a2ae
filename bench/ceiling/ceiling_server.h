// A server that does nothing but answer: what this machine's sockets allow any server to reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bench/common/socket.h"

namespace stator::bench {

// Answers every HTTP request with the same bytes, from one thread.
class CeilingServer {
 public:
  // The answer's body is `body_bytes` long. With port 0 the system chooses one.
  CeilingServer(const Endpoint& endpoint, std::size_t body_bytes);

  std::uint16_t port() const { return LocalPort(listener_); }

  // Serves until the process ends.
  [[noreturn]] void Run();

 private:
  struct Client {
    explicit Client(UniqueFd fd) : socket(std::move(fd)) {}

    UniqueFd socket;
    std::string partial_head;     // The part of a request's head that has come.
    std::uint64_t body_left = 0;  // Bytes of a request's body still to come.
    std::uint64_t unsent = 0;     // Bytes of answers still to go out.
    bool watching_writable = false;
  };

  void Accept();
  // These return false when the connection is over.
  bool Handle(Client& client, std::uint32_t events);
  bool Receive(Client& client);
  bool SendUnsent(Client& client);

  static std::size_t CountRequests(Client& client, std::string_view data);

  std::string answer_;
  UniqueFd listener_;
  UniqueFd epoll_;
  std::vector<char> buffer_;
  std::unordered_map<Client*, std::unique_ptr<Client>> clients_;
};

}  // namespace stator::bench
