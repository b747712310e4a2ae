#include "net/connection.h"

#include <sys/epoll.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace stator::net {

namespace {

constexpr std::size_t kReadBytesMin = 4 * 1024;
constexpr std::size_t kReadBytesMax = 1024 * 1024;  // room made ahead for a body of announced size
constexpr std::size_t kOutputBatchMax = 64 * 1024;  // answers to pipelined requests in one write
constexpr std::int64_t kSlowestBytesPerSecond = 16 * 1024;
constexpr int kStepsPerTurn = 64;  // then other connections have their turn
constexpr std::int64_t kQuietMs = 1000;     // a client that has sent nothing for so long may be closed for the sake of others
constexpr std::int64_t kSpareHeadMs = 2000;  // for the head of a request on a connection beyond the limit
constexpr std::size_t kCompactBytesMax = BufferPool::kBufferBytes / 4;

}  // namespace

// An idle connection holds no buffer, so this is all it costs.
static_assert(sizeof(Connection) <= 1024);

Connection::Connection(Socket socket, ClientAddress address, Kind kind, ReactorContext& context)
    : context_(context),
      socket_(std::move(socket)),
      parser_({context.options.header_bytes_max, context.options.request_bytes_max}, &context.heads),
      address_(address),
      kind_(kind) {
  if (is_spare()) context_.spares.push_back(this);
  wait_for(Wait::first);
}

Connection::~Connection() {
  if (phase_ == Phase::in_line) leave_line();
  if (is_spare()) std::erase(context_.spares, this);
  answer_reserved_ = 0;
  count_unsent(0);
  release_input();
  context_.buffers.give(output_);
  context_.buffers.give(body_);
  context_.buffers.give(unzipped_);
}

void Connection::take_events(std::uint32_t events) {
  if (events & (EPOLLERR | EPOLLHUP)) socket_.close();
  if (socket_.fd() < 0) return;
  if (events & EPOLLRDHUP) peer_done_ = true;
  if (events & (EPOLLIN | EPOLLRDHUP)) readable_ = true;
  if (phase_ == Phase::reading && input_.empty() && !blocked_ && !source_) receive();
}

bool Connection::handle_events() {
  if (socket_.fd() < 0 || !advance()) return lost();
  // Small answers are written after all events of the turn were looked at.
  if (phase_ == Phase::reading && !blocked_ && !output_.empty()) {
    schedule();
    return true;
  }
  return settle();
}

bool Connection::resume() {
  scheduled_ = false;
  if (socket_.fd() < 0) return phase_ == Phase::handling;
  return run();
}

bool Connection::run() { return advance() ? settle() : lost(); }

// Reads and has handled what there is. False if the connection is lost.
bool Connection::advance() {
  for (int steps = 0;; ++steps) {
    const bool output_full = body_queued_ || source_ || output_.size() > kOutputBatchMax;
    if ((output_full || blocked_) && !flush()) return false;
    if (blocked_ || source_ || (phase_ != Phase::reading && phase_ != Phase::lingering)) return true;
    // Two steps are a request and the look for another.
    if (steps == kStepsPerTurn || (steps >= 2 && input_.size() > input_begin_ && context_.turn_is_long())) {
      schedule();
      return true;
    }
    const Step step = phase_ == Phase::reading ? read_step() : discard();
    if (step == Step::lost) return false;
    if (step == Step::wait) return true;
  }
}

Connection::Step Connection::read_step() {
  if (input_.size() > input_begin_) {
    std::size_t size = input_.size() - input_begin_;
    progress_ = parser_.parse(input_.data() + input_begin_, size);
    input_.truncate(input_begin_ + size);
    switch (progress_) {
      case RequestParser::Progress::complete:
        dispatch();
        return Step::again;
      case RequestParser::Progress::failed:
        refuse(parser_.error_status());
        return Step::again;
      case RequestParser::Progress::in_body:
        offer_continue();
        break;
      case RequestParser::Progress::in_head:
        break;
    }
  }
  return receive();
}

Connection::Step Connection::receive() {
  if (!readable_) return Step::wait;
  if (!make_room()) {
    refuse(503);
    return Step::again;
  }
  const std::size_t room = input_.capacity() - input_.size() - Request::kBodyPadding;
  const Socket::Transfer got = socket_.read(input_.prepare(room), room);
  if (got.status == Socket::Status::closed) {
    phase_ = Phase::closing;  // answers may still be on their way out
    return Step::again;
  }
  if (got.status == Socket::Status::would_block) {
    readable_ = false;
    return Step::wait;
  }
  input_.commit(got.bytes);
  if (wait_ == Wait::body) {
    count_moved(got.bytes);
    since_ms_ = context_.now_ms;
  }
  // Less than there was room for is all there was; epoll tells when more comes. The end that it has
  // already told of must still be read.
  if (got.bytes < room && !peer_done_) readable_ = false;
  return Step::again;
}

// False if the requests of all connections together have grown too large.
bool Connection::make_room() {
  if (input_.capacity() == 0) input_ = context_.buffers.take();
  if (input_begin_ > 0) {
    const std::size_t rest = input_.size() - input_begin_;
    std::memmove(input_.data(), input_.data() + input_begin_, rest);
    input_.truncate(rest);
    input_begin_ = 0;
  }
  const std::size_t wanted =
      std::clamp(parser_.missing_bytes(input_.size()), kReadBytesMin, kReadBytesMax);
  input_.prepare(wanted + Request::kBodyPadding);
  count_input();
  return input_counted_ == 0 || context_.input_bytes <= context_.input_bytes_max;
}

