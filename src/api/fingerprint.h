#pragma once

#include <string>
#include <string_view>

#include "api/json.h"

namespace stator::api {

// A short text that is equal for equal contents of a member of the request, whatever its white space: SHA-256 in hex. Tells the
// repetition of a request from another one with the same client token.
[[nodiscard]] std::string fingerprint(Json body, std::string_view member);

}  // namespace stator::api
