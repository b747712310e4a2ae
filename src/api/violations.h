#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/expression.h"

namespace stator::api {

// Violations of the constraints that the service's model puts on members: reported together, as one ValidationException:
//   2 validation errors detected: Value '0' at 'limit' failed to satisfy constraint: ...; Value ...
// Paths are the member names with a small first letter. A value or path is shown up to a length that no proper one has: a
// refusal is not larger than its request.
class Violations {
 public:
  // Some constraints are reported without the value: `quoted_value` is then empty.
  void add(std::string_view quoted_value, std::string_view path, std::string_view constraint);

  // A text that says nothing of value and path.
  void add_text(std::string_view text);

  void required(std::string_view path, bool present);
  // The same where the path is worth making only if it is shown: it may be long, and there may be many.
  template <std::invocable MakePath>
  void required(const MakePath& make_path, bool present) {
    if (!present) required(is_full() ? std::string() : make_path(), false);
  }
  void one_of(std::string_view path, const std::optional<std::string_view>& value,
              std::initializer_list<std::string_view> allowed);
  void range(std::string_view path, const std::optional<std::int64_t>& value, std::int64_t low,
             std::int64_t high = INT64_MAX);
  void length(std::string_view path, const std::optional<std::string_view>& value, std::size_t low,
              std::size_t high);
  // Lengths of a list, shown as `shown`.
  void count(std::string_view path, std::string_view shown, std::size_t size, std::size_t low, std::size_t high);
  // 3 to 255 characters of a-zA-Z0-9_.-
  void name(std::string_view path, const std::optional<std::string_view>& value);
  // TableName of the item operations. That it is there is a constraint like others; what it looks like is checked
  // after them, by table_name_of(), because it may be an ARN.
  void table_name(const std::optional<std::string_view>& value);

  // The same in another place than the top of a request, where to the current layer its form is a constraint like others.
  void nested_table_name(const std::string& path, const std::optional<std::string_view>& value, expr::Layer layer);

  // Enums that many operations have.
  void return_consumed_capacity(const std::optional<std::string_view>& value);
  void return_item_collection_metrics(const std::optional<std::string_view>& value);
  void return_values(const std::optional<std::string_view>& value);
  void return_values_on_failure(const std::optional<std::string_view>& value);

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] Result<void> result() const;

 private:
  static constexpr std::size_t kShownMax = 10;
  // Further ones are counted only.
  [[nodiscard]] bool is_full() const { return messages_.size() == kShownMax; }

  std::vector<std::string> messages_;
  std::size_t count_ = 0;
};

[[nodiscard]] bool has_name_characters(std::string_view name);

// TableName of the table operations: its absence has a text of its own, and a bad one is reported alone.
[[nodiscard]] Result<void> check_required_table_name(const std::optional<std::string_view>& name);

}  // namespace stator::api
