#include "cloudwatch/webhook.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

namespace stator::cloudwatch {
namespace {

constexpr std::size_t kWaitingMax = 100;
constexpr timeval kTimeout = {5, 0};

struct Address {
  std::string host;
  std::string port = "80";
  std::string path = "/";
};

Address parse(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  url.remove_prefix(kScheme.size());
  Address address;
  const std::size_t slash = url.find('/');
  if (slash != std::string_view::npos) address.path = url.substr(slash);
  const std::string_view authority = url.substr(0, slash);
  const std::size_t colon = authority.rfind(':');
  address.host = authority.substr(0, colon);
  if (colon != std::string_view::npos) address.port = authority.substr(colon + 1);
  return address;
}

// A socket that is closed at the end; -1 where there is no connection.
class Connection {
 public:
  explicit Connection(const Address& address) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found) != 0) return;
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, freeaddrinfo);
    for (const addrinfo* one = found; one != nullptr && socket_ < 0; one = one->ai_next) {
      socket_ = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
      if (socket_ < 0) continue;
      setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &kTimeout, sizeof kTimeout);
      setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &kTimeout, sizeof kTimeout);
      if (connect(socket_, one->ai_addr, one->ai_addrlen) == 0) break;
      close(socket_);
      socket_ = -1;
    }
  }
  ~Connection() {
    if (socket_ >= 0) close(socket_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool send_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // The status line is all that matters.
  bool answered_well() const {
    char line[16] = {};
    const ssize_t size = recv(socket_, line, sizeof line - 1, 0);
    return size >= 12 && line[9] == '2';
  }
  [[nodiscard]] bool is_open() const { return socket_ >= 0; }

 private:
  int socket_ = -1;
};

void deliver(const std::string& url, const std::string& body) {
  const Address address = parse(url);
  const Connection connection(address);
  const bool sent = connection.is_open() &&
                    connection.send_all(fmt::format("POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n"
                                                    "Content-Length: {}\r\nConnection: close\r\n\r\n",
                                                    address.path, address.host, body.size())) &&
                    connection.send_all(body) && connection.answered_well();
  if (!sent) std::fprintf(stderr, "stator: the alarm action %s did not take the message\n", url.c_str());
}

}  // namespace

Webhook::Webhook() : thread_([this] { run(); }) {}

Webhook::~Webhook() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Webhook::post(std::string url, std::string body) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= kWaitingMax) queue_.pop_front();
    queue_.emplace_back(std::move(url), std::move(body));
  }
  wake_.notify_one();
}

void Webhook::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    const auto [url, body] = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    deliver(url, body);
    lock.lock();
  }
}

}  // namespace stator::cloudwatch
