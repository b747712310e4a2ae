#pragma once

#include <span>

#include "cloudwatch/alarm.h"

namespace stator::cloudwatch {

inline constexpr std::int64_t kExtraPeriods = 2;

struct Verdict {
  AlarmState state = AlarmState::insufficient_data;
  std::string reason;       // empty where nothing was decided and the state stays
  std::string reason_data;  // JSON
};

// The state that the periods up to `end_s` (the end of the last complete one) give an alarm. A pure function: `samples` are
// the values of those periods and of as many before, oldest first; missing periods are not among them.
//
// As the service does: the alarm looks at the newest EvaluationPeriods datapoints in a range that is two periods longer; what
// is still missing counts as TreatMissingData says.
[[nodiscard]] Verdict evaluate_alarm(const AlarmSettings& settings, AlarmState before, std::span<const Sample> samples,
                                     std::int64_t end_s, std::int64_t now_ms);

// How far back evaluate_alarm() may look.
[[nodiscard]] inline std::int64_t periods_looked_at(const AlarmSettings& settings) {
  return settings.evaluation_periods + kExtraPeriods + 1;
}

}  // namespace stator::cloudwatch
