// Command-line flags of the form `--name value`.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace stator::bench {

// The command line cannot be understood; what() says why.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Flags given on a command line. Every flag takes exactly one value; an unknown flag, a missing
// value or a value out of range throws UsageError.
class Flags {
 public:
  Flags(int argc, const char* const* argv, std::initializer_list<std::string_view> known);

  std::string Text(std::string_view name, std::string_view fallback) const;
  std::uint64_t Integer(std::string_view name, std::uint64_t fallback, std::uint64_t low,
                        std::uint64_t high) const;
  double Seconds(std::string_view name, double fallback) const;

 private:
  const std::string* Find(std::string_view name) const;

  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace stator::bench
