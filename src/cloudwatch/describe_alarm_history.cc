#include <algorithm>

#include "cloudwatch/alarms.h"
#include "cloudwatch/context.h"
#include "cloudwatch/paging.h"

namespace stator::cloudwatch {

base::Task<Result<service::Value>> describe_alarm_history(Context context, service::Parameters in) {
  const auto name = in.string("AlarmName");
  const auto type = in.string("HistoryItemType");
  const auto start = in.time_ms("StartDate");
  const auto end = in.time_ms("EndDate");
  const auto scan = in.string("ScanBy");
  CO_TRY_VOID(in.check());
  CO_TRY(const Paging paging, read_paging(in, 100));
  constexpr std::string_view kTypes = "ConfigurationUpdate, StateUpdate, Action";
  if (type && *type != "ConfigurationUpdate" && *type != "StateUpdate" && *type != "Action") {
    co_return not_in_enum(*type, "historyItemType", kTypes);
  }
  struct Found {
    std::string alarm;
    HistoryItem item;
  };
  std::vector<Found> found;
  for (const Alarm& alarm : context.alarms.list([&](const Alarm& one) { return !name || one.settings.name == *name; })) {
    for (const HistoryItem& item : alarm.history) {
      if ((type && item.type != *type) || (start && item.time_ms < *start) || (end && item.time_ms > *end)) continue;
      found.push_back({alarm.settings.name, item});
    }
  }
  const bool oldest_first = scan && *scan == "TimestampAscending";
  if (oldest_first) std::reverse(found.begin(), found.end());
  std::stable_sort(found.begin(), found.end(), [&](const Found& a, const Found& b) {
    return oldest_first ? a.item.time_ms < b.item.time_ms : a.item.time_ms > b.item.time_ms;
  });
  service::Value items = service::Value::list();
  const std::size_t last = paging.end(found.size());
  for (std::size_t i = paging.begin; i < last; ++i) {
    service::Value item = service::Value::structure();
    item.set("AlarmName", found[i].alarm).set("AlarmType", "MetricAlarm");
    item.set("Timestamp", service::Time{found[i].item.time_ms}).set("HistoryItemType", found[i].item.type);
    items.push(item.set("HistorySummary", found[i].item.summary).set("HistoryData", found[i].item.data));
  }
  service::Value answer = service::Value::structure().set("AlarmHistoryItems", std::move(items));
  if (last < found.size()) answer.set("NextToken", std::to_string(last));
  co_return answer;
}

}  // namespace stator::cloudwatch
