#include "cloudwatch/alarms.h"
#include "cloudwatch/context.h"
#include "cloudwatch/errors.h"
#include "service/codecs.h"

namespace stator::cloudwatch {

base::Task<Result<service::Value>> set_alarm_state(Context context, service::Parameters in) {
  const auto name = in.string("AlarmName");
  const auto value = in.string("StateValue");
  const auto reason = in.string("StateReason");
  const auto data = in.string("StateReasonData");
  CO_TRY_VOID(in.check());
  if (!name) co_return missing("AlarmName");
  if (!value) co_return missing("StateValue");
  if (!reason) co_return missing("StateReason");
  const std::optional<AlarmState> state = find_state(*value);
  if (!state) co_return not_in_enum(*value, "stateValue", "INSUFFICIENT_DATA, ALARM, OK");
  if (data && !service::decode_json(*data)) {
    co_return service::refuse("InvalidFormat", "InvalidFormatFault", "Unexpected character in StateReasonData");
  }
  const Result<void> done = co_await context.alarms.set_state(*name, *state, *reason, data.value_or(""));
  CO_TRY_VOID(done);
  co_return service::Value();
}

}  // namespace stator::cloudwatch
