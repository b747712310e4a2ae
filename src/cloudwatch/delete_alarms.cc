#include "cloudwatch/alarms.h"
#include "cloudwatch/context.h"
#include "cloudwatch/errors.h"

namespace stator::cloudwatch {

base::Task<Result<service::Value>> delete_alarms(Context context, service::Parameters in) {
  std::vector<std::string> names = in.strings("AlarmNames");
  CO_TRY_VOID(in.check());
  if (!in.has("AlarmNames")) co_return missing("AlarmNames");
  if (names.size() > 100) {
    co_return validation("1 validation error detected: Value at 'alarmNames' failed to satisfy constraint: Member must have "
                         "length less than or equal to 100");
  }
  const Result<void> done = co_await context.alarms.erase(std::move(names));
  CO_TRY_VOID(done);
  co_return service::Value();
}

}  // namespace stator::cloudwatch
