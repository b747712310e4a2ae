#pragma once

#include <mutex>

#include "store/rados/full_probe.h"
#include "store/rados/librados_operations.h"

namespace stator::store::rados {

// The connection as connection.h promises it, over librados: with a time-out of our own for each operation, and a probe that
// tells when a full pool has room again.
class RadosConnection final : public Connection {
 public:
  explicit RadosConnection(std::chrono::milliseconds timeout) : deadlines_({.timeout = timeout}) {}
  ~RadosConnection() override;

  // librados_open.cc
  Result<void> open(const RadosOptions& options);

  void write(const std::string& object, const WriteRequest& request, Done done,
             void* argument) override;
  void read(const std::string& object, const ReadRequest& request, Done done,
            void* argument) override;
  void hasten(std::chrono::milliseconds grace) override { deadlines_.hasten(grace); }
  [[nodiscard]] TimeoutStatistics timeout_statistics() const override;

  // librados_watch.cc
  void watch(const std::string& object, const Watcher& watcher, Done done, void* argument) override;
  void unwatch() override;
  void announce(const std::string& object, std::chrono::milliseconds timeout, Done done,
                void* argument) override;
  void acknowledge(const std::string& object, const Announcement& announcement) override;

 private:
  void send(const std::string& object, WriteOperation operation, std::size_t bytes, Done done,
            void* argument);
  void probe();
  static void on_announcement(void* connection, std::uint64_t identity, std::uint64_t watch,
                              std::uint64_t, void*, std::size_t);
  static void on_watch_lost(void* connection, std::uint64_t, int);
  class PendingWatch;

  Deadlines deadlines_;
  FullProbe full_probe_;
  rados_t cluster_ = nullptr;
  rados_ioctx_t context_ = nullptr;
  librados::IoCtx reads_;  // the same, for the C++ interface

  std::mutex watch_mutex_;
  // Guarded by watch_mutex_:
  const Watcher* watcher_ = nullptr;
  std::uint64_t watch_ = 0;  // librados' name of it; 0: none
  bool watch_stands_ = false;
};

}  // namespace stator::store::rados
