#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "api/parameters.h"
#include "api/violations.h"
#include "engine/read_page.h"

namespace stator::api {

// The members that Query and Scan have in common, as they were sent.
struct PageInput {
  std::optional<std::string_view> table_name;
  std::optional<std::string_view> index_name;
  std::optional<std::string_view> filter;
  std::optional<std::string_view> projection;
  std::optional<std::string_view> select;
  std::optional<std::string_view> capacity;
  std::optional<std::string_view> conditional_operator;
  std::optional<std::vector<std::string_view>> attributes_to_get;
  std::optional<std::int64_t> limit;
  std::optional<ReadAttributes> start_key;
  std::optional<bool> consistent;
  ExpressionInput expressions;
};

[[nodiscard]] PageInput read_page_input(const Reader& in);

// Constraints of the model.
void check_page_constraints(const PageInput& input, Violations& violations);

// ExclusiveStartKey's values.
[[nodiscard]] Result<void> check_start_key_values(const PageInput& input);

// Select against the projection parameters; needs no table.
[[nodiscard]] Result<void> check_select_parameters(const PageInput& input);

// What the engine takes, once all checks have passed.
[[nodiscard]] engine::PageRequest page_request(std::string_view table_name, const PageInput& input);

}  // namespace stator::api
