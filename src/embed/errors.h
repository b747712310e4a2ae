#pragma once

#include "base/result.h"
#include "stator/outcome.h"

namespace stator::embed {

// The engine's error as a program gets it. Names are those that api/errors.cc puts on the wire; a
// test holds the two together.
[[nodiscard]] DatabaseError to_database_error(const Error& error);

}  // namespace stator::embed
