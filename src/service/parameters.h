#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/value.h"

namespace stator::service {

// The members of a request's structure by name and type. The Query protocol carries everything as text, so a text that
// reads as a number, a truth value or a time is one. What does not fit is remembered: the first such member ends the request as
// a SerializationException, and reading goes on meanwhile with absent values.
class Parameters {
 public:
  Parameters(const Value& structure, std::optional<Error>& error) : value_(&structure), error_(&error) {}

  [[nodiscard]] bool has(std::string_view name) const { return value_->find(name) != nullptr; }
  [[nodiscard]] std::optional<std::string> string(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const;
  [[nodiscard]] std::optional<double> real(std::string_view name) const;
  [[nodiscard]] std::optional<bool> boolean(std::string_view name) const;
  [[nodiscard]] std::optional<std::int64_t> time_ms(std::string_view name) const;
  // Empty where absent.
  [[nodiscard]] std::vector<std::string> strings(std::string_view name) const;
  [[nodiscard]] std::vector<Parameters> structures(std::string_view name) const;
  [[nodiscard]] std::optional<Parameters> structure(std::string_view name) const;
  [[nodiscard]] const Value& value() const { return *value_; }
  // What did not fit so far. Asked before something is changed.
  [[nodiscard]] Result<void> check() const {
    if (*error_) return tl::unexpected(**error_);
    return {};
  }

 private:
  void mismatch(std::string_view name, std::string_view wanted) const;
  const Value* value_;
  std::optional<Error>* error_;
};

// 2026-06-01T12:00:00Z, with a fraction or an offset where there is one. Nothing where it is no time.
[[nodiscard]] std::optional<std::int64_t> parse_iso_time(std::string_view text);
[[nodiscard]] std::string format_iso_time(std::int64_t ms);

}  // namespace stator::service
