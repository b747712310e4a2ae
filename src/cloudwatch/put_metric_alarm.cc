#include "cloudwatch/alarms.h"
#include "cloudwatch/context.h"

namespace stator::cloudwatch {

base::Task<Result<service::Value>> put_metric_alarm(Context context, service::Parameters in) {
  CO_TRY(AlarmRequest alarm, check_alarm(in.value()));
  const Result<void> done = co_await context.alarms.put(std::move(alarm));
  CO_TRY_VOID(done);
  co_return service::Value();
}

}  // namespace stator::cloudwatch
