#pragma once

#include <map>
#include <memory>
#include <string>

#include "trigger/shard_worker.h"

namespace stator::trigger {

using client::Shard;
using client::ShardList;
using client::StreamName;

// Follows a table's streams: all shards of a stream, parents before their children, and after the end of a stream (it
// was disabled) the next one of the table. One thread.
class Follower {
 public:
  Follower(Shared& shared, std::unique_ptr<StreamSource> source) : shared_(shared), source_(std::move(source)) {}

  // Until the end is wished for. An error is one that keeps it from beginning.
  [[nodiscard]] Result<void> run();

 private:
  [[nodiscard]] Result<StreamName> first_stream();
  [[nodiscard]] Result<void> begin_at_latest(const StreamName& stream);
  void follow(const StreamName& stream);
  [[nodiscard]] bool start_shards(const StreamName& stream);
  [[nodiscard]] bool start_shard(const StreamName& stream, const std::string& shard);
  [[nodiscard]] std::optional<StreamName> next_stream(const std::string& label);
  void reap();
  void pause(std::int64_t milliseconds);

  Shared& shared_;
  std::unique_ptr<StreamSource> source_;
  std::map<std::string, std::unique_ptr<ShardWorker>> workers_;
  std::map<std::string, std::string> latest_;  // iterators to begin at, by shard
  bool announced_ = false;
};

}  // namespace stator::trigger
