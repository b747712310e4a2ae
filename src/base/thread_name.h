#pragma once

#include <pthread.h>

namespace stator::base {

// What tools that show threads (top -H, perf, gdb) call the calling one. At most 15 characters; threads that it starts have it
// until they say otherwise.
inline void name_thread(const char* name) noexcept { pthread_setname_np(pthread_self(), name); }

}  // namespace stator::base
