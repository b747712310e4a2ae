#include "bench/load/load_loop.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace stator::bench {
namespace {

constexpr std::size_t kBufferBytes = 256 * 1024;
constexpr std::size_t kMaxEvents = 256;
constexpr std::uint64_t kMaxDisconnects = 1000;
constexpr auto kDrainTime = std::chrono::seconds(5);

double ToSeconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

void* Tag(std::size_t index) { return reinterpret_cast<void*>(index); }

}  // namespace

LoadLoop::LoadLoop(LoopOptions options, RequestSource& source, MakeParser make_parser)
    : options_(std::move(options)),
      source_(source),
      make_parser_(std::move(make_parser)),
      epoll_(CreateEpoll()),
      connections_(options_.connections),
      watching_writable_(options_.connections, false),
      buffer_(kBufferBytes) {}

LoopResult LoadLoop::Run() {
  for (std::size_t index = 0; index < connections_.size(); ++index) {
    Open(index);
  }
  now_ = Clock::now();
  first_send_ = now_;
  const Clock::time_point begin = now_ + options_.warmup;
  const Clock::time_point end = begin + options_.duration;
  for (std::size_t index = 0; index < connections_.size(); ++index) {
    SendNext(index, options_.pipeline);
  }
  RunUntil(begin);
  // Disconnects and errors count from the very first request, everything else from here on.
  result_.latency = Histogram();
  result_.bytes = 0;
  result_.idle_seconds = 0;
  const Clock::time_point started = now_;
  RunUntil(end);
  result_.seconds = ToSeconds(now_ - started);
  LoopResult measured = result_;

  exhausted_ = true;
  RunUntil(now_ + kDrainTime);
  measured.errors = result_.errors;
  measured.disconnects = result_.disconnects;
  measured.first_error = result_.first_error;
  measured.unanswered = in_flight_;
  return measured;
}

void LoadLoop::Open(std::size_t index) {
  connections_[index] =
      std::make_unique<Connection>(options_.endpoint, make_parser_(), options_.pipeline);
  watching_writable_[index] = false;
  EpollAdd(epoll_, connections_[index]->fd(), EPOLLIN, Tag(index));
}

void LoadLoop::RunUntil(Clock::time_point deadline) {
  while (now_ < deadline && !(exhausted_ && in_flight_ == 0)) {
    Poll(deadline);
  }
}

void LoadLoop::Poll(Clock::time_point deadline) {
  std::array<epoll_event, kMaxEvents> events;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now_).count();
  // Requests that wait for their time go out at the next millisecond.
  const std::int64_t longest_ms = held_back_.empty() ? 1000 : 1;
  const int timeout_ms = static_cast<int>(std::clamp<std::int64_t>(left, 0, longest_ms));
  const Clock::time_point before = now_ = Clock::now();
  const int ready = ::epoll_wait(epoll_.get(), events.data(), events.size(), timeout_ms);
  if (ready < 0 && errno != EINTR) {
    ThrowErrno("epoll_wait");
  }
  now_ = Clock::now();
  result_.idle_seconds += ToSeconds(now_ - before);
  for (int i = 0; i < ready; ++i) {
    HandleEvent(reinterpret_cast<std::size_t>(events[i].data.ptr), events[i].events);
  }
  SendHeldBack();
}

std::uint64_t LoadLoop::Allowed() const {
  return static_cast<std::uint64_t>(ToSeconds(now_ - first_send_) *
                                    static_cast<double>(options_.rate)) +
         1;
}

void LoadLoop::SendHeldBack() {
  while (!held_back_.empty() && (exhausted_ || sent_ < Allowed())) {
    const std::size_t index = held_back_.front();
    held_back_.pop_front();
    SendNext(index, 1);
  }
}

void LoadLoop::HandleEvent(std::size_t index, std::uint32_t events) {
  if ((events & EPOLLOUT) != 0) {
    if (!connections_[index]->Flush()) {
      HandleDisconnect(index);
      return;
    }
    WatchWritable(index, connections_[index]->has_unsent());
  }
  if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) {
    Receive(index);
  }
}

void LoadLoop::Receive(std::size_t index) {
  Connection& connection = *connections_[index];
  const ssize_t received = ::recv(connection.fd(), buffer_.data(), buffer_.size(), 0);
  if (received <= 0) {
    if (received == 0 || (errno != EAGAIN && errno != EINTR)) {
      HandleDisconnect(index);
    }
    return;
  }
  now_ = Clock::now();
  result_.bytes += static_cast<std::uint64_t>(received);
  std::string_view data(buffer_.data(), static_cast<std::size_t>(received));
  std::size_t answers = 0;
  while (!data.empty()) {
    const ResponseParser::Step step = connection.parser().Consume(data);
    data.remove_prefix(step.consumed);
    if (step.complete) {
      CountAnswer(connection);
      ++answers;
    }
  }
  if (answers > 0) {
    SendNext(index, answers);
  }
}

void LoadLoop::CountAnswer(Connection& connection) {
  const Clock::duration taken = now_ - connection.Finish();
  --in_flight_;
  result_.latency.Record(static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count()));
  if (connection.parser().failed()) {
    if (result_.errors++ == 0) {
      result_.first_error = connection.parser().Describe();
    }
  }
}

void LoadLoop::SendNext(std::size_t index, std::size_t count) {
  if (options_.rate == 0) {
    SendNow(index, count);
    return;
  }
  for (std::size_t i = 0; i < count && !exhausted_; ++i) {
    if (sent_ < Allowed()) {
      ++sent_;
      SendNow(index, 1);
    } else {
      held_back_.push_back(index);
    }
  }
}

void LoadLoop::SendNow(std::size_t index, std::size_t count) {
  Connection& connection = *connections_[index];
  batch_.clear();
  std::string_view bytes;
  for (std::size_t i = 0; i < count && !exhausted_; ++i) {
    const auto request = source_.Next();
    if (!request) {
      exhausted_ = true;
      break;
    }
    connection.Begin(now_);
    ++in_flight_;
    if (count == 1) {
      bytes = *request;  // The usual case: sent from where it is, without a copy.
    } else {
      batch_ += *request;
      bytes = batch_;
    }
  }
  if (bytes.empty()) {
    return;
  }
  if (!connection.Send(bytes)) {
    HandleDisconnect(index);
  } else if (connection.has_unsent()) {
    WatchWritable(index, true);
  }
}

void LoadLoop::WatchWritable(std::size_t index, bool writable) {
  if (watching_writable_[index] != writable) {
    watching_writable_[index] = writable;
    EpollModify(epoll_, connections_[index]->fd(), writable ? EPOLLIN | EPOLLOUT : EPOLLIN,
                Tag(index));
  }
}

void LoadLoop::HandleDisconnect(std::size_t index) {
  in_flight_ -= connections_[index]->in_flight();
  if (++result_.disconnects > kMaxDisconnects) {
    throw ProtocolError("the server keeps closing its connections");
  }
  if (result_.first_error.empty()) {
    result_.first_error = "the server closed a connection";
  }
  Open(index);
  SendNext(index, options_.pipeline);
}

}  // namespace stator::bench
