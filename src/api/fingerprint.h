#pragma once

#include <string>
#include <string_view>

#include "api/json.h"

namespace stator::api {

// A short text that is equal for equal contents of a member of the request: SHA-256 in hex. White space, the order of an object's
// members and that of a set's elements do not count, since a client may write the same request differently when it repeats it.
// Tells the repetition of a request from another one with the same client token.
[[nodiscard]] std::string fingerprint(Json body, std::string_view member);

}  // namespace stator::api
