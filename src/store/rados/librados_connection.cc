// The module with librados in it; connection.h is all that the rest knows.

#include <fmt/format.h>
#include <rados/librados.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <rados/librados.hpp>

#include "store/rados/connection.h"

namespace stator::store::rados {
namespace {

std::uint8_t operator_of(Compare how) {
  switch (how) {
    case Compare::equal:
      return LIBRADOS_CMPXATTR_OP_EQ;
    case Compare::less:
      return LIBRADOS_CMPXATTR_OP_LT;
    case Compare::greater:
      return LIBRADOS_CMPXATTR_OP_GT;
  }
  return LIBRADOS_CMPXATTR_OP_EQ;
}

struct ReleaseWrite {
  void operator()(void* operation) const { rados_release_write_op(operation); }
};
using WriteOperation = std::unique_ptr<void, ReleaseWrite>;

// Arrays of pointers, as the C interface wants them; refer to the strings.
struct Pointers {
  std::vector<const char*> data;
  std::vector<std::size_t> sizes;
  void add(const std::string& text) {
    data.push_back(text.data());
    sizes.push_back(text.size());
  }
};

WriteOperation build(const WriteRequest& request) {
  WriteOperation operation(rados_create_write_op());
  if (request.create || request.create_exclusive) {
    rados_write_op_create(
        operation.get(),
        request.create_exclusive ? LIBRADOS_CREATE_EXCLUSIVE : LIBRADOS_CREATE_IDEMPOTENT, nullptr);
  } else {
    rados_write_op_assert_exists(operation.get());
  }
  for (const auto& comparison : request.comparisons) {
    rados_write_op_omap_cmp2(operation.get(), comparison.key.data(), operator_of(comparison.how),
                             comparison.value.data(), comparison.key.size(),
                             comparison.value.size(), nullptr);
  }
  for (const auto& [from, to] : request.removed_ranges) {
    rados_write_op_omap_rm_range2(operation.get(), from.data(), from.size(), to.data(), to.size());
  }
  if (!request.removed.empty()) {
    Pointers keys;
    for (const std::string& key : request.removed) keys.add(key);
    rados_write_op_omap_rm_keys2(operation.get(), keys.data.data(), keys.sizes.data(),
                                 keys.data.size());
  }
  if (!request.set.empty()) {
    Pointers keys, values;
    for (const auto& [key, value] : request.set) {
      keys.add(key);
      values.add(value);
    }
    rados_write_op_omap_set2(operation.get(), keys.data.data(), values.data.data(),
                             keys.sizes.data(), values.sizes.data(), keys.data.size());
  }
  return operation;
}

struct PendingWrite {
  Connection::Done done;
  void* argument;
};

struct PendingRead {
  Connection::Done done;
  void* argument;
  librados::ObjectReadOperation operation;
  std::map<std::string, librados::bufferlist> values;
  std::vector<std::map<std::string, librados::bufferlist>> ranges;
  std::unique_ptr<bool[]> more;

  Reply reply(int status) {
    Reply reply;
    reply.status = status;
    for (auto& [key, value] : values) reply.values.emplace(key, value.to_str());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      Reply::Entries& entries = reply.ranges.emplace_back();
      entries.more = more[i];
      entries.entries.reserve(ranges[i].size());
      for (auto& [key, value] : ranges[i]) entries.entries.emplace_back(key, value.to_str());
    }
    return reply;
  }
};

void answer(Connection::Done done, void* argument, int status) {
  Reply reply;
  reply.status = status;
  done(argument, std::move(reply));
}

void on_written(rados_completion_t completion, void* argument) {
  const std::unique_ptr<PendingWrite> write(static_cast<PendingWrite*>(argument));
  answer(write->done, write->argument, rados_aio_get_return_value(completion));
}

void on_read(rados_completion_t completion, void* argument) {
  const std::unique_ptr<PendingRead> read(static_cast<PendingRead*>(argument));
  read->done(read->argument, read->reply(rados_aio_get_return_value(completion)));
}

class RadosConnection final : public Connection {
 public:
  RadosConnection() = default;
  ~RadosConnection() override {
    if (context_ != nullptr) {
      rados_aio_flush(context_);
      reads_.close();
      rados_ioctx_destroy(context_);
    }
    if (cluster_ != nullptr) rados_shutdown(cluster_);
  }

  Result<void> open(const RadosOptions& options);

