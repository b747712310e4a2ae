#include "api/violations.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cut.h"

namespace stator::api {
namespace {

constexpr std::size_t kValueBytesMax = 16 * 1024;
constexpr std::size_t kPathBytesMax = 1024;
constexpr std::string_view kNamePattern = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

std::string quoted(std::string_view text) { return fmt::format("'{}'", cut(text, kValueBytesMax)); }

}  // namespace

bool has_name_characters(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

void Violations::add(std::string_view quoted_value, std::string_view path, std::string_view constraint) {
  ++count_;
  if (is_full()) return;
  constexpr std::size_t kQuotedBytesMax = kValueBytesMax + 8;
  const std::string_view end = quoted_value.empty() ? "" : quoted_value.size() > kQuotedBytesMax ? "' " : " ";
  messages_.push_back(fmt::format("Value {}{}at '{}' failed to satisfy constraint: {}",
                                  cut(quoted_value, kQuotedBytesMax), end, cut(path, kPathBytesMax), constraint));
}

void Violations::add_text(std::string_view text) {
  ++count_;
  if (!is_full()) messages_.emplace_back(text);
}

void Violations::required(std::string_view path, bool present) {
  if (!present) add("null", path, "Member must not be null");
}

void Violations::one_of(std::string_view path, const std::optional<std::string_view>& value,
                        std::initializer_list<std::string_view> allowed) {
  if (!value || std::find(allowed.begin(), allowed.end(), *value) != allowed.end()) return;
  add(quoted(*value), path,
      fmt::format("Member must satisfy enum value set: [{}]", fmt::join(allowed, ", ")));
}

void Violations::range(std::string_view path, const std::optional<std::int64_t>& value, std::int64_t low,
                       std::int64_t high) {
  if (!value) return;
  if (*value < low) {
    add(fmt::format("'{}'", *value), path,
        fmt::format("Member must have value greater than or equal to {}", low));
  } else if (*value > high) {
    add(fmt::format("'{}'", *value), path,
        fmt::format("Member must have value less than or equal to {}", high));
  }
}

void Violations::length(std::string_view path, const std::optional<std::string_view>& value, std::size_t low,
                        std::size_t high) {
  if (value) count(path, *value, value->size(), low, high);
}

void Violations::count(std::string_view path, std::string_view shown, std::size_t size, std::size_t low,
                       std::size_t high) {
  if (size < low) {
    add(quoted(shown), path, fmt::format("Member must have length greater than or equal to {}", low));
  } else if (size > high) {
    add(quoted(shown), path, fmt::format("Member must have length less than or equal to {}", high));
  }
}

void Violations::name(std::string_view path, const std::optional<std::string_view>& value) {
  if (!value) return;
  if (!has_name_characters(*value) || value->empty()) add(quoted(*value), path, kNamePattern);
  length(path, value, 3, 255);
}

void Violations::table_name(const std::optional<std::string_view>& value) {
  required("tableName", value.has_value());
  if (value && value->empty()) length("tableName", value, 1, 255);
}

void Violations::nested_table_name(const std::string& path, const std::optional<std::string_view>& value) {
  required(path, value.has_value());
  if (!value || value->starts_with("arn:")) return;
  if (value->empty()) {
    length(path, value, 1, 255);
  } else {
    name(path, value);
  }
}

void Violations::return_consumed_capacity(const std::optional<std::string_view>& value) {
  one_of("returnConsumedCapacity", value, {"INDEXES", "TOTAL", "NONE"});
}
void Violations::return_item_collection_metrics(const std::optional<std::string_view>& value) {
  one_of("returnItemCollectionMetrics", value, {"SIZE", "NONE"});
}
void Violations::return_values(const std::optional<std::string_view>& value) {
  one_of("returnValues", value, {"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"});
}
void Violations::return_values_on_failure(const std::optional<std::string_view>& value) {
  one_of("returnValuesOnConditionCheckFailure", value, {"ALL_OLD", "NONE"});
}

Result<void> Violations::result() const {
  if (empty()) return {};
  return invalid(fmt::format("{} validation error{} detected: {}", count_, count_ == 1 ? "" : "s",
                             fmt::join(messages_, "; ")));
}

Result<void> check_required_table_name(const std::optional<std::string_view>& name) {
  if (!name) return invalid("The parameter 'TableName' is required but was not present in the request");
  Violations violations;
  if (!name->starts_with("arn:")) violations.name("tableName", name);
  return violations.result();
}

}  // namespace stator::api
