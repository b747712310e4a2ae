#include "cloudwatch/alarms.h"
#include "cloudwatch/context.h"

namespace stator::cloudwatch {

base::Task<Result<service::Value>> delete_alarms(Context context, service::Parameters in) {
  const Result<void> done = co_await context.alarms.erase(in.strings("AlarmNames"));
  CO_TRY_VOID(done);
  co_return service::Value();
}

}  // namespace stator::cloudwatch
