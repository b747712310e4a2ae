#include "cloudwatch/alarms.h"
#include "cloudwatch/context.h"
#include "cloudwatch/errors.h"

namespace stator::cloudwatch {
namespace {

base::Task<Result<service::Value>> switch_actions(Context context, service::Parameters in, bool enabled) {
  std::vector<std::string> names = in.strings("AlarmNames");
  CO_TRY_VOID(in.check());
  if (!in.has("AlarmNames")) co_return missing("AlarmNames");
  const Result<void> done = co_await context.alarms.enable_actions(std::move(names), enabled);
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
