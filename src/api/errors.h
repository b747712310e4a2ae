#pragma once

#include "base/buffer.h"
#include "base/result.h"

namespace stator::api {

// Writes the error as the service puts it on the wire; the HTTP status is returned. The one place where error codes
// become names.
int write_error(base::Buffer& out, const Error& error);
[[nodiscard]] int error_status(const Error& error);

}  // namespace stator::api
