#include "top/hot_keys.h"

#include <algorithm>
#include <chrono>

namespace stator::top {
namespace {

constexpr std::int64_t kWindow_s = 180;

std::int64_t now_s() {
  using std::chrono::duration_cast;
  return duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string text(const client::Json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<void> add_report(client::Client& client, const std::string& rule, HotKey key, std::size_t count,
                        std::vector<HotKey>& keys) {
  const std::int64_t now = now_s();
  const client::Json request = {{"RuleName", rule},
                                {"StartTime", now - kWindow_s},
                                {"EndTime", now + 60},
                                {"Period", 60},
                                {"MaxContributorCount", count}};
  TRY(const client::Json report, client.call("GraniteServiceVersion20100801.GetInsightRuleReport", request));
  for (const client::Json& contributor : report.value("Contributors", client::Json::array())) {
    const client::Json names = contributor.value("Keys", client::Json::array());
    if (names.empty() || !names.front().is_string()) continue;
    key.key = names.front().get<std::string>();
    key.value = contributor.value("ApproximateAggregateValue", 0.0);
    keys.push_back(key);
  }
  return {};
}

}  // namespace

Result<std::vector<HotKey>> find_hot_keys(client::Client& client, std::size_t count) {
  std::vector<HotKey> keys;
  TRY(const client::Json list, client.call("DynamoDB_20120810.ListContributorInsights", client::Json::object()));
  for (const client::Json& entry : list.value("ContributorInsightsSummaries", client::Json::array())) {
    if (text(entry, "ContributorInsightsStatus") != "ENABLED") continue;
    HotKey key{text(entry, "TableName"), text(entry, "IndexName"), "", 0, false};
    client::Json request = {{"TableName", key.table}};
    if (!key.index.empty()) request["IndexName"] = key.index;
    TRY(const client::Json described, client.call("DynamoDB_20120810.DescribeContributorInsights", request));
    for (const client::Json& rule : described.value("ContributorInsightsRuleList", client::Json::array())) {
      if (!rule.is_string()) continue;
      const std::string name = rule.get<std::string>();
      // PKC: partition keys by consumption; PKT: by throttles. Pairs of keys are left to the console.
      key.throttled = name.find("-PKT-") != std::string::npos;
      if (!key.throttled && name.find("-PKC-") == std::string::npos) continue;
      TRY_VOID(add_report(client, name, key, count, keys));
    }
  }
  std::stable_sort(keys.begin(), keys.end(), [](const HotKey& a, const HotKey& b) {
    return a.throttled != b.throttled ? a.throttled : a.value > b.value;
  });
  std::vector<HotKey> shown;
  for (const HotKey& key : keys) {
    const auto of_kind = std::count_if(shown.begin(), shown.end(),
                                       [&](const HotKey& other) { return other.throttled == key.throttled; });
    if (static_cast<std::size_t>(of_kind) < count) shown.push_back(key);
  }
  return shown;
}

}  // namespace stator::top
