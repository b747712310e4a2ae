#pragma once

#include <span>

#include "service/model.h"

namespace stator::cloudwatch {

// Every request of the service with its limits.
[[nodiscard]] std::span<const service::Shape> shapes();
// The same, with the service's words for what breaks them.
[[nodiscard]] const service::Model& request_model();

}  // namespace stator::cloudwatch
