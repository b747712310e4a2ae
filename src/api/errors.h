#pragma once

#include <string_view>

#include "base/buffer.h"
#include "base/result.h"

namespace stator::api {

// An exception that few operations have: its type on the wire stands in place of that of the error's code.
struct TypeDetail : ErrorDetail {
  explicit TypeDetail(std::string_view wire_type) : type(wire_type) {}
  std::string_view type;  // a literal
};

// Writes the error as the service puts it on the wire; the HTTP status is returned. The one place where error codes
// become names.
// `arn_prefix` goes before the resources that a throttled request names: arn:aws:dynamodb:region:account:
int write_error(base::Buffer& out, const Error& error, std::string_view arn_prefix = {});
[[nodiscard]] int error_status(const Error& error);
// The name alone: ValidationException.
[[nodiscard]] std::string_view error_name(const Error& error);

}  // namespace stator::api
