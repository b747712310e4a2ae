#include "cloudwatch/webhook.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "base/log_text.h"

namespace stator::cloudwatch {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t kWaitingMax = 100;
constexpr std::chrono::seconds kDeliveryMax{5};  // connecting, sending and the status line together
constexpr std::size_t kStatusLineMax = 1024;

// A socket that is closed at the end, and has until a moment for everything.
class Connection {
 public:
  Connection(const WebhookUrl& url, Steady::time_point until) : until_(until) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(url.host.c_str(), url.port.c_str(), &hints, &found) != 0) return;
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, freeaddrinfo);
    for (const addrinfo* one = found; one != nullptr && socket_ < 0; one = one->ai_next) {
      socket_ = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
      if (socket_ < 0) continue;
      if (in_time() && connect(socket_, one->ai_addr, one->ai_addrlen) == 0) break;
      close(socket_);
      socket_ = -1;
    }
  }
  ~Connection() {
    if (socket_ >= 0) close(socket_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] bool is_open() const { return socket_ >= 0; }
  bool send_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      if (!in_time()) return false;
      const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  // The first line of the answer, which is all that matters; empty where there is none.
  [[nodiscard]] std::string status_line() const {
    std::string line;
    while (line.size() < kStatusLineMax && in_time()) {
      char byte = 0;
      if (recv(socket_, &byte, 1, 0) != 1) return {};
      if (byte == '\r' || byte == '\n') return line;
      line.push_back(byte);
    }
    return {};
  }

 private:
  // Gives the next call the time that is left; false where none is.
  [[nodiscard]] bool in_time() const {
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(until_ - Steady::now()).count();
    if (left <= 0) return false;
    const timeval timeout{left / 1'000'000, left % 1'000'000};
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    return true;
  }

  const Steady::time_point until_;
  int socket_ = -1;
};

}  // namespace

Webhook::Webhook(WebhookTargets targets, Done done)
    : targets_(std::move(targets)), done_(std::move(done)), thread_([this] { run(); }) {}

Webhook::~Webhook() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

bool Webhook::allows(std::string_view url) const {
  const std::optional<WebhookUrl> parsed = WebhookUrl::parse(url);
  return parsed && targets_.allows(*parsed);
}

bool Webhook::post(Message message) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= kWaitingMax) return false;
    queue_.push_back(std::move(message));
  }
  wake_.notify_one();
  return true;
}

// What went wrong; empty where the receiver has taken the message.
std::string Webhook::deliver(const Message& message) const {
  const std::optional<WebhookUrl> url = WebhookUrl::parse(message.url);
  if (!url) return "The address is malformed";
  if (!targets_.allows(*url)) return "The server is not allowed to send to this address";  // an option of an earlier run did
  const Connection connection(*url, Steady::now() + kDeliveryMax);
  if (!connection.is_open()) return "No connection to the receiver";
  const std::string head = fmt::format("POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n"
                                       "Content-Length: {}\r\nConnection: close\r\n\r\n",
                                       url->path, url->authority(), message.body.size());
  if (!connection.send_all(head) || !connection.send_all(message.body)) return "The connection broke";
  const std::string line = connection.status_line();
  if (line.size() < 12 || !line.starts_with("HTTP/1.")) return "No answer, or none of HTTP";
  const std::string status = line.substr(9, 3);
  if (!std::all_of(status.begin(), status.end(), [](char c) { return c >= '0' && c <= '9'; })) return "No answer of HTTP";
  return status[0] == '2' ? "" : "The receiver answered " + status;
}

void Webhook::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    const Message message = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    const std::string failure = deliver(message);
    if (!failure.empty()) {
      std::fprintf(stderr, "stator: the alarm action %s failed: %s\n", base::log_text(message.url).c_str(), failure.c_str());
    }
    done_(message, failure);
    lock.lock();
  }
}

}  // namespace stator::cloudwatch
