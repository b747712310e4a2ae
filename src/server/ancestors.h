#pragma once

#include <sys/types.h>

#include <vector>

namespace stator::server {

// Whether these are still the processes above this one, from its parent upwards. Asking is exact where PR_SET_PDEATHSIG is
// not: that signal comes when the thread ends that started this process, and from the parent only.
[[nodiscard]] bool have_ancestors(const std::vector<pid_t>& ancestors);

}  // namespace stator::server
