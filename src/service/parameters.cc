#include "service/parameters.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "service/error.h"

namespace stator::service {
namespace {

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<double> as_real(const Value& value) {
  if (const double* real = value.get<double>()) return *real;
  if (const std::int64_t* integer = value.get<std::int64_t>()) return static_cast<double>(*integer);
  if (const std::string* text = value.get<std::string>()) return parse_number<double>(*text);
  return std::nullopt;
}

std::optional<std::int64_t> as_integer(const Value& value) {
  if (const std::int64_t* integer = value.get<std::int64_t>()) return *integer;
  if (const std::string* text = value.get<std::string>()) return parse_number<std::int64_t>(*text);
  const double* real = value.get<double>();
  constexpr double kExactMax = 9.0e15;
  if (real != nullptr && std::floor(*real) == *real && std::abs(*real) < kExactMax) return static_cast<std::int64_t>(*real);
  return std::nullopt;
}

std::optional<std::int64_t> as_time(const Value& value) {
  if (const Time* time = value.get<Time>()) return time->ms;
  if (const std::string* text = value.get<std::string>()) return parse_iso_time(*text);
  const std::optional<double> seconds = as_real(value);
  constexpr double kSecondsMax = 1e12;
  if (!seconds || !(std::abs(*seconds) < kSecondsMax)) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(*seconds * 1000));
}

// The Query protocol writes an empty list as a name without a value.
bool is_empty_list(const Value& value) {
  const std::string* text = value.get<std::string>();
  return text != nullptr && text->empty();
}

}  // namespace

void Parameters::mismatch(std::string_view name, std::string_view wanted) const {
  if (*error_) return;
  *error_ = refuse("MalformedInput", "SerializationException", fmt::format("{} is not a {}", name, wanted)).value();
}

std::optional<std::string> Parameters::string(std::string_view name) const {
  const Value* value = value_->find(name);
  if (value == nullptr) return std::nullopt;
  if (const std::string* text = value->get<std::string>()) return *text;
  mismatch(name, "string");
  return std::nullopt;
}

std::optional<std::int64_t> Parameters::integer(std::string_view name) const {
  const Value* value = value_->find(name);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::int64_t> integer = as_integer(*value);
  if (!integer) mismatch(name, "whole number");
  return integer;
}

std::optional<double> Parameters::real(std::string_view name) const {
  const Value* value = value_->find(name);
  if (value == nullptr) return std::nullopt;
  const std::optional<double> real = as_real(*value);
  if (!real) mismatch(name, "number");
  return real;
}

std::optional<bool> Parameters::boolean(std::string_view name) const {
  const Value* value = value_->find(name);
  if (value == nullptr) return std::nullopt;
  if (const bool* truth = value->get<bool>()) return *truth;
  const std::string* text = value->get<std::string>();
  if (text != nullptr && *text == "true") return true;
  if (text != nullptr && *text == "false") return false;
  mismatch(name, "boolean");
  return std::nullopt;
}

std::optional<std::int64_t> Parameters::time_ms(std::string_view name) const {
  const Value* value = value_->find(name);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::int64_t> time = as_time(*value);
  if (!time) mismatch(name, "time");
  return time;
}

std::vector<std::string> Parameters::strings(std::string_view name) const {
  std::vector<std::string> texts;
  const Value* value = value_->find(name);
  if (value == nullptr || is_empty_list(*value)) return texts;
  if (value->elements() == nullptr) mismatch(name, "list");
  else {
    for (const Value& element : *value->elements()) {
      const std::string* text = element.get<std::string>();
      if (text == nullptr) mismatch(name, "list of strings");
      else texts.push_back(*text);
    }
  }
  return texts;
}

std::vector<Parameters> Parameters::structures(std::string_view name) const {
  std::vector<Parameters> found;
  const Value* value = value_->find(name);
  if (value == nullptr || is_empty_list(*value)) return found;
  if (value->elements() == nullptr) mismatch(name, "list");
  else {
    for (const Value& element : *value->elements()) {
      if (element.members() == nullptr) mismatch(name, "list of structures");
      else found.emplace_back(element, *error_);
    }
  }
  return found;
}

std::optional<Parameters> Parameters::structure(std::string_view name) const {
  const Value* value = value_->find(name);
  if (value == nullptr) return std::nullopt;
  if (value->members() == nullptr) {
    mismatch(name, "structure");
    return std::nullopt;
  }
  return Parameters(*value, *error_);
}

std::optional<std::int64_t> parse_iso_time(std::string_view text) {
  const std::string copy(text);
  std::tm parts{};
  int used = 0;
  if (std::sscanf(copy.c_str(), "%4d-%2d-%2d%n", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &used) != 3) {
    return std::nullopt;
  }
  std::string_view rest = text.substr(static_cast<std::size_t>(used));
  double seconds = 0;
  if (!rest.empty()) {
    const std::string time(rest.substr(1));
    if (rest.front() != 'T' && rest.front() != ' ') return std::nullopt;
    if (std::sscanf(time.c_str(), "%2d:%2d%n", &parts.tm_hour, &parts.tm_min, &used) != 2) return std::nullopt;
    rest = rest.substr(1 + static_cast<std::size_t>(used));
    if (rest.starts_with(':')) {
      const auto [end, error] =
          std::from_chars(rest.data() + 1, rest.data() + rest.size(), seconds, std::chars_format::fixed);
      if (error != std::errc() || !(seconds >= 0 && seconds < 61)) return std::nullopt;
      rest = rest.substr(static_cast<std::size_t>(end - rest.data()));
    }
  }
  std::int64_t offset_s = 0;
  if (rest.starts_with('+') || rest.starts_with('-')) {
    const std::string zone(rest.substr(1));
    int hours = 0;
    int minutes = 0;
    if (std::sscanf(zone.c_str(), "%2d:%2d", &hours, &minutes) < 1) return std::nullopt;
    offset_s = (rest.front() == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  } else if (!rest.empty() && rest != "Z") {
    return std::nullopt;
  }
  if (parts.tm_mon < 1 || parts.tm_mon > 12 || parts.tm_mday < 1 || parts.tm_mday > 31 || parts.tm_hour > 24 ||
      parts.tm_min > 59) {
    return std::nullopt;
  }
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  return (static_cast<std::int64_t>(timegm(&parts)) - offset_s) * 1000 + std::llround(seconds * 1000);
}

std::string format_iso_time(std::int64_t ms) {
  const std::time_t seconds = ms >= 0 ? ms / 1000 : (ms - 999) / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                                 parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
  if (const std::int64_t fraction = ms - seconds * 1000; fraction != 0) text += fmt::format(".{:03}", fraction);
  return text + "Z";
}

}  // namespace stator::service
