#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "service/error.h"

// The errors of CloudWatch by their names in the Query protocol and in the others.
namespace stator::cloudwatch {

[[nodiscard]] inline tl::unexpected<Error> invalid_value(std::string message) {
  return service::refuse("InvalidParameterValue", "InvalidParameterValueException", std::move(message));
}
[[nodiscard]] inline tl::unexpected<Error> invalid_combination(std::string message) {
  return service::refuse("InvalidParameterCombination", "InvalidParameterCombinationException", std::move(message));
}
[[nodiscard]] inline tl::unexpected<Error> missing(std::string_view parameter) {
  return service::refuse("MissingParameter", "MissingRequiredParameterException",
                         fmt::format("The parameter {} is required.", parameter));
}
// What the service's model itself rules out.
[[nodiscard]] inline tl::unexpected<Error> validation(std::string message) {
  return service::refuse("ValidationError", "ValidationException", std::move(message));
}
[[nodiscard]] inline tl::unexpected<Error> not_found(std::string message) {
  return service::refuse("ResourceNotFound", "ResourceNotFound", std::move(message), 404);
}
[[nodiscard]] inline tl::unexpected<Error> invalid_next_token() {
  return service::refuse("InvalidNextToken", "The next token specified is invalid.");
}

}  // namespace stator::cloudwatch
