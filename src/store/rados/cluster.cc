#include "store/rados/cluster.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>

namespace stator::store::rados {

struct Operation::State {
  std::mutex mutex;
  // Guarded by mutex:
  std::condition_variable ended;
  bool done = false;
  std::coroutine_handle<> handle;
  base::Executor* executor = nullptr;
  Reply reply;
  std::function<void(const Reply&)> count_bytes;  // not guarded: set before the operation is started
};

bool Operation::await_suspend(std::coroutine_handle<> awaiting) {
  std::unique_lock lock(state_->mutex);
  if (state_->done) return false;
  state_->executor = base::Executor::current();
  if (state_->executor != nullptr) {
    state_->handle = awaiting;
    return true;
  }
  state_->ended.wait(lock, [&] { return state_->done; });
  return false;
}

bool Operation::Anywhere::await_suspend(std::coroutine_handle<> awaiting) {
  const std::lock_guard lock(operation_.state_->mutex);
  if (operation_.state_->done) return false;
  operation_.state_->handle = awaiting;
  return true;
}

Reply Operation::await_resume() { return std::move(state_->reply); }

namespace {

using SharedState = std::shared_ptr<Operation::State>;

// `argument` is a SharedState of its own: an operation may end after nobody waits for it any more.
void on_done(void* argument, Reply reply) {
  const std::unique_ptr<SharedState> state(static_cast<SharedState*>(argument));
  std::coroutine_handle<> handle;
  base::Executor* executor = nullptr;
  if ((*state)->count_bytes) (*state)->count_bytes(reply);
  {
    const std::lock_guard lock((*state)->mutex);
    (*state)->reply = std::move(reply);
    (*state)->done = true;
    handle = (*state)->handle;
    executor = (*state)->executor;
    (*state)->ended.notify_all();
  }
  if (handle) executor != nullptr ? executor->post(handle) : handle.resume();
}

// Beside the program, in the library folder beside it, or where the system looks.
// STATOR_RADOS_MODULE names another one.
Result<ConnectFunction> load_module() {
  std::vector<std::string> places;
  if (const char* named = std::getenv("STATOR_RADOS_MODULE"); named != nullptr)
    places.emplace_back(named);
  std::error_code ignored;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* folder : {".", "../lib/stator", "../lib"}) {
    const std::filesystem::path place = program / folder / kModuleName;
    if (std::filesystem::exists(place, ignored)) places.push_back(place);
  }
  places.emplace_back(kModuleName);
  std::string reason;
  for (const std::string& place : places) {
    void* const module =
        dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays loaded, as librados wants it
    if (module != nullptr) {
      void* const symbol = dlsym(module, kConnectSymbol);
      if (symbol != nullptr) return reinterpret_cast<ConnectFunction>(symbol);
    }
    const char* const error = dlerror();
    if (reason.empty() && error != nullptr) reason = error;
  }
  return fail(ErrorCode::unavailable, fmt::format("the Ceph module {} cannot be loaded ({}); it is "
                                                  "in the Debian package stator-ceph, and is built "
                                                  "where librados-dev and libradospp-dev are "
                                                  "installed",
                                                  kModuleName, reason));
}

}  // namespace

Result<std::unique_ptr<Cluster>> Cluster::connect(const RadosOptions& options) {
  TRY(const ConnectFunction connect_function, load_module());
  Error error;
  std::unique_ptr<Connection> connection(connect_function(options, error));
  if (connection == nullptr) return tl::unexpected<Error>(std::move(error));
  return std::make_unique<Cluster>(std::move(connection));
}

RadosStatistics Cluster::statistics() const {
  const Connection::TimeoutStatistics waits = connection_->timeout_statistics();
  RadosStatistics statistics;
  statistics.reads = counters_->reads.load();
  statistics.writes = counters_->writes.load();
  statistics.read_bytes = counters_->read_bytes.load();
  statistics.written_bytes = counters_->written_bytes.load();
  statistics.groups = counters_->groups.load();
  statistics.group_commits = counters_->group_commits.load();
  statistics.refused_groups = counters_->refused_groups.load();
  statistics.timeouts = waits.timeouts;
  statistics.late = waits.late;
  return statistics;
}

void Cluster::count_group(std::size_t commits, bool refused) {
  counters_->groups.fetch_add(1, std::memory_order_relaxed);
  counters_->group_commits.fetch_add(commits, std::memory_order_relaxed);
  if (refused) counters_->refused_groups.fetch_add(1, std::memory_order_relaxed);
}

namespace {

std::uint64_t bytes_of(const WriteRequest& request) {
  std::uint64_t bytes = 0;
  for (const auto& comparison : request.comparisons) bytes += comparison.key.size() + comparison.value.size();
  for (const auto& [from, to] : request.removed_ranges) bytes += from.size() + to.size();
  for (const std::string& key : request.removed) bytes += key.size();
  for (const auto& [key, value] : request.set) bytes += key.size() + value.size();
  return bytes;
}

std::uint64_t bytes_of(const Reply& reply) {
  std::uint64_t bytes = 0;
  for (const auto& [key, value] : reply.values) bytes += key.size() + value.size();
  for (const Reply::Entries& range : reply.ranges) {
    for (const auto& [key, value] : range.entries) bytes += key.size() + value.size();
  }
  return bytes;
}

}  // namespace

Operation Cluster::write(const std::string& object, const WriteRequest& request) {
  counters_->writes.fetch_add(1, std::memory_order_relaxed);
  counters_->written_bytes.fetch_add(bytes_of(request), std::memory_order_relaxed);
  auto state = std::make_shared<Operation::State>();
  connection_->write(object, request, on_done, std::make_unique<SharedState>(state).release());
  return Operation(std::move(state));
}

Operation Cluster::read(const std::string& object, const ReadRequest& request) {
  counters_->reads.fetch_add(1, std::memory_order_relaxed);
  auto state = std::make_shared<Operation::State>();
  state->count_bytes = [counters = counters_](const Reply& reply) {
    counters->read_bytes.fetch_add(bytes_of(reply), std::memory_order_relaxed);
  };
  connection_->read(object, request, on_done, std::make_unique<SharedState>(state).release());
  return Operation(std::move(state));
}

Operation Cluster::watch(const std::string& object, const Connection::Watcher& watcher) {
  auto state = std::make_shared<Operation::State>();
  connection_->watch(object, watcher, on_done, std::make_unique<SharedState>(state).release());
  return Operation(std::move(state));
}

Operation Cluster::announce(const std::string& object, std::chrono::milliseconds timeout) {
  auto state = std::make_shared<Operation::State>();
  connection_->announce(object, timeout, on_done, std::make_unique<SharedState>(state).release());
  return Operation(std::move(state));
}

Error to_error(int status, std::string_view object) {
  switch (-status) {
    case ETIMEDOUT:
      return {ErrorCode::unavailable, "the Ceph cluster did not answer in time"};
    case ENOSPC:
    case EDQUOT:
      return {ErrorCode::out_of_space, "the Ceph cluster or the pool is full"};
    case EPERM:
    case EACCES:
      return {ErrorCode::access_denied,
              "the Ceph user may not read and write the pool; it needs: osd 'allow rwx pool=...'"};
    case ENOENT:
      return {ErrorCode::corruption, fmt::format("the object {} is missing in the pool", object)};
    default:
      return {ErrorCode::unavailable,
              fmt::format("the Ceph cluster answered: {}", std::strerror(-status))};
  }
}

}  // namespace stator::store::rados
