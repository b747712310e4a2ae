#include <gtest/gtest.h>

#include "base/sync_wait.h"
#include "cloudwatch/alarm_evaluation.h"
#include "cloudwatch/alarms.h"
#include "metrics/test_support.h"
#include "service/codecs.h"
#include "service/error.h"

namespace stator::cloudwatch {
namespace {

constexpr std::int64_t kEnd = 1'780'272'000;

AlarmSettings settings(std::int64_t periods, std::int64_t to_alarm, MissingData missing) {
  AlarmSettings settings;
  settings.name = "a";
  settings.metric = MetricQuery{{"AWS/DynamoDB", "UserErrors", {}}, 60, "Sum", *metrics::Statistic::parse("Sum"), std::nullopt};
  settings.evaluation_periods = periods;
  settings.datapoints_to_alarm = to_alarm;
  settings.threshold = 5;
  settings.comparison = Comparison::greater;
  settings.missing = missing;
  return settings;
}

// One character per minute, newest last: X breaches, 0 does not, - is missing.
std::vector<Sample> samples(std::string_view pattern) {
  std::vector<Sample> result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::int64_t time_s = kEnd - static_cast<std::int64_t>(pattern.size() - i) * 60;
    if (pattern[i] != '-') result.push_back({time_s, pattern[i] == 'X' ? 9.0 : 1.0, 1});
  }
  return result;
}

AlarmState state_of(std::string_view pattern, std::int64_t periods, std::int64_t to_alarm, MissingData missing,
                    AlarmState before = AlarmState::ok) {
  return evaluate_alarm(settings(periods, to_alarm, missing), before, samples(pattern), kEnd, kEnd * 1000).state;
}

using enum AlarmState;

TEST(AlarmEvaluation, WantsAllPeriodsOrAsManyAsItIsTold) {
  EXPECT_EQ(state_of("000XXX", 3, 3, MissingData::missing), alarm);
  EXPECT_EQ(state_of("00X0XX", 3, 3, MissingData::missing), ok);
  EXPECT_EQ(state_of("00X0XX", 3, 2, MissingData::missing), alarm);
  EXPECT_EQ(state_of("00000X", 1, 1, MissingData::missing), alarm);
}

// The service's own table of three out of three periods.
TEST(AlarmEvaluation, TreatsMissingDataAsItIsTold) {
  struct Case {
    const char* pattern;
    AlarmState missing, ignore, breaching, not_breaching;
  };
  constexpr AlarmState kBefore = insufficient_data;
  constexpr Case kCases[] = {
      {"0-X-X", ok, ok, ok, ok},
      {"-----", insufficient_data, kBefore, alarm, ok},
      {"--XXX", alarm, alarm, alarm, alarm},
      {"--X--", alarm, kBefore, alarm, ok},
      {"----X", kBefore, kBefore, alarm, ok},
      {"---0-", ok, ok, ok, ok},
  };
  for (const Case& one : kCases) {
    EXPECT_EQ(state_of(one.pattern, 3, 3, MissingData::missing, kBefore), one.missing) << one.pattern;
    EXPECT_EQ(state_of(one.pattern, 3, 3, MissingData::ignore, kBefore), one.ignore) << one.pattern;
    EXPECT_EQ(state_of(one.pattern, 3, 3, MissingData::breaching, kBefore), one.breaching) << one.pattern;
    EXPECT_EQ(state_of(one.pattern, 3, 3, MissingData::not_breaching, kBefore), one.not_breaching) << one.pattern;
  }
}

TEST(AlarmEvaluation, SaysWhyInTheServicesWords) {
  const auto reason = [](std::string_view pattern, std::int64_t periods, MissingData missing) {
    return evaluate_alarm(settings(periods, periods, missing), ok, samples(pattern), kEnd, kEnd * 1000).reason;
  };
  EXPECT_EQ(reason("X", 1, MissingData::missing),
            "Threshold Crossed: 1 datapoint [9.0 (31/05/26 23:59:00)] was greater than the threshold (5.0).");
  EXPECT_EQ(reason("--", 2, MissingData::breaching),
            "Threshold Crossed: no datapoints were received for 2 periods and 2 missing datapoints were treated as "
            "[Breaching].");
  EXPECT_EQ(reason("--", 1, MissingData::missing), "Insufficient Data: 1 datapoint was unknown.");
  EXPECT_EQ(reason("0", 1, MissingData::missing),
            "Threshold Crossed: 1 datapoint [1.0 (31/05/26 23:59:00)] was not greater than the threshold (5.0).");
}

TEST(AlarmEvaluation, TellsAFewOfManyDatapoints) {
  const std::string pattern(1440, 'X');
  const Verdict verdict = evaluate_alarm(settings(1440, 1440, MissingData::missing), ok, samples(pattern), kEnd, kEnd * 1000);
  EXPECT_EQ(verdict.state, alarm);
  EXPECT_TRUE(verdict.reason.starts_with("Threshold Crossed: 1440 datapoints [9.0 (31/05/26 23:59:00), ")) << verdict.reason;
  EXPECT_LE(verdict.reason.size(), 1023U);
  EXPECT_LE(verdict.reason_data.size(), 4000U);
}

service::Value request(std::string_view name) {
  service::Value value = service::Value::structure();
  value.set("AlarmName", name).set("Namespace", "AWS/DynamoDB").set("MetricName", "ConsumedReadCapacityUnits");
  value.set("Dimensions", service::Value::list().push(
                              service::Value::structure().set("Name", "TableName").set("Value", "app")));
  value.set("Statistic", "Sum").set("Period", 60).set("EvaluationPeriods", 2).set("Threshold", 1.0);
  return value.set("ComparisonOperator", "GreaterThanThreshold");
}

void put(Alarms& alarms, const service::Value& value) {
  ASSERT_TRUE(base::sync_wait(alarms.put(check_alarm(value).value())));
}

TEST(Alarms, FollowTheirMetricAndRememberIt) {
  metrics::Meters meters;
  Alarms alarms(*meters.store, *meters.history, meters.clock, {"us-east-1", "123456789012"});
  put(alarms, request("busy"));
  const auto pass_minute = [&](int reads) {
    meters.read_items("app", reads);
    ASSERT_TRUE(meters.collector->tick());
    meters.clock.advance_minutes(1);
    ASSERT_TRUE(meters.collector->tick());
    alarms.evaluate();
  };
  pass_minute(100);
  EXPECT_EQ(alarms.find("busy")->state, insufficient_data);  // one of two periods
  pass_minute(100);
  EXPECT_EQ(alarms.find("busy")->state, alarm);
  pass_minute(1);
  EXPECT_EQ(alarms.find("busy")->state, ok);

  Alarms again(*meters.store, *meters.history, meters.clock, {"us-east-1", "123456789012"});
  ASSERT_TRUE(again.load());
  const std::optional<Alarm> loaded = again.find("busy");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->state, ok);
  EXPECT_EQ(loaded->settings.threshold, 1.0);
  ASSERT_EQ(loaded->history.size(), 3U);
  EXPECT_EQ(loaded->history[0].summary, "Alarm updated from ALARM to OK");
  EXPECT_EQ(loaded->history[2].summary, "Alarm \"busy\" created");
}

