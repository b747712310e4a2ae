#include "cloudwatch/alarms.h"
#include "cloudwatch/context.h"
#include "cloudwatch/errors.h"
#include "service/codecs.h"

namespace stator::cloudwatch {

base::Task<Result<service::Value>> set_alarm_state(Context context, service::Parameters in) {
  const std::string name = *in.string("AlarmName");
  const AlarmState state = *find_state(*in.string("StateValue"));
  const std::string reason = *in.string("StateReason");
  const auto data = in.string("StateReasonData");
  if (data && !service::decode_json(*data)) {
    co_return service::refuse("InvalidFormat", "InvalidFormatFault", "Unexpected character in StateReasonData");
  }
  const Result<void> done = co_await context.alarms.set_state(name, state, reason, data.value_or(""));
  CO_TRY_VOID(done);
  co_return service::Value();
}

}  // namespace stator::cloudwatch
