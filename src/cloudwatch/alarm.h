#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cloudwatch/data_query.h"
#include "service/value.h"

namespace stator::cloudwatch {

enum class AlarmState : std::uint8_t { insufficient_data, ok, alarm };
enum class Comparison : std::uint8_t { greater_or_equal, greater, less, less_or_equal };
enum class MissingData : std::uint8_t { missing, not_breaching, breaching, ignore };

[[nodiscard]] std::string_view state_name(AlarmState state);
[[nodiscard]] std::optional<AlarmState> find_state(std::string_view name);
[[nodiscard]] std::string_view comparison_name(Comparison comparison);
[[nodiscard]] std::optional<Comparison> find_comparison(std::string_view name);
[[nodiscard]] std::string_view missing_data_name(MissingData treatment);
[[nodiscard]] std::optional<MissingData> find_missing_data(std::string_view name);

struct HistoryItem {
  std::int64_t time_ms = 0;
  std::string type;  // ConfigurationUpdate, StateUpdate, Action
  std::string summary;
  std::string data;  // JSON
};

// What an alarm watches and what it does about it.
struct AlarmSettings {
  std::string name;
  std::string description;
  bool actions_enabled = true;
  std::vector<std::string> ok_actions;
  std::vector<std::string> alarm_actions;
  std::vector<std::string> insufficient_data_actions;
  // Either one metric, or queries of which one returns data.
  std::optional<MetricQuery> metric;
  std::vector<DataQuery> queries;
  service::Value queries_as_sent;  // for DescribeAlarms
  std::int64_t evaluation_periods = 1;
  std::int64_t datapoints_to_alarm = 1;
  bool datapoints_to_alarm_set = false;
  double threshold = 0;
  Comparison comparison = Comparison::greater_or_equal;
  MissingData missing = MissingData::missing;
  bool missing_set = false;

  [[nodiscard]] std::int64_t period_s() const;
};

struct Alarm {
  AlarmSettings settings;
  service::Value request;  // what PutMetricAlarm was given: the stored form
  AlarmState state = AlarmState::insufficient_data;
  std::string reason = "Unchecked: Initial alarm creation";
  std::string reason_data;
  std::int64_t configured_ms = 0;
  std::int64_t state_updated_ms = 0;
  std::int64_t state_transitioned_ms = 0;
  std::int64_t evaluated_until_s = 0;  // the end of the last period that was looked at
  std::deque<HistoryItem> history;     // newest first
  std::size_t request_bytes = 0;       // of the stored form
};

// Items of an alarm's history that are kept, and what they may take: the newest always stays.
inline constexpr std::size_t kHistoryItemsMax = 100;
inline constexpr std::size_t kHistoryBytesMax = std::size_t{32} * 1024;

// The settings in a PutMetricAlarm request that the model of requests has let pass, checked as far as members belong together.
[[nodiscard]] Result<AlarmSettings> read_alarm(const service::Parameters& in);
// The same of a request as it comes, or as it was stored.
struct AlarmRequest {
  AlarmSettings settings;
  service::Value request;  // known members alone, without tags
};
[[nodiscard]] Result<AlarmRequest> check_alarm(const service::Value& request);

}  // namespace stator::cloudwatch
