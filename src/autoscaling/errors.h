#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "autoscaling/state.h"
#include "service/error.h"

namespace stator::autoscaling {

[[nodiscard]] inline tl::unexpected<Error> refuse_validation(std::string message) {
  return service::refuse("ValidationException", std::move(message));
}
[[nodiscard]] inline tl::unexpected<Error> refuse_null(std::string_view member) {
  return refuse_validation(fmt::format(
      "1 validation error detected: Value null at '{}' failed to satisfy constraint: Member must not be null", member));
}
[[nodiscard]] inline tl::unexpected<Error> limit_exceeded(std::string_view what, std::size_t most) {
  return service::refuse("LimitExceededException", fmt::format("The maximum number of {} is {} and has been reached", what, most));
}
[[nodiscard]] inline tl::unexpected<Error> no_target(const TargetKey& key) {
  return service::refuse("ObjectNotFoundException",
                         fmt::format("No scalable target registered for service namespace: {}, resource ID: {}, scalable "
                                     "dimension: {}",
                                     kDynamoDb, key.resource, key.dimension));
}

}  // namespace stator::autoscaling
