#pragma once

#include "base/result.h"
#include "stator/outcome.h"

namespace stator::remote {

// What a failed call means. Calls without an answer are ErrorKind::unavailable.
[[nodiscard]] DatabaseError to_database_error(const Error& error);

}  // namespace stator::remote
