#include "base/replace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace stator::base {
namespace {

tl::unexpected<Error> system_error(std::string_view what, const std::string& path) {
  return fail(ErrorCode::out_of_space, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

Result<void> write_flushed(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return system_error("write", path);
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t count = ::write(file, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  if (!left.empty() || ::fsync(file) != 0) {
    auto error = system_error("write", path);
    ::close(file);
    return error;
  }
  ::close(file);
  return {};
}

}  // namespace

Result<void> replace_file(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  TRY_VOID(write_flushed(beside, text));
  if (::rename(beside.c_str(), path.c_str()) != 0) return system_error("replace", path);
  const std::string parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? std::string(".") : parent;
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return system_error("open", folder);
  const int flushed = ::fsync(directory);
  ::close(directory);
  if (flushed != 0) return system_error("flush", folder);
  return {};
}

}  // namespace stator::base