TEST(Alarms, AreDeletedAllOrNone) {
  metrics::Meters meters;
  Alarms alarms(*meters.store, *meters.history, meters.clock, {"us-east-1", "123456789012"});
  put(alarms, request("one"));
  EXPECT_FALSE(base::sync_wait(alarms.erase({"one", "none"})));
  EXPECT_TRUE(alarms.find("one"));
  EXPECT_TRUE(base::sync_wait(alarms.erase({"one"})));
  EXPECT_FALSE(alarms.find("one"));
}

// The stored form of the alarm with one thing changed.
std::string stored_with(std::string_view name, std::string_view from, std::string_view to) {
  Alarm alarm;
  alarm.request = request(name);
  std::string text = encode_alarm(alarm);
  const std::size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Alarms, SetAsideWhatTheyCannotUse) {
  metrics::Meters meters;
  metrics::Documents documents(*meters.store, "alarm");
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "{\"a\":";
  const std::pair<std::string, std::string> kStored[] = {
      {"good", stored_with("good", "", "")},
      {"deep", deep},
      {"other", stored_with("x", "", "")},
      {"many", stored_with("many", "\"EvaluationPeriods\":2", "\"EvaluationPeriods\":4611686018427387904")},
      {"long", stored_with("long", "\"Sum\"", '"' + std::string(1000, 'x') + '"')},
      {"forged", stored_with("forged", "\"Period\":60", "\"Period\":60,\"x><y/>\":[[1]]")},
  };
  for (const auto& [name, text] : kStored) ASSERT_TRUE(base::sync_wait(documents.put(name, text)));
  for (int start = 0; start < 2; ++start) {
    Alarms alarms(*meters.store, *meters.history, meters.clock, {"us-east-1", "123456789012"});
    ASSERT_TRUE(alarms.load());
    EXPECT_EQ(alarms.read([](const auto& all) { return all.size(); }), 2U);
    EXPECT_TRUE(alarms.find("good"));
    EXPECT_EQ(service::encode_json(alarms.find("forged")->request).find("y/>"), std::string::npos);
    EXPECT_EQ(alarms.documents().aside(), 4U);
    alarms.evaluate();
  }
}

TEST(Alarms, KeepABoundedHistory) {
  metrics::Meters meters;
  Alarms alarms(*meters.store, *meters.history, meters.clock, {"us-east-1", "123456789012"});
  put(alarms, request("a"));
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(base::sync_wait(alarms.set_state("a", i % 2 == 0 ? ok : alarm, std::string(1000, 'r'), "")));
  }
  std::size_t bytes = 0;
  for (const HistoryItem& item : alarms.find("a")->history) bytes += item.summary.size() + item.data.size();
  EXPECT_LE(bytes, kHistoryBytesMax);
  EXPECT_GE(alarms.find("a")->history.size(), 10U);
}

TEST(AlarmInput, RefusesWhatTheServiceRefuses) {
  const std::pair<const char*, service::Value> kChanges[] = {
      {"ComparisonOperator", "Above"}, {"EvaluationPeriods", 0},      {"Period", 61},
      {"Statistic", "Median"},         {"DatapointsToAlarm", 3},      {"TreatMissingData", "maybe"},
      {"AlarmName", ""},               {"ExtendedStatistic", "p99"},  {"EvaluationPeriods", 2000},
      {"EvaluationPeriods", std::int64_t{4'611'686'018'427'387'904}},
      {"AlarmDescription", std::string(1025, 'x')},
      {"AlarmName", "a\nb"},
  };
  for (const auto& [member, value] : kChanges) {
    service::Value changed = request("x");
    changed.member(member) = value;
    const Result<AlarmRequest> refused = check_alarm(changed);
    ASSERT_FALSE(refused) << member;
    EXPECT_NE(dynamic_cast<const service::ServiceError*>(refused.error().detail.get()), nullptr) << member;
  }
  service::Value action = request("x");
  action.set("AlarmActions", service::Value::list().push("ftp://somewhere"));
  EXPECT_FALSE(check_alarm(action));
  EXPECT_TRUE(check_alarm(request("x")));
}

}  // namespace
}  // namespace stator::cloudwatch
