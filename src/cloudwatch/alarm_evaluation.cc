#include "cloudwatch/alarm_evaluation.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <optional>

#include "service/codecs.h"
#include "service/parameters.h"

namespace stator::cloudwatch {
namespace {

using Slot = std::optional<Sample>;

// The service's reasons have 1,023 characters at most and their data 4,000: of more datapoints the newest are told.
constexpr std::size_t kValuesInReasonMax = 24;
constexpr std::size_t kDatapointsInDataMax = 32;

bool breaches(const AlarmSettings& settings, double value) {
  switch (settings.comparison) {
    case Comparison::greater_or_equal:
      return value >= settings.threshold;
    case Comparison::greater:
      return value > settings.threshold;
    case Comparison::less:
      return value < settings.threshold;
    case Comparison::less_or_equal:
      return value <= settings.threshold;
  }
  return false;
}

std::string_view comparison_words(Comparison comparison) {
  switch (comparison) {
    case Comparison::greater_or_equal:
      return "greater than or equal to";
    case Comparison::greater:
      return "greater than";
    case Comparison::less:
      return "less than";
    case Comparison::less_or_equal:
      break;
  }
  return "less than or equal to";
}

std::string number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string shown(const Sample& sample) {
  return fmt::format("{} ({:%d/%m/%y %H:%M:%S})", number(sample.value), fmt::gmtime(static_cast<std::time_t>(sample.time_s)));
}

// A few periods more than are wanted, so that late datapoints are not taken for missing ones.
std::int64_t evaluation_range(const AlarmSettings& settings) {
  const bool fills = settings.missing == MissingData::breaching || settings.missing == MissingData::not_breaching;
  return settings.evaluation_periods == 1 && fills ? 1 : settings.evaluation_periods + kExtraPeriods;
}

// The periods that are looked at, newest first, each with its sample if there is one.
std::vector<Slot> slots_of(const AlarmSettings& settings, std::span<const Sample> samples, std::int64_t end_s) {
  std::vector<Slot> slots;
  const std::int64_t period_s = settings.period_s();
  auto next = samples.rbegin();
  while (next != samples.rend() && next->time_s >= end_s) ++next;
  for (std::int64_t i = 1; i <= evaluation_range(settings); ++i) {
    const std::int64_t begin_s = end_s - i * period_s;
    if (next != samples.rend() && next->time_s >= begin_s) {
      slots.emplace_back(*next);
      while (next != samples.rend() && next->time_s >= begin_s) ++next;
    } else {
      slots.emplace_back();
    }
  }
  return slots;
}

// What DescribeAlarms shows as StateReasonData.
std::string data_of(const AlarmSettings& settings, const std::vector<Sample>& present, std::int64_t now_ms) {
  service::Value data = service::Value::structure();
  data.set("version", "1.0").set("queryDate", service::format_iso_time(now_ms));
  if (!present.empty()) data.set("startDate", service::format_iso_time(present.back().time_s * 1000));
  if (settings.metric && settings.metric->unit) data.set("unit", *settings.metric->unit);
  if (settings.metric) data.set("statistic", settings.metric->statistic_name);
  data.set("period", settings.period_s());
  service::Value recent = service::Value::list();
  service::Value evaluated = service::Value::list();
  for (const Sample& sample : present) {
    if (recent.elements()->size() == kDatapointsInDataMax) break;
    recent.push(sample.value);
    service::Value point = service::Value::structure().set("timestamp", service::format_iso_time(sample.time_s * 1000));
    if (sample.count > 0) point.set("sampleCount", static_cast<double>(sample.count));
    evaluated.push(point.set("value", sample.value));
  }
  data.set("recentDatapoints", std::move(recent)).set("threshold", settings.threshold);
  return service::encode_json(data.set("evaluatedDatapoints", std::move(evaluated)));
}

// Threshold Crossed: 2 out of the last 3 datapoints [5.0 (...), 1.0 (...)] were greater than ... the threshold (2.0) ...
std::string crossed(const AlarmSettings& settings, const std::vector<Sample>& named, std::size_t filled, bool alarm,
                    std::size_t periods) {
  const std::string_view treated = settings.missing == MissingData::breaching ? "Breaching" : "NonBreaching";
  if (named.empty()) {
    return fmt::format("Threshold Crossed: no datapoints were received for {} period{} and {} missing datapoint{} treated "
                       "as [{}].",
                       periods, periods == 1 ? "" : "s", filled, filled == 1 ? " was" : "s were", treated);
  }
  std::vector<std::string> values;
  for (const Sample& sample : named) {
    if (values.size() == kValuesInReasonMax) {
      values.emplace_back("...");
      break;
    }
    values.push_back(shown(sample));
  }
  const bool partly = settings.datapoints_to_alarm < settings.evaluation_periods;
  const std::string who =
      partly ? fmt::format("{} out of the last {} datapoints", named.size(), settings.evaluation_periods)
             : fmt::format("{} datapoint{}", named.size(), named.size() == 1 ? "" : "s");
  std::string text =
      fmt::format("Threshold Crossed: {} [{}] {}{} {} the threshold ({})", who, fmt::join(values, ", "),
                  named.size() == 1 ? "was" : "were", alarm ? "" : " not", comparison_words(settings.comparison),
                  number(settings.threshold));
  if (filled > 0) {
    text += fmt::format(" and {} missing datapoint{} treated as [{}]", filled, filled == 1 ? " was" : "s were", treated);
  }
  if (partly) {
    text += fmt::format(" (minimum {} datapoint{} for {} transition)",
                        alarm ? settings.datapoints_to_alarm
                              : settings.evaluation_periods - settings.datapoints_to_alarm + 1,
                        settings.datapoints_to_alarm == 1 ? "" : "s", alarm ? "OK -> ALARM" : "ALARM -> OK");
  }
  return text + ".";
}

}  // namespace

Verdict evaluate_alarm(const AlarmSettings& settings, AlarmState before, std::span<const Sample> samples,
                       std::int64_t end_s, std::int64_t now_ms) {
  const std::vector<Slot> slots = slots_of(settings, samples, end_s);
  const auto periods = static_cast<std::size_t>(settings.evaluation_periods);
  const bool fills = settings.missing == MissingData::breaching || settings.missing == MissingData::not_breaching;
  std::vector<Sample> present;   // newest first
  std::vector<Sample> breaching;
  std::size_t filled = 0;
  std::size_t oldest_age = 0;  // in periods, of the oldest datapoint that was used
  for (std::size_t i = 0; i < slots.size() && present.size() < periods; ++i) {
    if (slots[i]) {
      present.push_back(*slots[i]);
      oldest_age = i + 1;
      if (breaches(settings, slots[i]->value)) breaching.push_back(*slots[i]);
    }
  }
  // Only what is still missing is filled in.
  if (fills) filled = periods - present.size();
  const auto wanted = static_cast<std::size_t>(settings.datapoints_to_alarm);
  const std::size_t against = breaching.size() + (settings.missing == MissingData::breaching ? filled : 0);
  Verdict verdict;
  verdict.reason_data = data_of(settings, present, now_ms);
  const bool all_breach = !present.empty() && breaching.size() == present.size();
  // Too few datapoints, all of them breaching: an alarm once the oldest is old enough, and no opinion before.
  const bool old_enough = settings.missing == MissingData::missing && all_breach && oldest_age >= wanted;
  if (!fills && all_breach && against < wanted && !old_enough) {
    verdict.state = before;
    return verdict;
  }
  if (against >= wanted || old_enough) {
    verdict.state = AlarmState::alarm;
    verdict.reason = crossed(settings, breaching, settings.missing == MissingData::breaching ? filled : 0, true, periods);
    return verdict;
  }
  if (present.empty() && !fills) {
    // Nothing at all in twice the range: `ignore` keeps what it has.
    verdict.state = settings.missing == MissingData::ignore ? before : AlarmState::insufficient_data;
    verdict.reason = fmt::format("Insufficient Data: {} datapoint{} unknown.", periods, periods == 1 ? " was" : "s were");
    return verdict;
  }
  std::vector<Sample> fine;
  for (const Sample& sample : present) {
    if (!breaches(settings, sample.value)) fine.push_back(sample);
  }
  verdict.state = AlarmState::ok;
  verdict.reason = crossed(settings, fine, settings.missing == MissingData::not_breaching ? filled : 0, false, periods);
  return verdict;
}

}  // namespace stator::cloudwatch
