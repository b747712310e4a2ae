#include "api/page_input.h"

#include <fmt/format.h>

namespace stator::api {

PageInput read_page_input(const Reader& in) {
  PageInput input;
  input.table_name = in.string("TableName");
  input.index_name = in.string("IndexName");
  input.filter = in.string("FilterExpression");
  input.projection = in.string("ProjectionExpression");
  input.select = in.string("Select");
  input.capacity = in.string("ReturnConsumedCapacity");
  input.conditional_operator = in.string("ConditionalOperator");
  input.attributes_to_get = in.attributes_to_get();
  input.limit = in.integer("Limit");
  input.start_key = in.attributes("ExclusiveStartKey");
  input.consistent = in.boolean("ConsistentRead");
  input.expressions = read_expression_input(in, Nesting::limited);
  return input;
}

void check_page_constraints(const PageInput& input, Violations& violations) {
  violations.one_of("select", input.select,
                    {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"});
  violations.table_name(input.table_name);
  violations.return_consumed_capacity(input.capacity);
  violations.one_of("conditionalOperator", input.conditional_operator, {"OR", "AND"});
  violations.name("indexName", input.index_name);
  if (input.attributes_to_get) {
    violations.count("attributesToGet", "[]", input.attributes_to_get->size(), 1, 1'000'000);
  }
}

Result<void> check_start_key_values(const PageInput& input) {
  if (!input.start_key || !input.start_key->invalid) return {};
  const std::string& message = *input.start_key->invalid;
  // The contents of values are checked in a place that does not know where they stand.
  if (input.start_key->invalid_kind == InvalidKind::content) return invalid(message);
  return invalid(fmt::format("The provided starting key is invalid: {}", message));
}

Result<void> check_select_parameters(const PageInput& input) {
  const std::string_view select = input.select.value_or("");
  const bool has_projection = input.projection || input.attributes_to_get;
  const std::string_view projection = input.projection ? "ProjectionExpression" : "AttributesToGet";
  if (has_projection && !select.empty() && select != "SPECIFIC_ATTRIBUTES") {
    return invalid(fmt::format("Cannot specify the {} when choosing to get {}", projection,
                               select == "COUNT" ? "only the Count" : select));
  }
  if (select == "ALL_PROJECTED_ATTRIBUTES" && !input.index_name) {
    return invalid("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  }
  if (!has_projection && select == "SPECIFIC_ATTRIBUTES") {
    return invalid("Must specify the AttributesToGet or ProjectionExpression when choosing to get "
                   "SPECIFIC_ATTRIBUTES");
  }
  return {};
}

engine::PageRequest page_request(std::string_view table_name, const PageInput& input) {
  engine::PageRequest request;
  request.table_name = table_name;
  request.parameters = expression_parameters(input.expressions);
  request.index_name = input.index_name;
  request.filter = input.filter;
  request.projection = input.projection;
  request.limit = input.limit;
  request.consistent = input.consistent.value_or(false);
  if (input.start_key) request.start_key = input.start_key->attributes;
  if (input.select == "ALL_ATTRIBUTES") request.select = engine::Select::all_attributes;
  if (input.select == "ALL_PROJECTED_ATTRIBUTES") request.select = engine::Select::all_projected;
  if (input.select == "SPECIFIC_ATTRIBUTES") request.select = engine::Select::specific;
  if (input.select == "COUNT") request.select = engine::Select::count;
  return request;
}

}  // namespace stator::api
