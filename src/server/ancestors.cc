#include "server/ancestors.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace stator::server {
namespace {

// 0 when the process is gone. The line is "PID (NAME) STATE PARENT ...", and a name may have any character in it.
pid_t parent_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end = text.rfind(") ");
  return end == std::string::npos ? 0 : std::atoi(text.c_str() + end + 4);
}

}  // namespace

bool have_ancestors(const std::vector<pid_t>& ancestors) {
  pid_t parent = getppid();
  for (std::size_t i = 0; i < ancestors.size(); ++i) {
    if (i > 0) parent = parent_of(parent);
    if (parent != ancestors[i]) return false;
  }
  return true;
}

}  // namespace stator::server
