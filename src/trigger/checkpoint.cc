#include "trigger/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/replace_file.h"
#include "trigger/event.h"

namespace stator::trigger {
namespace {

Json to_json(const Position& position) {
  switch (position.kind) {
    case Position::Kind::after:
      return {{"after", position.sequence_number}};
    case Position::Kind::latest:
      return {{"since_ms", position.since_ms}};
    case Position::Kind::ended:
      return {{"ended", true}};
    case Position::Kind::beginning:
      break;
  }
  return Json::object();
}

std::optional<Position> from_json(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  if (json.contains("ended")) return Position{.kind = Position::Kind::ended};
  if (json.contains("after")) {
    if (!json["after"].is_string()) return std::nullopt;
    return Position{.kind = Position::Kind::after, .sequence_number = json["after"].get<std::string>()};
  }
  if (json.contains("since_ms")) {
    if (!json["since_ms"].is_number_integer()) return std::nullopt;
    return Position{.kind = Position::Kind::latest, .since_ms = json["since_ms"].get<std::int64_t>()};
  }
  return Position{};
}

tl::unexpected<Error> system_error(std::string_view what, const std::string& path) {
  return fail(ErrorCode::out_of_space, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

}  // namespace

Result<std::unique_ptr<Checkpoint>> Checkpoint::open(std::string path, std::string table) {
  std::unique_ptr<Checkpoint> checkpoint(new Checkpoint(std::move(path), std::move(table)));
  const std::string lock = checkpoint->path_ + ".lock";
  checkpoint->lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (checkpoint->lock_ < 0) return system_error("write", lock);
  if (::flock(checkpoint->lock_, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::table_in_use,
                fmt::format("another trigger keeps its position in {}; give this one a file of its "
                            "own with --checkpoint",
                            checkpoint->path_));
  }
  TRY_VOID(checkpoint->load());
  return checkpoint;
}

Checkpoint::~Checkpoint() {
  if (lock_ >= 0) ::close(lock_);
}

Result<void> Checkpoint::load() {
  std::ifstream file(path_, std::ios::binary);
  if (!file) {
    if (std::filesystem::exists(path_)) return fail(ErrorCode::unavailable, fmt::format("cannot read {}", path_));
    return {};
  }
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const Json document = Json::parse(content, nullptr, false);
  const auto not_ours = [&] {
    return fail(
        ErrorCode::corruption,
        fmt::format("{} does not hold the position of a trigger; name another file with --checkpoint, or delete it to "
                    "begin anew",
                    path_));
  };
  if (!document.is_object() || document.value("format", Json()) != 1 || !document.contains("shards") ||
      !document["shards"].is_object() || !document.value("table", Json()).is_string() ||
      !document.value("stream", Json()).is_string()) {
    return not_ours();
  }
  if (document["table"] != table_) {
    return invalid(fmt::format("{} holds the position of a trigger of table {}; name another file with --checkpoint",
                               path_, document["table"].get<std::string>()));
  }
  stream_ = document["stream"].get<std::string>();
  for (const auto& [shard, value] : document["shards"].items()) {
    const std::optional<Position> position = from_json(value);
    if (!position) return not_ours();
    shards_[shard] = *position;
  }
  return {};
}

std::string Checkpoint::stream() const {
  const std::lock_guard lock(mutex_);
  return stream_;
}

Position Checkpoint::position(const std::string& shard) const {
  const std::lock_guard lock(mutex_);
  const auto found = shards_.find(shard);
  return found == shards_.end() ? Position{} : found->second;
}

bool Checkpoint::ended(const std::string& shard) const { return position(shard).kind == Position::Kind::ended; }

void Checkpoint::begin_stream(const std::string& label) {
  const std::lock_guard lock(mutex_);
  stream_ = label;
  shards_.clear();
  ++changes_;
}

void Checkpoint::set(const std::string& shard, Position position) {
  const std::lock_guard lock(mutex_);
  shards_[shard] = std::move(position);
  ++changes_;
}

void Checkpoint::keep_only(const std::vector<std::string>& shards) {
  const std::lock_guard lock(mutex_);
  const std::size_t erased = std::erase_if(
      shards_, [&](const auto& entry) { return std::find(shards.begin(), shards.end(), entry.first) == shards.end(); });
  if (erased > 0) ++changes_;
}

std::string Checkpoint::text() const {
  Json shards = Json::object();
  for (const auto& [shard, position] : shards_) shards[shard] = to_json(position);
  return Json{{"format", 1}, {"table", table_}, {"stream", stream_}, {"shards", shards}}.dump(1) + "\n";
}

Result<void> Checkpoint::save() {
  // Threads that wait here while another one writes find their change written by it, or by the next.
  const std::lock_guard file_lock(file_);
  std::string content;
  std::uint64_t changes = 0;
  {
    const std::lock_guard lock(mutex_);
    if (changes_ == saved_) return {};
    content = text();
    changes = changes_;
  }
  TRY_VOID(base::replace_file(path_, content));
  saved_ = changes;
  return {};
}

}  // namespace stator::trigger
