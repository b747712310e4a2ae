#include "cloudwatch/alarms.h"
#include "cloudwatch/context.h"

namespace stator::cloudwatch {
namespace {

base::Task<Result<service::Value>> switch_actions(Context context, service::Parameters in, bool enabled) {
  const Result<void> done = co_await context.alarms.enable_actions(in.strings("AlarmNames"), enabled);
  CO_TRY_VOID(done);
  co_return service::Value();
}

}  // namespace

base::Task<Result<service::Value>> enable_alarm_actions(Context context, service::Parameters in) {
  return switch_actions(context, in, true);
}

base::Task<Result<service::Value>> disable_alarm_actions(Context context, service::Parameters in) {
  return switch_actions(context, in, false);
}

}  // namespace stator::cloudwatch
