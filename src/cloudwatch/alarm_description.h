#pragma once

#include "cloudwatch/alarms.h"

namespace stator::cloudwatch {

// An alarm as DescribeAlarms shows it.
[[nodiscard]] service::Value describe_alarm(const Alarm& alarm, const Owner& owner);

}  // namespace stator::cloudwatch
