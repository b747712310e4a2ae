#include "store/rocksdb/log_check.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>

#include "store/rocksdb/directory.h"
#include "store/rocksdb/ends_file.h"
#include "store/rocksdb/log_end.h"
#include "store/rocksdb/state_file.h"

namespace stator::store {
namespace {

namespace fs = std::filesystem;

using EndsByLog = std::map<std::string, std::optional<AcknowledgedEnd>>;  // by the name of the file

// What must be there. A record from before the manifest that is in use is of a log that was read since.
bool holds(const AcknowledgedEnd& end, std::uint64_t manifest, std::uint64_t boot) {
  return end.bytes != 0 && end.manifest == manifest && (end.boot == 0 || end.boot == boot);
}

std::string commits_of(std::uint64_t number, std::uint64_t all) {
  return number == all ? fmt::format("{} commit{}", all, all == 1 ? "" : "s") : fmt::format("at least {} of {} commits", number, all);
}

std::string describe_loss(const AcknowledgedEnd& end, const LogEnd& found) {
  const std::uint64_t groups = end.groups > found.groups ? end.groups - found.groups : 1;
  return fmt::format("{} and {} bytes, acknowledged up to {:%Y-%m-%dT%H:%M:%SZ}, are missing",
                     commits_of(found.groups == 0 ? end.commits : std::min(groups, end.commits), end.commits), end.bytes - found.bytes,
                     fmt::gmtime(static_cast<std::time_t>(end.time_ms / 1000)));
}

// Empty if nothing is wrong with the log.
std::string examine(const fs::path& path, const std::optional<AcknowledgedEnd>& end) {
  const std::string name = path.filename();
  std::error_code error;
  if (!fs::exists(path, error) && !error) return fmt::format("{} is gone: {}", name, describe_loss(*end, {}));
  const Result<LogEnd> found = measure_log(path);
  if (!found) return fmt::format("{} cannot be read", name);
  if (end && found->bytes < end->bytes) {
    return fmt::format("{} is cut or damaged at byte {}: {}", name, found->bytes, describe_loss(*end, *found));
  }
  return found->damaged ? fmt::format("{} is damaged at byte {}: whole records follow", name, found->bytes) : std::string();
}

}  // namespace

std::string find_lost_commits(const std::string& directory) {
  EndsByLog logs;
  std::string lost;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".log") logs[at->path().filename()] = std::nullopt;
  }
  const std::uint64_t manifest = file_number(current_manifest(directory));
  const Result<std::vector<AcknowledgedEnd>> ends = read_ends(directory);
  if (!ends) lost = fmt::format("{} cannot be read, so it is not known whether commits are missing", kEndsFile);
  for (const AcknowledgedEnd& end : ends.value_or(std::vector<AcknowledgedEnd>())) {
    if (holds(end, manifest, boot_number())) logs[fs::path(log_path(directory, end.log)).filename()] = end;
  }
  for (const auto& [name, end] : logs) {
    const std::string loss = examine(fs::path(directory) / name, end);
    if (!loss.empty()) lost += (lost.empty() ? "" : "; ") + loss;
  }
  return lost;
}

}  // namespace stator::store
