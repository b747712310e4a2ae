#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace stator::service {

// An error of a service by its name in the service's model. Carried as the detail of an Error, so that TRY and Result
// work as everywhere.
struct ServiceError final : ErrorDetail {
  ServiceError(std::string_view code_in, std::string_view shape_in, int status_in)
      : code(code_in), shape(shape_in), status(status_in) {}
  std::string code;   // as the Query protocol has it: InvalidParameterValue
  std::string shape;  // as the other protocols have it: InvalidParameterValueException
  int status;
};

// How a request ends badly. An Error without a ServiceError is a fault of ours and answered as such.
[[nodiscard]] inline tl::unexpected<Error> refuse(std::string_view code, std::string_view shape, std::string message,
                                                  int status = 400) {
  return tl::unexpected<Error>(
      Error{ErrorCode::validation, std::move(message), std::make_shared<ServiceError>(code, shape, status)});
}
[[nodiscard]] inline tl::unexpected<Error> refuse(std::string_view code, std::string message, int status = 400) {
  return refuse(code, code, std::move(message), status);
}

}  // namespace stator::service
