#pragma once

#include "base/result.h"
#include "client/http.h"

namespace stator::client {

// The error that an answer other than 200 means, with a CallFailure.
[[nodiscard]] Error failed_call(const HttpAnswer& answer);

// Throttling, errors on the server's side and lost connections; not what would fail again in the same way.
[[nodiscard]] bool worth_another_attempt(const Error& error);

}  // namespace stator::client
