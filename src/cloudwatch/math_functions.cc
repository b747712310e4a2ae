#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include "cloudwatch/errors.h"
#include "cloudwatch/math.h"

namespace stator::cloudwatch {
namespace {

using Kind = MathValue::Kind;
using Reduce = double (*)(const std::vector<double>&);

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }
double average(const std::vector<double>& values) { return sum(values) / static_cast<double>(values.size()); }
double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }
double greatest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }
double deviation(const std::vector<double>& values) {
  const double mean = average(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

Reduce find_reduce(std::string_view name) {
  if (name == "SUM") return sum;
  if (name == "AVG") return average;
  if (name == "MIN") return least;
  if (name == "MAX") return greatest;
  if (name == "STDDEV") return deviation;
  return nullptr;
}

// Of an array: a series, with the reduced value of each time. Of a series: one number.
Result<MathValue> reduce(Reduce function, const MathValue& argument) {
  if (argument.kind == Kind::scalar) return argument;
  if (argument.kind == Kind::series) {
    std::vector<double> values;
    for (const Sample& sample : argument.series[0].samples) values.push_back(sample.value);
    return MathValue::of(values.empty() ? 0.0 : function(values));
  }
  std::map<std::int64_t, std::vector<double>> by_time;
  Series result;
  for (const Series& series : argument.series) {
    result.period_s = std::max(result.period_s, series.period_s);
    for (const Sample& sample : series.samples) by_time[sample.time_s].push_back(sample.value);
  }
  for (const auto& [time_s, values] : by_time) {
    result.samples.push_back({time_s, function(values), static_cast<std::int64_t>(values.size())});
  }
  return MathValue::of(std::move(result));
}

// Each series made into another one.
template <class Change>
MathValue each(MathValue value, Change change) {
  for (Series& series : value.series) change(series);
  return value;
}

void differences(Series& series, bool per_second) {
  std::vector<Sample> result;
  for (std::size_t i = 1; i < series.samples.size(); ++i) {
    const Sample& now = series.samples[i];
    const Sample& before = series.samples[i - 1];
    const double divisor = per_second ? static_cast<double>(now.time_s - before.time_s) : 1;
    result.push_back({now.time_s, (now.value - before.value) / divisor, now.count});
  }
  series.samples = std::move(result);
}

// The values of a series by time, asked for in order; none where the value is no series.
class Cursor {
 public:
  explicit Cursor(const MathValue& value) {
    if (value.kind == Kind::series) samples_ = value.series[0].samples;
  }
  const Sample* at(std::int64_t time_s) {
    while (next_ < samples_.size() && samples_[next_].time_s < time_s) ++next_;
    return next_ < samples_.size() && samples_[next_].time_s == time_s ? &samples_[next_] : nullptr;
  }

 private:
  std::span<const Sample> samples_;
  std::size_t next_ = 0;
};

// What stands for missing samples: a number, the values of another series, or what is around them.
class Filler {
 public:
  explicit Filler(const MathValue& with) : with_(with), cursor_(with) {}
  // At `time_s`, before samples[next]; nothing where the rule has no answer, as REPEAT before the first sample.
  std::optional<double> at(const std::vector<Sample>& samples, std::size_t next, std::int64_t time_s) {
    if (with_.kind == Kind::scalar) return with_.number;
    if (with_.kind == Kind::series) {
      const Sample* sample = cursor_.at(time_s);
      return sample != nullptr ? std::optional(sample->value) : std::nullopt;
    }
    if (next == 0) return std::nullopt;
    const Sample& before = samples[next - 1];
    if (with_.text == "REPEAT") return before.value;
    if (next == samples.size()) return std::nullopt;
    const Sample& after = samples[next];
    return before.value + (after.value - before.value) * static_cast<double>(time_s - before.time_s) /
                              static_cast<double>(after.time_s - before.time_s);
  }

 private:
  const MathValue& with_;
  Cursor cursor_;
};

void fill(Series& series, const MathValue& with, const MathScope& scope) {
  std::vector<Sample> result;
  Filler filler(with);
  std::size_t next = 0;
  for (std::int64_t time_s = scope.from_s; time_s < scope.to_s; time_s += series.period_s) {
    while (next < series.samples.size() && series.samples[next].time_s < time_s) result.push_back(series.samples[next++]);
    if (next < series.samples.size() && series.samples[next].time_s == time_s) {
      result.push_back(series.samples[next++]);
    } else if (const auto value = filler.at(series.samples, next, time_s)) {
      result.push_back({time_s, *value, 0});
    }
  }
  series.samples = std::move(result);
}

Result<MathValue> call_fill(std::vector<MathValue> arguments, const MathScope& scope) {
  const MathValue& with = arguments[1];
  if (arguments[0].kind != Kind::series && arguments[0].kind != Kind::array) {
    return invalid("The first argument of FILL must be a time series");
  }
  if (with.kind == Kind::array || (with.kind == Kind::text && with.text != "REPEAT" && with.text != "LINEAR")) {
    return invalid("The second argument of FILL must be a number, a time series, REPEAT or LINEAR");
  }
  for (const Series& series : arguments[0].series) {
    // Every period of the time range becomes a sample, which is looked at before there is any.
    const std::int64_t periods = scope.to_s > scope.from_s ? (scope.to_s - scope.from_s) / series.period_s : 0;
    if (!scope.budget.take(static_cast<std::size_t>(periods))) return invalid(std::string(kTooManySamples));
  }
  return each(std::move(arguments[0]), [&](Series& series) { fill(series, with, scope); });
}

Result<MathValue> call_if(const std::vector<MathValue>& arguments) {
  const MathValue otherwise = arguments.size() > 2 ? arguments[2] : MathValue::of(0.0);
  const MathValue& condition = arguments[0];
  if (condition.kind == Kind::scalar) return condition.number != 0 ? arguments[1] : otherwise;
  if (condition.kind != Kind::series) return invalid("The first argument of IF must be a time series or a number");
  Series result{condition.series[0].label, condition.series[0].period_s, {}};
  Cursor then_values(arguments[1]);
  Cursor else_values(otherwise);
  for (const Sample& sample : condition.series[0].samples) {
    const MathValue& chosen = sample.value != 0 ? arguments[1] : otherwise;
    if (sample.value == 0 && arguments.size() < 3) continue;
    if (chosen.kind == Kind::scalar) {
      result.samples.push_back({sample.time_s, chosen.number, sample.count});
    } else if (chosen.kind == Kind::series) {
      const Sample* other = (&chosen == &otherwise ? else_values : then_values).at(sample.time_s);
      if (other != nullptr) result.samples.push_back(*other);
    } else {
      return invalid("The arguments of IF must be time series or numbers");
    }
  }
  return MathValue::of(std::move(result));
}

using Change = double (*)(double);
Change find_change(std::string_view name) {
  if (name == "ABS") return [](double value) { return std::abs(value); };
  if (name == "CEIL") return [](double value) { return std::ceil(value); };
  if (name == "FLOOR") return [](double value) { return std::floor(value); };
  if (name == "LOG") return [](double value) { return std::log(value); };
  if (name == "LOG10") return [](double value) { return std::log10(value); };
  return nullptr;
}

Result<MathValue> call_of_series(const std::string& name, MathValue argument) {
  if (const Change change = find_change(name)) {
    if (argument.kind == Kind::scalar) return MathValue::of(change(argument.number));
    return each(std::move(argument), [&](Series& series) {
      for (Sample& sample : series.samples) sample.value = change(sample.value);
      std::erase_if(series.samples, [](const Sample& sample) { return !std::isfinite(sample.value); });
    });
  }
  if (argument.kind == Kind::scalar) return invalid(fmt::format("The argument of {} must be a time series", name));
  if (name == "RATE") return each(std::move(argument), [](Series& series) { differences(series, true); });
  if (name == "DIFF") return each(std::move(argument), [](Series& series) { differences(series, false); });
  if (name == "PERIOD") {
    return MathValue::of(argument.series.empty() ? 0.0 : static_cast<double>(argument.series[0].period_s));
  }
  if (name == "METRIC_COUNT") return MathValue::of(static_cast<double>(argument.series.size()));
  if (name == "RUNNING_SUM") {
    return each(std::move(argument), [](Series& series) {
      double total = 0;
      for (Sample& sample : series.samples) sample.value = total += sample.value;
    });
  }
  return invalid(fmt::format("The function {} is not supported", name));
}

}  // namespace

Result<MathValue> call_math(const std::string& name, std::vector<MathValue> arguments, const MathScope& scope) {
  const auto wrong_count = [&] { return invalid(fmt::format("Wrong number of arguments for function {}", name)); };
  if (name == "METRICS") {
    if (arguments.size() > 1 || (arguments.size() == 1 && arguments[0].kind != Kind::text)) return wrong_count();
    return MathValue::of(scope.metrics(arguments.empty() ? std::string_view() : std::string_view(arguments[0].text)));
  }
  if (name == "IF") {
    if (arguments.size() < 2 || arguments.size() > 3) return wrong_count();
    return call_if(arguments);
  }
  if (name == "FILL") {
    if (arguments.size() != 2) return wrong_count();
    return call_fill(std::move(arguments), scope);
  }
  if (arguments.size() != 1) return wrong_count();
  if (arguments[0].kind == Kind::text) return invalid(fmt::format("The argument of {} must be a time series", name));
  if (const Reduce function = find_reduce(name)) return reduce(function, arguments[0]);
  return call_of_series(name, std::move(arguments[0]));
}

}  // namespace stator::cloudwatch
