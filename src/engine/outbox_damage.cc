#include "engine/outbox_damage.h"

#include <fmt/format.h>

#include <cstdio>

namespace stator::engine {
namespace {

// More keys than these are counted, each time that they are met, and not logged.
constexpr std::size_t kKeysMax = 1'000;

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

}  // namespace

void OutboxDamage::note(std::string_view table_name, std::string_view key, std::string_view what) {
  {
    const std::lock_guard lock(mutex_);
    if (keys_.contains(key)) return;
    ++count_;
    if (keys_.size() == kKeysMax) return;
    keys_.emplace(key);
  }
  const std::string line =
      fmt::format("stator: damaged: table '{}', row {}: {}\n", table_name, hexadecimal(key), what);
  std::fputs(line.c_str(), stderr);
}

std::uint64_t OutboxDamage::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

}  // namespace stator::engine
