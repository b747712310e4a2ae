// Watching an object, and telling its watchers.

#include <future>
#include <utility>

#include "store/rados/librados_connection.h"

namespace stator::store::rados {
namespace {

// A dead node is waited for by announcements until its watch has ended.
constexpr std::uint32_t kWatchSeconds = 10;
constexpr std::size_t kRecordBytes = 256;

}  // namespace

// One of these at a time. It has no deadline, because a watch that was given up could still come
// to stand beside the next one; nobody but the store's own work waits for it.
class RadosConnection::PendingWatch final : public LibradosPending {
 public:
  PendingWatch(RadosConnection& connection, const std::string& object, Done done, void* argument)
      : LibradosPending(connection.deadlines_, object, kRecordBytes, done, argument),
        connection_(connection) {}
  bool cancel(rados_ioctx_t) override { return false; }  // corrupts the memory of librados 16.2

 protected:
  Reply reply(int status) override {
    {
      const std::lock_guard lock(connection_.watch_mutex_);
      connection_.watch_stands_ = status >= 0;
      // librados has freed a watch that failed: its name must not be used again.
      if (status < 0) connection_.watch_ = 0;
    }
    return LibradosPending::reply(status);
  }

 private:
  RadosConnection& connection_;
};

void RadosConnection::on_announcement(void* connection, std::uint64_t identity, std::uint64_t watch,
                                      std::uint64_t, void*, std::size_t) {
  auto* const self = static_cast<RadosConnection*>(connection);
  const std::lock_guard lock(self->watch_mutex_);
  if (self->watcher_ != nullptr) self->watcher_->heard({identity, watch});
}

void RadosConnection::on_watch_lost(void* connection, std::uint64_t, int) {
  auto* const self = static_cast<RadosConnection*>(connection);
  const std::lock_guard lock(self->watch_mutex_);
  if (self->watcher_ != nullptr) self->watcher_->lost();
}

void RadosConnection::watch(const std::string& object, const Watcher& watcher, Done done,
                            void* argument) {
  auto pending = std::make_shared<PendingWatch>(*this, object, done, argument);
  if (!deadlines_.begin_patiently(pending)) return;
  int status = 0;
  {
    const std::lock_guard lock(watch_mutex_);
    if (watch_ != 0) {
      rados_completion_t ignored = nullptr;  // it is lost already: nobody waits for the answer
      rados_aio_create_completion2(nullptr, nullptr, &ignored);
      rados_aio_unwatch(context_, watch_, ignored);
      rados_aio_release(ignored);
      watch_ = 0;
    }
    watcher_ = &watcher;
    watch_stands_ = false;
    librados::AioCompletion* const completion = pending->expect(pending);
    status = rados_aio_watch2(context_, object.c_str(), completion->pc, &watch_, on_announcement,
                              on_watch_lost, kWatchSeconds, this);
    if (status < 0) watch_ = 0;
  }
  if (status < 0) pending->refused(status);
}

// A watch that does not stand yet ends with the connection, as every watch does that is not taken
// back in time.
void RadosConnection::unwatch() {
  using SharedPromise = std::shared_ptr<std::promise<void>>;
  const auto ended = std::make_shared<std::promise<void>>();
  {
    const std::lock_guard lock(watch_mutex_);
    watcher_ = nullptr;
    if (!std::exchange(watch_stands_, false)) return;
    const Done done = [](void* argument, Reply) {
      const std::unique_ptr<SharedPromise> promise(static_cast<SharedPromise*>(argument));
      (*promise)->set_value();
    };
    class Unwatch final : public LibradosPending {
     public:
      using LibradosPending::LibradosPending;
      bool cancel(rados_ioctx_t) override { return false; }
    };
    auto pending = std::make_shared<Unwatch>(deadlines_, "", kRecordBytes, done,
                                             std::make_unique<SharedPromise>(ended).release());
    if (deadlines_.begin(pending)) {
      librados::AioCompletion* const completion = pending->expect(pending);
      const int status = rados_aio_unwatch(context_, std::exchange(watch_, 0), completion->pc);
      if (status < 0) pending->refused(status);
    }
  }
  ended->get_future().wait();  // for the time-out at most
}

namespace {

class PendingAnnouncement final : public LibradosPending {
 public:
  using LibradosPending::LibradosPending;
  ~PendingAnnouncement() override {
    if (answer_buffer != nullptr) rados_buffer_free(answer_buffer);
  }
  bool cancel(rados_ioctx_t) override { return false; }
  char* answer_buffer = nullptr;
  std::size_t answer_bytes = 0;
};

}  // namespace

void RadosConnection::announce(const std::string& object, std::chrono::milliseconds timeout,
                               Done done, void* argument) {
  auto pending =
      std::make_shared<PendingAnnouncement>(deadlines_, object, kRecordBytes, done, argument);
  if (!deadlines_.begin(pending)) return;
  librados::AioCompletion* const completion = pending->expect(pending);
  const int status = rados_aio_notify(context_, object.c_str(), completion->pc, "", 0,
                                      static_cast<std::uint64_t>(timeout.count()),
                                      &pending->answer_buffer, &pending->answer_bytes);
  if (status < 0) pending->refused(status);
}

void RadosConnection::acknowledge(const std::string& object, const Announcement& announcement) {
  rados_notify_ack(context_, object.c_str(), announcement.identity, announcement.watch, nullptr, 0);
}

}  // namespace stator::store::rados
