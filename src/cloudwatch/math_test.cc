#include "cloudwatch/math.h"

#include <gtest/gtest.h>

namespace stator::cloudwatch {
namespace {

Series series(std::initializer_list<std::pair<std::int64_t, double>> samples) {
  Series result{"", 60, {}};
  for (const auto& [minute, value] : samples) result.samples.push_back({minute * 60, value, 1});
  return result;
}

MathScope scope() {
  static MathBudget budget;
  budget = {};
  MathScope scope{.budget = budget};
  scope.from_s = 0;
  scope.to_s = 300;
  scope.find = [](std::string_view id) -> Result<MathValue> {
    if (id == "m1") return MathValue::of(series({{0, 1}, {1, 2}, {3, 4}}));
    if (id == "m2") return MathValue::of(series({{0, 10}, {1, 0}, {2, 30}, {3, 40}}));
    return invalid("Undefined variable");
  };
  scope.metrics = [](std::string_view) { return std::vector<Series>{series({{0, 1}, {1, 2}}), series({{0, 5}})}; };
  return scope;
}

// "0=1 1=2", a number, or the error.
std::string run(std::string_view text) {
  const Result<MathNode> node = parse_math(text);
  if (!node) return "error";
  const Result<MathValue> value = evaluate_math(*node, scope());
  if (!value) return "error";
  std::string out;
  if (value->kind == MathValue::Kind::scalar) return std::to_string(value->number).substr(0, 4);
  for (const Series& one : value->series) {
    for (const Sample& sample : one.samples) {
      if (!out.empty()) out += ' ';
      out += std::to_string(sample.time_s / 60) + "=" + std::to_string(static_cast<long>(sample.value * 10) / 10.0).substr(0, 4);
    }
    if (&one != &value->series.back()) out += " |";
  }
  return out;
}

struct MathCase {
  const char* expression;
  const char* result;
};

TEST(Math, ComputesWhatTheServiceComputes) {
  constexpr MathCase kCases[] = {
      {"1 + 2 * 3 ^ 2", "19.0"},
      {"(1 + 2) * 3", "9.00"},
      {"-2 + 1", "-1.0"},
      {"m1 + m2", "0=11.0 1=2.00 3=44.0"},        // times that both have
      {"m1 / m2", "0=0.10 3=0.10"},               // no value where the divisor is zero
      {"m1 * 2", "0=2.00 1=4.00 3=8.00"},
      {"10 - m1", "0=9.00 1=8.00 3=6.00"},
      {"SUM(m1)", "7.00"},
      {"AVG([m1, m2])", "0=5.50 1=1.00 2=30.0 3=22.0"},
      {"MAX(METRICS())", "0=5.00 1=2.00"},
      {"MIN(METRICS())", "0=1.00 1=2.00"},
      {"SUM(METRICS(\"m\"))", "0=6.00 1=2.00"},
      {"METRICS() * 2", "0=2.00 1=4.00 | 0=10.0"},
      {"FILL(m1, 0)", "0=1.00 1=2.00 2=0.00 3=4.00 4=0.00"},
      {"FILL(m1, REPEAT)", "0=1.00 1=2.00 2=2.00 3=4.00 4=4.00"},
      {"FILL(m1, LINEAR)", "0=1.00 1=2.00 2=3.00 3=4.00"},
      {"IF(m1 > 1, m1, 0)", "0=0.00 1=2.00 3=4.00"},
      {"m1 >= 2 AND m1 < 4", "0=0.00 1=1.00 3=0.00"},
      {"DIFF(m1)", "1=1.00 3=2.00"},
      {"PERIOD(m1)", "60.0"},
      {"CEIL(m1 / 4)", "0=1.00 1=1.00 3=1.00"},
      {"RUNNING_SUM(m1)", "0=1.00 1=3.00 3=7.00"},
  };
  for (const auto& [expression, result] : kCases) EXPECT_EQ(run(expression), result) << expression;
}

TEST(Math, RefusesWhatItCannotRead) {
  for (const char* expression : {"", "1 +", "m1 m2", "(m1", "SUM(m1", "SUM()", "unknown", "NOSUCH(m1)", "'open", "[1, 2]",
                                 "1 / 0", "METRICS() + METRICS()", "FILL(m1)", "m1 $ 2"}) {
    EXPECT_EQ(run(expression), "error") << expression;
  }
}

TEST(Math, HasLimits) {
  EXPECT_EQ(run(std::string(100'000, '(')), "error");
  EXPECT_EQ(run(std::string(100'000, '-') + "1"), "error");
  std::string sum = "1";
  for (int i = 0; i < 10'000; ++i) sum += "+1";
  EXPECT_EQ(run(sum), "error");
}

}  // namespace
}  // namespace stator::cloudwatch
