#include "net/reactor.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/thread_name.h"
#include "base/thread_urgency.h"

namespace stator::net {

namespace {

constexpr int kEventsPerTurn = 256;
constexpr int kEventsPerRow = 32;
constexpr int kAcceptsPerTurn = 64;
constexpr std::string_view kTooManyConnections =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

// False if the system has no room for another watch.
bool watch(int epoll, int fd, std::uint32_t events, void* what) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = what;
  return ::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

std::int64_t sweep_interval_ms(const ServerOptions& options) {
  const std::uint32_t shortest =
      std::min({options.header_timeout_ms, options.body_timeout_ms, options.write_timeout_ms,
                options.idle_timeout_ms, options.linger_timeout_ms});
  return std::clamp<std::int64_t>(shortest / 4, 5, 1000);
}

}  // namespace

Reactor::Group::Group(const ServerOptions& options_in, unsigned threads_in)
    : options(options_in),
      threads(threads_in),
      places(options.connections_max, options.address_connections_max != 0
                                          ? options.address_connections_max
                                          : options.connections_max - options.connections_max / 4),
      answers(options.answer_bytes_max) {}

Reactor::Reactor(Group& group, Handler& handler, FileDescriptor listener)
    : group_(group),
      options_(group.options),
      context_{.options = group.options,
               .handler = handler,
               .input_bytes_max = group.options.input_bytes_max / group.threads,
               .answers = group.answers,
               .places = group.places},
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      listener_(std::move(listener)),
      sweep_interval_ms_(sweep_interval_ms(group.options)) {
  CHECK(epoll_ && wake_ && watch(epoll_.get(), wake_.get(), EPOLLIN, &wake_));
  listen_for_connections(true);
  update_time();
}

Reactor::~Reactor() {
  request_stop();
  join();
}

void Reactor::start() {
  thread_ = std::thread([this] {
    base::name_thread("stator-net");
    base::let_nobody_wait();
    run();
    const std::lock_guard lock(mutex_);
    ended_ = true;
    has_ended_.notify_all();
  });
}

bool Reactor::wait_until(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return !thread_.joinable() || has_ended_.wait_until(lock, deadline, [this] { return ended_; });
}

void Reactor::request_stop() noexcept {
  stop_requested_.store(true, std::memory_order_release);
  wake();
}

void Reactor::join() {
  if (thread_.joinable()) thread_.join();
}

void Reactor::post(std::coroutine_handle<> work) noexcept { post_many({&work, 1}); }

void Reactor::post_many(std::span<const std::coroutine_handle<>> work) noexcept {
  if (work.empty()) return;
  bool was_asleep = false;
  {
    const std::lock_guard lock(mutex_);
    posted_.insert(posted_.end(), work.begin(), work.end());
    was_asleep = std::exchange(asleep_, false);
  }
  if (was_asleep) wake();
}

void Reactor::wake() noexcept {
  const std::uint64_t one = 1;
  // Fails only where the counter is full, and then the reactor is about to wake up anyway.
  [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof(one));
}

void Reactor::run() {
  set_current(this);
  while (!stopped()) {
    run_posted();
    resume_connections();
    wait_for_events();
    look_after_line();
    make_asked_places();
    if (context_.now_ms >= next_sweep_ms_) sweep();
    if (!context_.stopping && stop_requested_.load(std::memory_order_acquire)) begin_stop();
  }
  for (const auto& connection : connections_) connection->abandon();
  set_current(nullptr);
}

void Reactor::run_posted() {
  {
    const std::lock_guard lock(mutex_);
    running_.swap(posted_);
  }
  for (const std::coroutine_handle<> work : running_) work.resume();
  running_.clear();
}

void Reactor::resume_connections() {
  // Those that put themselves on the list again have their turn after the events.
  std::vector<Connection*> batch;
  batch.swap(context_.to_resume);
  for (Connection* const connection : batch) {
    if (!connection->resume()) remove(*connection);
  }
  if (context_.to_resume.empty()) {
    batch.clear();
    context_.to_resume.swap(batch);  // keeps its memory
  }
}

void Reactor::wait_for_events() {
  const bool has_work = !context_.to_resume.empty() || (context_.line_first != nullptr && context_.line_may_move);
  int timeout_ms = has_work ? 0 : wait_ms();
  if (timeout_ms != 0) {
    const std::lock_guard lock(mutex_);
    asleep_ = posted_.empty();
    if (!asleep_) timeout_ms = 0;
  }
  std::array<epoll_event, kEventsPerTurn> events;
  const int count = ::epoll_wait(epoll_.get(), events.data(), kEventsPerTurn, timeout_ms);
  CHECK(count >= 0 || errno == EINTR);
  if (timeout_ms != 0) {
    const std::lock_guard lock(mutex_);
    asleep_ = false;
  }
  update_time();
  for (int i = 0; i < count; i += kEventsPerRow) {
    handle_row({events.data() + i, static_cast<std::size_t>(std::min(count - i, kEventsPerRow))});
  }
}

// Reading, handling and (in the next turn) writing in rows of their own find more of their code in the processor's
// caches than in turns. A row is short, because each of its connections has a buffer.
void Reactor::handle_row(std::span<const epoll_event> events) {
  std::array<Connection*, kEventsPerRow> ready;
  std::size_t ready_count = 0;
  for (const epoll_event& event : events) {
    if (event.data.ptr == &wake_) {
      std::uint64_t ignored = 0;
      [[maybe_unused]] const ssize_t got = ::read(wake_.get(), &ignored, sizeof(ignored));
    } else if (event.data.ptr == &listener_) {
      accept_connections();
    } else {
      auto* const connection = static_cast<Connection*>(event.data.ptr);
      connection->take_events(event.events);
      ready[ready_count++] = connection;
    }
  }
  for (std::size_t i = 0; i < ready_count; ++i) {
    if (!ready[i]->handle_events()) remove(*ready[i]);
  }
}

int Reactor::wait_ms() const noexcept {
  if (stopped()) return 0;
  if (connections_.empty() && listening_ && !context_.stopping) return -1;
  std::int64_t until = next_sweep_ms_;
  if (context_.stopping) until = std::min(until, stop_deadline_ms_);
  if (context_.line_first != nullptr) until = std::min(until, line_looked_at_ms_ + kLineLookMs);
  return static_cast<int>(std::max<std::int64_t>(until - context_.now_ms, 1));
}

void Reactor::update_time() noexcept {
  context_.now_ms = coarse_now_ms();
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  context_.date.update(now.tv_sec);
}

void Reactor::listen_for_connections(bool on) noexcept {
  if (on == listening_ || !listener_) return;
  if (on) {
    listening_ = watch(epoll_.get(), listener_.get(), EPOLLIN, &listener_);  // otherwise with the next sweep
  } else {
    listening_ = false;
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listener_.get(), nullptr);
  }
}

