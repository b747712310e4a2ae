#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cloudwatch/metric_input.h"

// Metric math: expressions over time series, as GetMetricData and alarms have them. The text becomes a tree, the tree is
// evaluated on the series of the same request.
namespace stator::cloudwatch {

struct Series {
  std::string label;
  std::int64_t period_s = 60;
  std::vector<Sample> samples;  // oldest first
};

// What an expression or a part of it is worth.
struct MathValue {
  enum class Kind : std::uint8_t { scalar, series, array, text };
  Kind kind = Kind::scalar;
  double number = 0;
  std::vector<Series> series;  // one for a series
  std::string text;

  [[nodiscard]] static MathValue of(double number) { return {.number = number}; }
  [[nodiscard]] static MathValue of(Series series) {
    MathValue value{.kind = Kind::series};
    value.series.push_back(std::move(series));
    return value;
  }
  [[nodiscard]] static MathValue of(std::vector<Series> series) {
    return {.kind = Kind::array, .series = std::move(series)};
  }
};

struct MathNode {
  enum class Kind : std::uint8_t { number, text, name, operation, call, array };
  Kind kind = Kind::number;
  double number = 0;
  std::string text;  // a name, an operator, the name of a function in capitals
  std::vector<MathNode> children;
};

// Datapoints that all expressions of a request may read and compute together: what bounds its time and memory, whatever the time
// range and the expressions are.
struct MathBudget {
  std::size_t left = 4'000'000;

  [[nodiscard]] bool take(std::size_t samples) {
    if (samples > left) return false;
    left -= samples;
    return true;
  }
};
inline constexpr std::string_view kTooManySamples =
    "The request computes too many datapoints. Reduce the time range or the number of queries, or increase the period.";

// What expressions see of their request.
struct MathScope {
  MathBudget& budget;
  // The value of another query of the request by its id; an error where there is none.
  std::function<Result<MathValue>(std::string_view id)> find;
  // Every query of the request that names a metric, and whose id contains the text.
  std::function<std::vector<Series>(std::string_view id_part)> metrics;
  std::int64_t from_s = 0;
  std::int64_t to_s = 0;
};

// Errors are plain texts; the caller says whose expression it was.
[[nodiscard]] Result<MathNode> parse_math(std::string_view text);
[[nodiscard]] Result<MathValue> evaluate_math(const MathNode& node, const MathScope& scope);
// A function such as SUM of values.
[[nodiscard]] Result<MathValue> call_math(const std::string& name, std::vector<MathValue> arguments,
                                          const MathScope& scope);
// left operator right, for every pair of samples of the same time.
[[nodiscard]] Result<MathValue> combine_math(std::string_view operation, const MathValue& left, const MathValue& right);

}  // namespace stator::cloudwatch
