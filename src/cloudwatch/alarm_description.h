#pragma once

#include "cloudwatch/alarms.h"

namespace stator::cloudwatch {

// An alarm as DescribeAlarms shows it.
[[nodiscard]] service::Value describe_alarm(const Alarm& alarm, const Owner& owner);

// The ARNs of an alarm's actions as a member of an answer.
[[nodiscard]] service::Value action_list(const std::vector<std::string>& arns);

}  // namespace stator::cloudwatch
