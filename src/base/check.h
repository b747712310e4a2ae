#pragma once

#include <cstdio>
#include <cstdlib>

// CHECK guards against our own mistakes and stays on in release builds. Nothing that a client sends or
// a disk returns may trip it: those are `Error` values.
#define CHECK(condition)                                                                       \
  do {                                                                                         \
    if (!(condition)) [[unlikely]]                                                             \
      ::stator::base::check_failed(#condition, __FILE__, __LINE__);                            \
  } while (false)

#ifdef NDEBUG
#define DCHECK(condition) static_cast<void>(sizeof(condition))
#else
#define DCHECK(condition) CHECK(condition)
#endif

namespace stator::base {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "stator: internal error: CHECK(%s) failed at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace stator::base
