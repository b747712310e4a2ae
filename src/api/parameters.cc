#include "api/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace stator::api {
namespace {

std::vector<std::string_view> names_of_present(std::initializer_list<Given> parameters) {
  std::vector<std::string_view> names;
  for (const Given& parameter : parameters) {
    if (parameter.present) names.push_back(parameter.name);
  }
  return names;
}

}  // namespace

ExpressionInput read_expression_input(const Reader& in, Nesting nesting) {
  ExpressionInput input;
  input.names = in.names("ExpressionAttributeNames");
  input.values = in.attributes("ExpressionAttributeValues", nesting);
  if (input.values && input.values->invalid) {
    const ReadAttributes& values = *input.values;
    // The service finds a false NULL in a place that does not know of expressions, and its current layer all of them.
    const bool bare = values.invalid_kind == InvalidKind::null || in.state().layer() == Layer::current;
    input.invalid_value = in.state().arena().copy(std::string_view(
        bare
            ? *values.invalid
            : fmt::format("ExpressionAttributeValues contains invalid value: {} for key {}", *values.invalid,
                          values.invalid_name)));
  }
  return input;
}

Result<void> check_combination(std::initializer_list<Given> legacy, std::initializer_list<Given> expressions,
                               const ExpressionInput& input,
                               std::initializer_list<std::string_view> with_values, Layer layer) {
  const std::vector<std::string_view> legacy_names = names_of_present(legacy);
  const std::vector<std::string_view> expression_names = names_of_present(expressions);
  if (!legacy_names.empty() && !expression_names.empty()) {
    return invalid(fmt::format("Can not use both expression and non-expression parameters in the same request: "
                               "Non-expression parameters: {{{}}} Expression parameters: {{{}}}",
                               fmt::join(legacy_names, ", "), fmt::join(expression_names, ", ")));
  }
  if (expression_names.empty() && input.names) {
    return invalid("ExpressionAttributeNames can only be specified when using expressions");
  }
  if (input.values) {
    const bool usable = std::any_of(with_values.begin(), with_values.end(), [&](std::string_view name) {
      return std::find(expression_names.begin(), expression_names.end(), name) != expression_names.end();
    });
    if (!usable && with_values.size() != 0 && layer == Layer::current) {
      return invalid("ExpressionAttributeValues can only be specified when using expressions");
    }
    if (!usable && with_values.size() != 0) {
      return invalid(fmt::format("ExpressionAttributeValues can only be specified when using expressions: {} {} "
                                 "null",
                                 fmt::join(with_values, " and "), with_values.size() == 1 ? "is" : "are"));
    }
  }
  return {};
}

engine::ExpressionParameters expression_parameters(const ExpressionInput& input) {
  engine::ExpressionParameters parameters;
  if (input.names) {
    parameters.names = *input.names;
    parameters.names_sent_empty = input.names->empty();
  }
  if (input.values) {
    parameters.values = input.values->attributes;
    parameters.values_sent_empty = input.values->attributes.empty();
  }
  parameters.invalid_value = input.invalid_value;
  return parameters;
}

Result<void> check_values(const std::optional<ReadAttributes>& attributes) {
  if (attributes && attributes->invalid) return invalid(*attributes->invalid);
  return {};
}

Result<void> check_names(const std::optional<ReadAttributes>& item) {
  if (!item) return {};
  const bool unnamed = std::any_of(item->attributes.begin(), item->attributes.end(),
                                   [](const item::Attribute& attribute) { return attribute.name.empty(); });
  return unnamed ? Result<void>(invalid(std::string(kEmptyAttributeName))) : Result<void>();
}

ReturnCapacity return_capacity(const std::optional<std::string_view>& value) {
  if (value == "TOTAL") return ReturnCapacity::total;
  return value == "INDEXES" ? ReturnCapacity::indexes : ReturnCapacity::none;
}

}  // namespace stator::api
