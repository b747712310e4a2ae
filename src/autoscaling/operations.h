#pragma once

#include <string_view>

#include "autoscaling/errors.h"
#include "autoscaling/registry.h"
#include "base/task.h"
#include "service/parameters.h"

namespace stator::autoscaling {

struct Context {
  Registry& registry;
  std::string_view region;
  std::string_view account_id;
};

// One function, one file.
using Operation = base::Task<Result<service::Value>> (*)(Context context, service::Parameters in);

base::Task<Result<service::Value>> delete_scaling_policy(Context context, service::Parameters in);
base::Task<Result<service::Value>> delete_scheduled_action(Context context, service::Parameters in);
base::Task<Result<service::Value>> deregister_scalable_target(Context context, service::Parameters in);
base::Task<Result<service::Value>> describe_scalable_targets(Context context, service::Parameters in);
base::Task<Result<service::Value>> describe_scaling_activities(Context context, service::Parameters in);
base::Task<Result<service::Value>> describe_scaling_policies(Context context, service::Parameters in);
base::Task<Result<service::Value>> describe_scheduled_actions(Context context, service::Parameters in);
base::Task<Result<service::Value>> put_scaling_policy(Context context, service::Parameters in);
base::Task<Result<service::Value>> put_scheduled_action(Context context, service::Parameters in);
base::Task<Result<service::Value>> register_scalable_target(Context context, service::Parameters in);

// ServiceNamespace, ResourceId and ScalableDimension, which have to fit together.
[[nodiscard]] Result<TargetKey> read_target_key(const service::Parameters& in);

// What the Describe operations filter by, and their pages.
struct Filter {
  std::optional<std::string> resource;
  std::optional<std::string> dimension;
  std::size_t begin = 0;
  std::size_t limit = 50;

  [[nodiscard]] bool takes(const TargetKey& key) const {
    return (!resource || *resource == key.resource) && (!dimension || *dimension == key.dimension);
  }
};
[[nodiscard]] Result<Filter> read_filter(const service::Parameters& in);

// One page of what a filter takes.
class Page {
 public:
  explicit Page(const Filter& filter) : filter_(filter) {}
  // Counts one more that was found; whether it is of this page.
  [[nodiscard]] bool next() { return found_++ >= filter_.begin && found_ - filter_.begin <= filter_.limit; }
  void push(service::Value value) { values_.push(std::move(value)); }
  // {member: the page, "NextToken": ...}
  [[nodiscard]] service::Value answer(std::string_view member);

 private:
  const Filter& filter_;
  std::size_t found_ = 0;
  service::Value values_ = service::Value::list();
};

// A target tracking configuration that the model of requests has let pass; `write`: of write capacity.
[[nodiscard]] Result<Policy> read_configuration(const service::Parameters& in, bool write);

// A name for ARNs and activities that nobody else has: 8-4-4-4-12 hexadecimal digits.
[[nodiscard]] std::string make_uuid();

// Takes a policy's two alarms away, where they are.
[[nodiscard]] base::Task<Result<void>> erase_alarms(cloudwatch::Alarms& alarms, Policy policy);
// Makes or renews them for the capacity that there is now.
[[nodiscard]] base::Task<Result<void>> put_alarms(cloudwatch::Alarms& alarms, TargetKey key, Policy policy,
                                                  std::int64_t units);

}  // namespace stator::autoscaling
