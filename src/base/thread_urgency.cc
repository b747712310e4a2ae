#include "base/thread_urgency.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace stator::base {
namespace {

constexpr std::uint64_t kShortTurnNs = 100'000;  // the shortest that Linux grants
constexpr std::uint32_t kOtherPolicy = 0;        // SCHED_OTHER: neither of real time nor idle

// What sched_setattr() takes. The C library of Debian 12 has no wrapper for it.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t niceness = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime_ns = 0;  // the length of a turn; 0 for the system's own
  std::uint64_t deadline_ns = 0;
  std::uint64_t period_ns = 0;
};

}  // namespace

void let_nobody_wait() noexcept {
  SchedulingAttributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) != 0) return;
  if (attributes.policy != kOtherPolicy) return;  // whoever chose another one had a reason
  attributes.runtime_ns = kShortTurnNs;
  static_cast<void>(syscall(SYS_sched_setattr, 0, &attributes, 0));
}

void give_way_to_requests(int niceness) noexcept {
  // On Linux a thread has a niceness of its own.
  static_cast<void>(setpriority(PRIO_PROCESS, 0, niceness));
}

}  // namespace stator::base
