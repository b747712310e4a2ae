// Announcements: a notification of the root object, which every node watches. For speed alone; see "The catalog on several
// nodes" in docs/design/rados.md.

#include "store/rados/rados_store.h"

namespace stator::store::rados {
namespace {

// Whole seconds only. A node that does not answer is dead or busy, and finds what is new by itself.
constexpr std::chrono::milliseconds kAnnouncementTimeout{2000};
constexpr std::chrono::milliseconds kWatchAgain{500};

}  // namespace

base::Task<Result<void>> RadosStore::announce() {
  auto operation = cluster_->announce(kRootObject, kAnnouncementTimeout);
  static_cast<void>(co_await operation);  // some did not answer in time: they find out later
  co_return Result<void>();
}

void RadosStore::listen(Listener listener) {
  listener_ = std::move(listener);
  watcher_.heard = [this](Connection::Announcement announcement) {
    if (!worker_.closing()) worker_.spawn(hear(announcement));
  };
  watcher_.lost = [this] {
    if (!worker_.closing()) worker_.spawn(keep_watching());
  };
  worker_.spawn(keep_watching());
}

// Ends when the watch stands.
base::Task<Result<void>> RadosStore::keep_watching() {
  while (!worker_.closing()) {
    auto operation = cluster_->watch(kRootObject, watcher_);
    const Reply reply = co_await operation;
    if (reply.status >= 0) break;
    co_await worker_.sleep(kWatchAgain);
  }
  // What was announced without a watch is looked for now.
  if (worker_.closing()) co_return Result<void>();
  auto listened = listener_();
  co_return co_await listened;
}

// The announcer waits for the acknowledgement, so it comes after what the listener does.
base::Task<Result<void>> RadosStore::hear(Connection::Announcement announcement) {
  auto listened = listener_();
  static_cast<void>(co_await listened);
  cluster_->acknowledge(kRootObject, announcement);
  co_return Result<void>();
}

}  // namespace stator::store::rados
