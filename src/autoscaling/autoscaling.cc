#include "autoscaling/autoscaling.h"

#include <array>

#include "autoscaling/operations.h"
#include "autoscaling/shapes.h"

namespace stator::autoscaling {
namespace {

struct Entry {
  std::string_view name;
  Operation operation;
};

constexpr auto kOperations = std::to_array<Entry>({
    {"DeleteScalingPolicy", delete_scaling_policy},
    {"DeleteScheduledAction", delete_scheduled_action},
    {"DeregisterScalableTarget", deregister_scalable_target},
    {"DescribeScalableTargets", describe_scalable_targets},
    {"DescribeScalingActivities", describe_scaling_activities},
    {"DescribeScalingPolicies", describe_scaling_policies},
    {"DescribeScheduledActions", describe_scheduled_actions},
    {"PutScalingPolicy", put_scaling_policy},
    {"PutScheduledAction", put_scheduled_action},
    {"RegisterScalableTarget", register_scalable_target},
});

}  // namespace

base::Task<Result<service::Value>> AutoScaling::call(service::Call call) {
  Operation operation = nullptr;
  for (const Entry& entry : kOperations) {
    if (entry.name == call.operation) operation = entry.operation;
  }
  if (operation == nullptr) co_return service::refuse("UnknownOperationException", "");
  CO_TRY(const service::Value input, request_model().check(call.operation, call.input));
  std::optional<Error> mismatch;  // there is none in what the model has let pass
  const Context context{registry_, call.region, call.account_id};
  Result<service::Value> answer = co_await operation(context, service::Parameters(input, mismatch));
  co_return answer;
}

}  // namespace stator::autoscaling
