#include "bench/ceiling/ceiling_server.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "bench/common/http_head.h"

namespace stator::bench {
namespace {

constexpr std::size_t kBufferBytes = 256 * 1024;
constexpr std::size_t kMaxEvents = 256;

std::string MakeAnswer(std::size_t body_bytes) {
  std::string answer = fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: {}\r\n\r\n",
      body_bytes);
  answer.append(body_bytes, 'x');
  return answer;
}

}  // namespace

CeilingServer::CeilingServer(const Endpoint& endpoint, std::size_t body_bytes)
    : answer_(MakeAnswer(body_bytes)),
      listener_(ListenTcp(endpoint)),
      epoll_(CreateEpoll()),
      buffer_(kBufferBytes) {
  EpollAdd(epoll_, listener_.get(), EPOLLIN, nullptr);
}

void CeilingServer::Run() {
  std::array<epoll_event, kMaxEvents> events;
  while (true) {
    const int ready = ::epoll_wait(epoll_.get(), events.data(), events.size(), -1);
    if (ready < 0 && errno != EINTR) {
      ThrowErrno("epoll_wait");
    }
    for (int i = 0; i < ready; ++i) {
      auto* client = static_cast<Client*>(events[i].data.ptr);
      if (client == nullptr) {
        Accept();
      } else if (!Handle(*client, events[i].events)) {
        clients_.erase(client);
      }
    }
  }
}

void CeilingServer::Accept() {
  const int fd = ::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) {
    if (errno == EAGAIN || errno == ECONNABORTED || errno == EINTR) {
      return;
    }
    ThrowErrno("accept");
  }
  auto client = std::make_unique<Client>(UniqueFd(fd));
  SetNoDelay(fd);
  EpollAdd(epoll_, fd, EPOLLIN, client.get());
  Client* key = client.get();
  clients_.emplace(key, std::move(client));
}

bool CeilingServer::Handle(Client& client, std::uint32_t events) {
  if ((events & EPOLLOUT) != 0 && !SendUnsent(client)) {
    return false;
  }
  return (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0 || Receive(client);
}

bool CeilingServer::Receive(Client& client) {
  const ssize_t received = ::recv(client.socket.get(), buffer_.data(), buffer_.size(), 0);
  if (received <= 0) {
    return received < 0 && (errno == EAGAIN || errno == EINTR);
  }
  const std::string_view data(buffer_.data(), static_cast<std::size_t>(received));
  client.unsent += CountRequests(client, data) * answer_.size();
  return SendUnsent(client);
}

std::size_t CeilingServer::CountRequests(Client& client, std::string_view data) {
  std::size_t requests = 0;
  std::string joined;
  if (!client.partial_head.empty()) {
    joined = std::exchange(client.partial_head, {});
    joined += data;
    data = joined;
  }
  while (!data.empty()) {
    if (client.body_left == 0) {
      const auto head = FindHeadEnd(data);
      if (!head) {
        client.partial_head = data;
        break;
      }
      client.body_left = ContentLength(data.substr(0, *head)).value_or(0);
      data.remove_prefix(*head);
    }
    const std::size_t body = std::min<std::uint64_t>(client.body_left, data.size());
    client.body_left -= body;
    data.remove_prefix(body);
    requests += client.body_left == 0 ? 1 : 0;
  }
  return requests;
}

bool CeilingServer::SendUnsent(Client& client) {
  while (client.unsent > 0) {
    // Answers are alike, so the bytes still to go say where in an answer to go on.
    const std::size_t left = client.unsent % answer_.size();
    const std::string_view rest =
        std::string_view(answer_).substr(left == 0 ? 0 : answer_.size() - left);
    const ssize_t sent = ::send(client.socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EAGAIN || errno == EINTR) {
        break;
      }
      return false;
    }
    client.unsent -= static_cast<std::uint64_t>(sent);
  }
  const bool writable = client.unsent > 0;
  if (client.watching_writable != writable) {
    client.watching_writable = writable;
    EpollModify(epoll_, client.socket.get(), writable ? EPOLLIN | EPOLLOUT : EPOLLIN, &client);
  }
  return true;
}

}  // namespace stator::bench
