#include "trigger/follower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace stator::trigger {
namespace {

constexpr std::int64_t kPauseMs = 200;
constexpr int kPausesPerListing = 10;  // a stream is described every two seconds, or when a shard has ended

}  // namespace

// The stream whose position is stored, as long as it can be read; otherwise the table's own.
Result<StreamName> Follower::first_stream() {
  const std::string& table = shared_.options.table;
  const std::string stored = shared_.checkpoint.stream();
  if (!stored.empty()) {
    TRY(const std::vector<StreamName> streams, source_->streams(table));
    const auto found =
        std::find_if(streams.begin(), streams.end(), [&](const StreamName& stream) { return stream.label >= stored; });
    if (found != streams.end()) {
      if (found->label != stored) shared_.checkpoint.begin_stream(found->label);
      return *found;
    }
  }
  TRY(StreamName stream, source_->current_stream(table));
  shared_.checkpoint.begin_stream(stream.label);
  if (shared_.options.starting_position == "LATEST") TRY_VOID(begin_at_latest(stream));
  return stream;
}

Result<void> Follower::begin_at_latest(const StreamName& stream) {
  const std::int64_t now_ms = shared_.clock.now_ms();
  TRY(const ShardList list, source_->shards(stream.arn));
  for (const Shard& shard : list.shards) {
    if (shard.closed) {
      shared_.checkpoint.set(shard.id, {.kind = Position::Kind::ended});
      continue;
    }
    TRY(latest_[shard.id], source_->iterator(stream.arn, shard.id, "LATEST"));
    shared_.checkpoint.set(shard.id, {.kind = Position::Kind::latest, .since_ms = now_ms});
  }
  return {};
}

Result<void> Follower::run() {
  Result<StreamName> first = first_stream();
  if (!first) return tl::unexpected(first.error());
  TRY_VOID(shared_.checkpoint.save());
  StreamName stream = std::move(*first);
  while (true) {
    follow(stream);
    if (shared_.stop.requested()) break;
    shared_.progress.say(fmt::format("stream {} has ended; waiting for the table's next one", stream.label));
    std::optional<StreamName> next;
    while (!shared_.stop.requested() && !(next = next_stream(stream.label))) pause(1000);
    if (!next) break;
    stream = std::move(*next);
    shared_.checkpoint.begin_stream(stream.label);
    announced_ = false;
  }
  for (auto& [shard, worker] : workers_) worker->abandon();
  workers_.clear();
  return shared_.checkpoint.save();
}

std::optional<StreamName> Follower::next_stream(const std::string& label) {
  const Result<std::vector<StreamName>> streams = source_->streams(shared_.options.table);
  if (!streams) {
    shared_.progress.trouble(streams.error().message);
    return std::nullopt;
  }
  for (const StreamName& stream : *streams) {
    if (stream.label > label) return stream;
  }
  return std::nullopt;
}

// Comes back when the stream has ended and all of it is dealt with, or the end is wished for.
void Follower::follow(const StreamName& stream) {
  int pauses = 0;
  while (!shared_.stop.requested()) {
    const std::size_t before = workers_.size();
    reap();
    if (pauses-- <= 0 || workers_.size() != before) {
      if (!start_shards(stream)) return;
      pauses = kPausesPerListing;
    }
    pause(kPauseMs);
  }
}

void Follower::pause(std::int64_t milliseconds) {
  if (const Result<void> saved = shared_.checkpoint.save(); !saved) shared_.give_up(saved.error());
  shared_.progress.show(shared_.clock.now_ms());
  shared_.stop.wait_ms(milliseconds);
}

void Follower::reap() {
  std::erase_if(workers_, [](const auto& entry) { return entry.second->finished(); });
}

// False where the stream takes no more records and all its shards have ended.
bool Follower::start_shards(const StreamName& stream) {
  const Result<ShardList> list = source_->shards(stream.arn);
  if (!list) {
    if (list.error().code == ErrorCode::table_not_found && workers_.empty()) return false;
    shared_.progress.trouble(list.error().message);
    return true;
  }
  std::vector<std::string> ids;
  for (const Shard& shard : list->shards) ids.push_back(shard.id);
  for (const auto& [id, worker] : workers_) ids.push_back(id);
  shared_.checkpoint.keep_only(ids);
  const auto listed = [&](const std::string& id) {
    return std::any_of(list->shards.begin(), list->shards.end(), [&](const Shard& shard) { return shard.id == id; });
  };
  bool all_ended = true;
  for (const Shard& shard : list->shards) {
    if (shared_.checkpoint.ended(shard.id)) continue;
    all_ended = false;
    if (workers_.contains(shard.id)) continue;
    // A shard goes on where its parent ended: the order of an item's records spans both.
    const bool parent_left = !shard.parent.empty() && listed(shard.parent) && !shared_.checkpoint.ended(shard.parent);
    if (!parent_left && !start_shard(stream, shard.id)) return true;
  }
  if (!announced_) {
    announced_ = true;
    fmt::print("stator trigger follows {} (stream {}, {} shards)\n", shared_.options.table, stream.label,
               list->shards.size());
    std::fflush(stdout);
  }
  return list->enabled || !all_ended || !workers_.empty();
}

bool Follower::start_shard(const StreamName& stream, const std::string& shard) {
  Result<std::unique_ptr<StreamSource>> source = StreamSource::create(source_->options());
  if (!source) {
    shared_.progress.trouble(source.error().message);
    return false;
  }
  std::optional<std::string> iterator;
  if (const auto found = latest_.find(shard); found != latest_.end()) {
    iterator = std::move(found->second);
    latest_.erase(found);
  }
  workers_[shard] = std::make_unique<ShardWorker>(shared_, std::move(*source), stream.arn, shard, std::move(iterator));
  return true;
}

}  // namespace stator::trigger