  void write(const std::string& object, const WriteRequest& request, Done done,
             void* argument) override {
    auto write = std::make_unique<PendingWrite>(PendingWrite{done, argument});
    const WriteOperation operation = build(request);
    rados_completion_t completion = nullptr;
    rados_aio_create_completion2(write.get(), on_written, &completion);
    // Without this flag librados keeps writes to a full pool to itself until there is room, or the time-out.
    const int status = rados_aio_write_op_operate(operation.get(), context_, completion, object.c_str(),
                                                  nullptr, LIBRADOS_OPERATION_FULL_TRY);
    rados_aio_release(completion);
    if (status >= 0) {
      static_cast<void>(write.release());  // on_written takes it
      return;
    }
    answer(done, argument, status);  // it was not even accepted: there will be no callback
  }

  void read(const std::string& object, const ReadRequest& request, Done done,
            void* argument) override {
    auto read = std::make_unique<PendingRead>();
    read->done = done;
    read->argument = argument;
    read->ranges.resize(request.ranges.size());
    read->more = std::make_unique<bool[]>(request.ranges.size());
    if (!request.keys.empty()) {
      read->operation.omap_get_vals_by_keys({request.keys.begin(), request.keys.end()},
                                            &read->values, nullptr);
    }
    for (std::size_t i = 0; i < request.ranges.size(); ++i) {
      const ReadRequest::Range& range = request.ranges[i];
      read->operation.omap_get_vals2(range.after, range.prefix, range.entries_max, &read->ranges[i],
                                     &read->more[i], nullptr);
    }
    librados::AioCompletion* completion =
        librados::Rados::aio_create_completion(read.get(), on_read);
    const int status = reads_.aio_operate(object, completion, &read->operation, nullptr);
    completion->release();
    if (status >= 0) {
      static_cast<void>(read.release());  // on_read takes it
      return;
    }
    done(argument, read->reply(status));
  }

  void flush() override { rados_aio_flush(context_); }

  void watch(const std::string& object, const Watcher& watcher, Done done, void* argument) override;
  void unwatch() override;
  void announce(const std::string& object, std::chrono::milliseconds timeout, Done done,
                void* argument) override;
  void acknowledge(const std::string& object, const Announcement& announcement) override {
    rados_notify_ack(context_, object.c_str(), announcement.identity, announcement.watch, nullptr, 0);
  }

 private:
  static void on_announcement(void* connection, std::uint64_t identity, std::uint64_t watch, std::uint64_t,
                              void*, std::size_t) {
    static_cast<RadosConnection*>(connection)->watcher_->heard({identity, watch});
  }
  static void on_watch_lost(void* connection, std::uint64_t, int) {
    static_cast<RadosConnection*>(connection)->watcher_->lost();
  }
  struct PendingWatch {
    RadosConnection* connection;
    Done done;
    void* argument;
  };
  static void on_watched(rados_completion_t completion, void* argument) {
    const std::unique_ptr<PendingWatch> watch(static_cast<PendingWatch*>(argument));
    const int status = rados_aio_get_return_value(completion);
    // librados has freed a watch that failed: its name must not be used again.
    if (status < 0) watch->connection->watch_ = 0;
    answer(watch->done, watch->argument, status);
  }

