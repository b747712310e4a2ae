#pragma once

#include "autoscaling/registry.h"
#include "service/service.h"

namespace stator::autoscaling {

inline constexpr std::string_view kTargetPrefix = "AnyScaleFrontendService";

// The Application Auto Scaling API for tables and indexes.
class AutoScaling final : public service::Service {
 public:
  explicit AutoScaling(Registry& registry) : registry_(registry) {}
  [[nodiscard]] base::Task<Result<service::Value>> call(service::Call call) override;

 private:
  Registry& registry_;
};

}  // namespace stator::autoscaling
