#include "cloudwatch/alarms.h"
#include "cloudwatch/context.h"

namespace stator::cloudwatch {

base::Task<Result<service::Value>> put_metric_alarm(Context context, service::Parameters in) {
  CO_TRY(AlarmSettings settings, read_alarm(in));
  CO_TRY_VOID(in.check());
  // Kept as it was sent, without what the protocol adds.
  service::Value request = service::Value::structure();
  for (const auto& [name, value] : *in.value().members()) {
    if (name != "Action" && name != "Version" && name != "Tags") request.set(name, value);
  }
  const Result<void> done = co_await context.alarms.put(std::move(settings), std::move(request));
  CO_TRY_VOID(done);
  co_return service::Value();
}

}  // namespace stator::cloudwatch
