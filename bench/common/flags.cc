#include "bench/common/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace stator::bench {

Flags::Flags(int argc, const char* const* argv, std::initializer_list<std::string_view> known) {
  for (int i = 1; i < argc; i += 2) {
    std::string_view name = argv[i];
    if (!name.starts_with("--")) {
      throw UsageError(fmt::format("expected a flag such as --port, got '{}'", name));
    }
    name.remove_prefix(2);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw UsageError(fmt::format("unknown flag --{}", name));
    }
    if (i + 1 >= argc) {
      throw UsageError(fmt::format("flag --{} needs a value", name));
    }
    values_.insert_or_assign(std::string(name), argv[i + 1]);
  }
}

const std::string* Flags::Find(std::string_view name) const {
  const auto it = values_.find(name);
  return it == values_.end() ? nullptr : &it->second;
}

std::string Flags::Text(std::string_view name, std::string_view fallback) const {
  const std::string* value = Find(name);
  return value ? *value : std::string(fallback);
}

std::uint64_t Flags::Integer(std::string_view name, std::uint64_t fallback, std::uint64_t low,
                             std::uint64_t high) const {
  const std::string* text = Find(name);
  if (!text) {
    return fallback;
  }
  std::uint64_t value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc() || stop != end || value < low || value > high) {
    throw UsageError(
        fmt::format("--{} must be a whole number from {} to {}, got '{}'", name, low, high, *text));
  }
  return value;
}

double Flags::Seconds(std::string_view name, double fallback) const {
  const std::string* text = Find(name);
  if (!text) {
    return fallback;
  }
  char* stop = nullptr;
  const double value = std::strtod(text->c_str(), &stop);
  if (text->empty() || *stop != '\0' || !(value >= 0 && value <= 86400)) {
    throw UsageError(fmt::format("--{} must be seconds from 0 to 86400, got '{}'", name, *text));
  }
  return value;
}

}  // namespace stator::bench
