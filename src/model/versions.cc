#include "stator/model/versions.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

namespace stator::model {

DatabaseError version_conflict(DatabaseError refused, std::string_view type,
                               std::int64_t expected) {
  refused.kind = ErrorKind::version_conflict;
  refused.name = "VersionConflict";
  refused.message = "somebody else has written the " + std::string(type) + " meanwhile";
  if (expected >= 0)
    refused.message += " (it was read with version " + std::to_string(expected) + ")";
  refused.message += ": read it again";
  return refused;
}

void wait_before_attempt(int number) {
  constexpr int kFirstMs = 2;
  constexpr int kLongestMs = 200;
  thread_local std::minstd_rand random{std::random_device()()};
  const int longest = std::min(kLongestMs, kFirstMs << std::clamp(number - 1, 0, 10));
  std::this_thread::sleep_for(
      std::chrono::milliseconds(std::uniform_int_distribution<int>(0, longest)(random)));
}

}  // namespace stator::model