void Connection::count_input() noexcept {
  const std::size_t bytes = input_.capacity() > BufferPool::kKeptBytesMax ? input_.capacity() : 0;
  context_.input_bytes += bytes - input_counted_;
  input_counted_ = bytes;
}

// A client that is slow with a request keeps no more memory than it has filled.
void Connection::compact_input() {
  if (input_.capacity() < BufferPool::kBufferBytes || input_.size() - input_begin_ > kCompactBytesMax) return;
  base::Buffer small;
  small.append(input_.view().substr(input_begin_));
  context_.buffers.give(input_);
  input_ = std::move(small);
  input_begin_ = 0;
  count_input();
}

void Connection::release_input() noexcept {
  context_.buffers.give(input_);
  count_input();
}

void Connection::offer_continue() {
  if (!parser_.expects_continue() || !parser_.http11() || continue_sent_) return;
  continue_sent_ = true;
  output_.append("HTTP/1.1 100 Continue\r\n\r\n");
}

// Writes what there is to write and notes what is awaited.
bool Connection::settle() {
  if (!blocked_ && !flush()) return lost();
  if (blocked_) {
    wait_for(Wait::write);
    return true;
  }
  if (source_) return true;  // goes on when it is resumed
  switch (phase_) {
    case Phase::in_line:
    case Phase::handling:
      wait_for(Wait::nothing);
      break;
    case Phase::reading:
      if (input_.empty()) {
        release_input();
        wait_for(served_ ? Wait::idle : Wait::first);
      } else {
        wait_for(progress_ == RequestParser::Progress::in_body ? Wait::body : Wait::head);
      }
      break;
    case Phase::closing:
      if (!linger_) return lost();
      phase_ = Phase::lingering;
      release_input();
      socket_.shut_down_writing();
      return run();
    case Phase::lingering:
      wait_for(Wait::linger);
      break;
  }
  return true;
}

Connection::Step Connection::discard() {
  if (!readable_) return Step::wait;
  if (input_.capacity() == 0) input_ = context_.buffers.take();
  const Socket::Transfer got = socket_.read(input_.data(), input_.capacity());
  if (got.status == Socket::Status::would_block) {
    readable_ = false;
    release_input();
    return Step::wait;
  }
  discarded_bytes_ += got.bytes;
  const bool enough = discarded_bytes_ > context_.options.request_bytes_max * 2;
  return got.status == Socket::Status::closed || enough ? Step::lost : Step::again;
}

bool Connection::check_deadline() {
  if (wait_ == Wait::nothing || socket_.fd() < 0) return true;
  if (context_.now_ms < deadline_ms_) {
    if (wait_ == Wait::head || wait_ == Wait::body) compact_input();
    return true;
  }
  if ((wait_ != Wait::head && wait_ != Wait::body) || is_spare()) return lost();
  refuse(408);
  return run();
}

bool Connection::stop() {
  // The answer will ask to close.
  if (socket_.fd() < 0 || phase_ == Phase::handling || phase_ == Phase::in_line) return true;
  phase_ = Phase::closing;
  linger_ = false;
  return settle();
}

bool Connection::lost() noexcept {
  socket_.close();
  if (phase_ == Phase::handling || scheduled_) return true;
  return false;
}

void Connection::give_way() {
  socket_.close();
  if (is_spare()) std::erase(context_.spares, this);
  schedule();
}

bool Connection::is_quiet() const noexcept {
  if (socket_.fd() < 0 || scheduled_ || phase_ != Phase::reading || is_spare()) return false;
  if (wait_ == Wait::idle) return true;
  const bool slow = wait_ == Wait::first || wait_ == Wait::head || wait_ == Wait::body;
  return slow && waited_ms() >= kQuietMs;
}

void Connection::schedule() {
  if (scheduled_) return;
  scheduled_ = true;
  context_.to_resume.push_back(this);
}

std::int64_t Connection::timeout_ms(Wait wait) const noexcept {
  const ServerOptions& options = context_.options;
  switch (wait) {
    case Wait::nothing:
      break;
    case Wait::idle:
      return options.idle_timeout_ms;
    case Wait::first:
      return std::min<std::int64_t>(timeout_ms(Wait::head), options.idle_timeout_ms);
    case Wait::head:
      return is_spare() ? std::min<std::int64_t>(options.header_timeout_ms, kSpareHeadMs) : options.header_timeout_ms;
    case Wait::body:
      return options.body_timeout_ms;
    case Wait::write:
      return options.write_timeout_ms;
    case Wait::linger:
      return options.linger_timeout_ms;
  }
  return 0;
}

void Connection::wait_for(Wait wait) noexcept {
  if (wait_ == wait) return;
  wait_ = wait;
  since_ms_ = context_.now_ms;
  deadline_ms_ = since_ms_ + timeout_ms(wait);
  moved_bytes_ = 0;
}

// A transfer gets its time anew whenever it has moved what the slowest client moves in that time.
void Connection::count_moved(std::size_t bytes) noexcept {
  moved_bytes_ += bytes;
  const std::int64_t timeout = timeout_ms(wait_);
  if (static_cast<std::int64_t>(moved_bytes_) < timeout * kSlowestBytesPerSecond / 1000) return;
  moved_bytes_ = 0;
  deadline_ms_ = context_.now_ms + timeout;
}

}  // namespace stator::net