void Reactor::accept_connections() {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    FileDescriptor fd(
        ::accept4(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (fd) {
      add_connection(std::move(fd), client_address(address));
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      // The client waits in the backlog; asking again at once would only burn the core.
      listen_for_connections(false);
      return;
    } else if (errno == EAGAIN) {
      return;
    }
    // Other errors are those of a client that has given up meanwhile.
  }
}

void Reactor::add_connection(FileDescriptor fd, ClientAddress address) {
  const bool has_place = context_.places.take(address) == ConnectionPlaces::Taken::yes;
  if (!has_place && !make_spare_room()) {
    [[maybe_unused]] const ssize_t sent =
        ::send(fd.get(), kTooManyConnections.data(), kTooManyConnections.size(), MSG_NOSIGNAL);
    return;
  }
  prepare_connection(fd);
  auto connection = std::make_unique<Connection>(
      Socket(std::move(fd)), address, has_place ? Connection::Kind::regular : Connection::Kind::spare, context_);
  connection->index = connections_.size();
  connections_.push_back(std::move(connection));
  // Edge-triggered for everything at once, so that no request costs a call to change what is
  // watched.
  Connection& added = *connections_.back();
  if (!watch(epoll_.get(), added.fd(), EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, &added)) remove(added);
}

void Reactor::remove(Connection& connection) {
  if (!connection.is_spare()) context_.places.give_back(connection.address());
  const std::size_t index = connection.index;
  std::swap(connections_[index], connections_.back());
  connections_[index]->index = index;
  connections_.pop_back();
  context_.line_may_move = true;
}

void Reactor::sweep() {
  next_sweep_ms_ = context_.now_ms + sweep_interval_ms_;
  for (std::size_t i = connections_.size(); i-- > 0;) {  // removal moves the last one to i
    if (!connections_[i]->check_deadline()) remove(*connections_[i]);
  }
  cut_off_slow_readers();
  if (!context_.stopping) listen_for_connections(true);
}

void Reactor::begin_stop() {
  context_.stopping = true;
  stop_deadline_ms_ = context_.now_ms + options_.stop_timeout_ms;
  listener_.reset();
  listening_ = false;
  for (std::size_t i = connections_.size(); i-- > 0;) {
    if (!connections_[i]->stop()) remove(*connections_[i]);
  }
}

bool Reactor::stopped() const noexcept {
  return context_.stopping && (connections_.empty() || context_.now_ms >= stop_deadline_ms_);
}

}  // namespace stator::net
