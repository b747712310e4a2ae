#pragma once

#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "insights/insights.h"
#include "metrics/collector.h"
#include "metrics/history.h"
#include "service/parameters.h"
#include "service/value.h"

namespace stator::cloudwatch {

class Alarms;

// What every operation works on, and one call of it.
struct Context {
  metrics::Collector& collector;
  metrics::History& history;
  Alarms& alarms;
  const insights::Insights& insights;
  const base::Clock& clock;
  std::string_view region;
  std::string_view account_id;
};

// Reads the request, runs the operation and gives the answer; null where there is none. One function, one file.
using Operation = base::Task<Result<service::Value>> (*)(Context context, service::Parameters in);

base::Task<Result<service::Value>> delete_alarms(Context context, service::Parameters in);
base::Task<Result<service::Value>> describe_alarm_history(Context context, service::Parameters in);
base::Task<Result<service::Value>> describe_alarms(Context context, service::Parameters in);
base::Task<Result<service::Value>> describe_alarms_for_metric(Context context, service::Parameters in);
base::Task<Result<service::Value>> disable_alarm_actions(Context context, service::Parameters in);
base::Task<Result<service::Value>> enable_alarm_actions(Context context, service::Parameters in);
base::Task<Result<service::Value>> get_insight_rule_report(Context context, service::Parameters in);
base::Task<Result<service::Value>> get_metric_data(Context context, service::Parameters in);
base::Task<Result<service::Value>> get_metric_statistics(Context context, service::Parameters in);
base::Task<Result<service::Value>> list_metrics(Context context, service::Parameters in);
base::Task<Result<service::Value>> put_metric_alarm(Context context, service::Parameters in);
base::Task<Result<service::Value>> set_alarm_state(Context context, service::Parameters in);

}  // namespace stator::cloudwatch