  const Watcher* watcher_ = nullptr;
  std::uint64_t watch_ = 0;  // librados' name of it; 0: none
  rados_t cluster_ = nullptr;
  rados_ioctx_t context_ = nullptr;
  librados::IoCtx reads_;  // the same, for the C++ interface: range reads with zero bytes in keys
                           // are in that one only
};

// A dead node is waited for by announcements until its watch has ended.
constexpr std::uint32_t kWatchSeconds = 10;

void RadosConnection::watch(const std::string& object, const Watcher& watcher, Done done, void* argument) {
  if (watch_ != 0) {
    rados_completion_t ignored = nullptr;  // it is lost already: nobody waits for the answer
    rados_aio_create_completion2(nullptr, nullptr, &ignored);
    rados_aio_unwatch(context_, watch_, ignored);
    rados_aio_release(ignored);
    watch_ = 0;
  }
  watcher_ = &watcher;
  auto pending = std::make_unique<PendingWatch>(PendingWatch{this, done, argument});
  rados_completion_t completion = nullptr;
  rados_aio_create_completion2(pending.get(), on_watched, &completion);
  const int status = rados_aio_watch2(context_, object.c_str(), completion, &watch_, on_announcement,
                                      on_watch_lost, kWatchSeconds, this);
  rados_aio_release(completion);
  if (status >= 0) {
    static_cast<void>(pending.release());
    return;
  }
  answer(done, argument, status);
}

void RadosConnection::unwatch() {
  if (watch_ == 0) return;
  rados_unwatch2(context_, watch_);
  rados_watch_flush(cluster_);
  watch_ = 0;
}

struct PendingAnnouncement {
  Connection::Done done;
  void* argument;
  char* answer = nullptr;
  std::size_t answer_bytes = 0;
};

void on_announced(rados_completion_t completion, void* argument) {
  const std::unique_ptr<PendingAnnouncement> pending(static_cast<PendingAnnouncement*>(argument));
  if (pending->answer != nullptr) rados_buffer_free(pending->answer);
  answer(pending->done, pending->argument, rados_aio_get_return_value(completion));
}

void RadosConnection::announce(const std::string& object, std::chrono::milliseconds timeout, Done done,
                               void* argument) {
  auto pending = std::make_unique<PendingAnnouncement>(PendingAnnouncement{done, argument});
  rados_completion_t completion = nullptr;
  rados_aio_create_completion2(pending.get(), on_announced, &completion);
  const int status =
      rados_aio_notify(context_, object.c_str(), completion, "", 0,
                       static_cast<std::uint64_t>(timeout.count()), &pending->answer, &pending->answer_bytes);
  rados_aio_release(completion);
  if (status >= 0) {
    static_cast<void>(pending.release());
    return;
  }
  answer(done, argument, status);
}

std::string user_of(const RadosOptions& options) {
  return options.user.empty() ? "admin" : options.user;
}

Error cannot_connect(const RadosOptions& options, int status) {
  const std::string who = "client." + user_of(options);
  switch (-status) {
    case ETIMEDOUT:
      return {ErrorCode::unavailable,
              fmt::format(
                  "no monitor of the Ceph cluster answered within {} s; check mon_host in {} and "
                  "the network",
                  options.timeout.count() / 1000,
                  options.configuration.empty() ? "/etc/ceph/ceph.conf" : options.configuration)};
    case EACCES:
    case EPERM:
      return {
          ErrorCode::access_denied,
          fmt::format(
              "the Ceph cluster refuses {}; check its keyring and capabilities (ceph auth get {})",
              who, who)};
    case ENOENT:
      return {ErrorCode::unavailable, fmt::format("no keyring for {} was found, or the monitors "
                                                  "are unknown; check keyring and mon_host",
                                                  who)};
    default:
      return {ErrorCode::unavailable, fmt::format("cannot connect to the Ceph cluster as {}: {}",
                                                  who, std::strerror(-status))};
  }
}

Result<void> RadosConnection::open(const RadosOptions& options) {
  int status = rados_create(&cluster_, user_of(options).c_str());
  if (status < 0) {
    cluster_ = nullptr;
    return tl::unexpected<Error>(cannot_connect(options, status));
  }
  status = rados_conf_read_file(
      cluster_, options.configuration.empty() ? nullptr : options.configuration.c_str());
  if (status < 0 && (!options.configuration.empty() || status != -ENOENT)) {
    return fail(ErrorCode::unavailable, fmt::format("cannot read the Ceph configuration {}: {}",
                                                    options.configuration, std::strerror(-status)));
  }
  // Whole seconds: Ceph takes nothing else here, and would go on without a time-out.
  const std::string seconds = std::to_string(std::max<long>(1, (options.timeout.count() + 999) / 1000));
  // No rados_osd_op_timeout: when it strikes a watch, librados 16.2 corrupts its memory. Operations wait until OSDs are back.
  const std::pair<const char*, const char*> settings[] = {
      {"rados_mon_op_timeout", seconds.c_str()},
      {"client_mount_timeout", seconds.c_str()},
      // Callbacks start operations: they must never wait for room, which only callbacks can make. The
      // store bounds itself.
      {"objecter_inflight_ops", "1000000"},
      {"objecter_inflight_op_bytes", "4294967296"},
  };
  for (const auto& [name, value] : settings) {
    status = rados_conf_set(cluster_, name, value);
    if (status < 0) {
      return fail(ErrorCode::internal, fmt::format("this version of librados does not take {} = {}", name, value));
    }
  }
  status = rados_connect(cluster_);
  if (status < 0) return tl::unexpected<Error>(cannot_connect(options, status));
  status = rados_ioctx_create(cluster_, options.pool.c_str(), &context_);
  if (status < 0) {
    context_ = nullptr;
    if (status == -ENOENT) {
      return fail(
          ErrorCode::unavailable,
          fmt::format("the Ceph cluster has no pool '{}'; make it with: ceph osd pool create {}",
                      options.pool, options.pool));
    }
    return tl::unexpected<Error>(cannot_connect(options, status));
  }
  if (!options.name_space.empty()) rados_ioctx_set_namespace(context_, options.name_space.c_str());
  librados::IoCtx::from_rados_ioctx_t(context_, reads_);
  return {};
}

}  // namespace
}  // namespace stator::store::rados

extern "C" __attribute__((visibility("default"))) stator::store::rados::Connection*
stator_rados_connect(const stator::store::RadosOptions& options, stator::Error& error) {
  auto connection = std::make_unique<stator::store::rados::RadosConnection>();
  const stator::Result<void> opened = connection->open(options);
  if (opened) return connection.release();
  error = opened.error();
  return nullptr;
}
