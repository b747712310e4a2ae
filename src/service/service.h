#pragma once

#include <string_view>

#include "base/result.h"
#include "base/task.h"
#include "service/value.h"

namespace stator::service {

// One call of an operation of a service, whatever protocol carried it.
struct Call {
  std::string_view operation;
  const Value& input;            // a structure; lives until the answer
  std::string_view region;       // of the request's credentials
  std::string_view account_id;
};

// A service beside the database: CloudWatch, Application Auto Scaling. Called by every reactor at once; must not block.
class Service {
 public:
  virtual ~Service() = default;
  // The answer's structure; null for operations that answer nothing. Errors carry a ServiceError, others are faults.
  // UnknownOperation where the operation is none of the service's.
  [[nodiscard]] virtual base::Task<Result<Value>> call(Call call) = 0;
};

}  // namespace stator::service
