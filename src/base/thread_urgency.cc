#include "base/thread_urgency.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace stator::base {
namespace {

constexpr std::uint64_t kShortestTurnNs = 100'000;  // that Linux grants
// Of work that can wait: longer, because only a thread with shorter turns than its own may interrupt it at any moment.
constexpr std::uint64_t kShortTurnNs = 2 * kShortestTurnNs;
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

void ask_for_turns(std::uint64_t length_ns) noexcept {
  SchedulingAttributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) != 0) return;
  if (attributes.policy != kOtherPolicy) return;  // whoever chose another one had a reason
  attributes.runtime_ns = length_ns;
  static_cast<void>(syscall(SYS_sched_setattr, 0, &attributes, 0));
}

}  // namespace

void let_nobody_wait() noexcept { ask_for_turns(kShortestTurnNs); }

void give_way_to_requests(int niceness) noexcept {
  // On Linux a thread has a niceness of its own.
  static_cast<void>(setpriority(PRIO_PROCESS, 0, niceness));
  ask_for_turns(kShortTurnNs);
}

bool Turns::may_end() noexcept {
  const auto now = std::chrono::steady_clock::now();
  if (now - began_ < std::chrono::nanoseconds(kShortestTurnNs)) return false;
  static_cast<void>(sched_yield());
  began_ = std::chrono::steady_clock::now();
  return true;
}

}  // namespace stator::base
