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
  CO_TRY(const Paging paging, read_paging(in, 100));
  struct Found {
    const std::string* alarm;
    const HistoryItem* item;
  };
  const bool oldest_first = scan && *scan == "TimestampAscending";
  service::Value items = service::Value::list();
  const std::size_t count = context.alarms.read([&](const Alarms::ByName& alarms) {
    std::vector<Found> found;
    for (const auto& [alarm_name, alarm] : alarms) {
      if (name && alarm_name != *name) continue;
      for (const HistoryItem& item : alarm.history) {
        if ((type && item.type != *type) || (start && item.time_ms < *start) || (end && item.time_ms > *end)) continue;
        found.push_back({&alarm_name, &item});
      }
    }
    if (oldest_first) std::reverse(found.begin(), found.end());
    std::stable_sort(found.begin(), found.end(), [&](const Found& a, const Found& b) {
      return oldest_first ? a.item->time_ms < b.item->time_ms : a.item->time_ms > b.item->time_ms;
    });
    for (std::size_t i = paging.begin; i < paging.end(found.size()); ++i) {
      service::Value item = service::Value::structure();
      item.set("AlarmName", *found[i].alarm).set("AlarmType", "MetricAlarm");
      item.set("Timestamp", service::Time{found[i].item->time_ms}).set("HistoryItemType", found[i].item->type);
      items.push(item.set("HistorySummary", found[i].item->summary).set("HistoryData", found[i].item->data));
    }
    return found.size();
  });
  service::Value answer = service::Value::structure().set("AlarmHistoryItems", std::move(items));
  if (const std::size_t last = paging.end(count); last < count) answer.set("NextToken", std::to_string(last));
  co_return answer;
}

}  // namespace stator::cloudwatch
