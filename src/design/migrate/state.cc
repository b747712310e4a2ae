#include "design/migrate/state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/replace_file.h"

namespace stator::design {

using client::Json;

Result<Json> peek_state(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (std::filesystem::exists(path)) return fail(ErrorCode::unavailable, fmt::format("cannot read {}", path));
    return Json::object();
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Json document = Json::parse(text, nullptr, false);
  if (!document.is_object()) {
    return fail(ErrorCode::corruption,
                fmt::format("{} does not hold the state of a migration; name another folder with --state", path));
  }
  return document;
}

Result<std::unique_ptr<StateFile>> StateFile::open(const std::string& path) {
  std::error_code error;
  const std::string folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  std::unique_ptr<StateFile> state(new StateFile(path));
  const std::string lock = path + ".lock";
  state->lock_ = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (state->lock_ < 0)
    return fail(ErrorCode::unavailable, fmt::format("cannot write {}: {}", lock, std::strerror(errno)));
  if (::flock(state->lock_, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::table_in_use,
                fmt::format("another process is at this step of the migration ({}); one at a time", path));
  }
  TRY(state->document_, peek_state(path));
  return state;
}

StateFile::~StateFile() {
  if (lock_ >= 0) ::close(lock_);
}

Json StateFile::read() const {
  const std::lock_guard lock(mutex_);
  return document_;
}

Result<void> StateFile::save() const { return base::replace_file(path_, document_.dump() + "\n"); }

}  // namespace stator::design
