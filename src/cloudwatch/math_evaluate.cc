#include <cmath>
#include <optional>

#include "cloudwatch/errors.h"
#include "cloudwatch/math.h"

namespace stator::cloudwatch {
namespace {

// Nothing where the result is no number, such as that of a division by zero: the service leaves such points out.
std::optional<double> apply(std::string_view operation, double a, double b) {
  double result = 0;
  if (operation == "+") result = a + b;
  else if (operation == "-") result = a - b;
  else if (operation == "*") result = a * b;
  else if (operation == "/") result = b == 0 ? NAN : a / b;
  else if (operation == "^") result = std::pow(a, b);
  else if (operation == "<") result = a < b ? 1 : 0;
  else if (operation == "<=") result = a <= b ? 1 : 0;
  else if (operation == ">") result = a > b ? 1 : 0;
  else if (operation == ">=") result = a >= b ? 1 : 0;
  else if (operation == "==") result = a == b ? 1 : 0;
  else if (operation == "!=") result = a != b ? 1 : 0;
  else if (operation == "&&") result = a != 0 && b != 0 ? 1 : 0;
  else result = a != 0 || b != 0 ? 1 : 0;
  if (!std::isfinite(result)) return std::nullopt;
  return result;
}

Series combine(std::string_view operation, const Series& left, const Series& right) {
  Series result{left.label, std::max(left.period_s, right.period_s), {}};
  auto other = right.samples.begin();
  for (const Sample& sample : left.samples) {
    while (other != right.samples.end() && other->time_s < sample.time_s) ++other;
    if (other == right.samples.end() || other->time_s != sample.time_s) continue;
    if (const auto value = apply(operation, sample.value, other->value)) {
      result.samples.push_back({sample.time_s, *value, sample.count});
    }
  }
  return result;
}

Series combine(std::string_view operation, const Series& series, double number, bool number_first) {
  Series result{series.label, series.period_s, {}};
  for (const Sample& sample : series.samples) {
    const auto value = number_first ? apply(operation, number, sample.value) : apply(operation, sample.value, number);
    if (value) result.samples.push_back({sample.time_s, *value, sample.count});
  }
  return result;
}

}  // namespace

Result<MathValue> combine_math(std::string_view operation, const MathValue& left, const MathValue& right) {
  using enum MathValue::Kind;
  if (left.kind == text || right.kind == text) return invalid("A string cannot be an operand");
  if (left.kind == scalar && right.kind == scalar) {
    const auto value = apply(operation, left.number, right.number);
    if (!value) return invalid("The expression divides by zero");
    return MathValue::of(*value);
  }
  if (left.kind == array && right.kind == array) return invalid("Two arrays of time series cannot be combined");
  const MathValue& many = left.kind == array || right.kind == scalar ? left : right;
  MathValue result{.kind = left.kind == array || right.kind == array ? array : series};
  for (const Series& one : many.series) {
    if (left.kind == scalar) {
      result.series.push_back(combine(operation, one, left.number, true));
    } else if (right.kind == scalar) {
      result.series.push_back(combine(operation, one, right.number, false));
    } else {
      result.series.push_back(&many == &left ? combine(operation, one, right.series[0])
                                             : combine(operation, left.series[0], one));
    }
  }
  return result;
}

namespace {

Result<MathValue> evaluate_node(const MathNode& node, const MathScope& scope) {
  switch (node.kind) {
    case MathNode::Kind::number:
      return MathValue::of(node.number);
    case MathNode::Kind::text:
      return MathValue{.kind = MathValue::Kind::text, .text = node.text};
    case MathNode::Kind::name:
      if (node.text == "REPEAT" || node.text == "LINEAR") return MathValue{.kind = MathValue::Kind::text, .text = node.text};
      return scope.find(node.text);
    case MathNode::Kind::operation: {
      TRY(const MathValue left, evaluate_math(node.children[0], scope));
      TRY(const MathValue right, evaluate_math(node.children[1], scope));
      return combine_math(node.text, left, right);
    }
    case MathNode::Kind::array: {
      MathValue result{.kind = MathValue::Kind::array};
      for (const MathNode& child : node.children) {
        TRY(MathValue value, evaluate_math(child, scope));
        if (value.kind != MathValue::Kind::series) return invalid("An array must consist of time series");
        result.series.push_back(std::move(value.series[0]));
      }
      return result;
    }
    case MathNode::Kind::call:
      break;
  }
  std::vector<MathValue> arguments;
  for (const MathNode& child : node.children) {
    TRY(MathValue value, evaluate_math(child, scope));
    arguments.push_back(std::move(value));
  }
  return call_math(node.text, std::move(arguments), scope);
}

}  // namespace

Result<MathValue> evaluate_math(const MathNode& node, const MathScope& scope) {
  TRY(MathValue value, evaluate_node(node, scope));
  std::size_t samples = value.series.size();
  for (const Series& series : value.series) samples += series.samples.size();
  if (!scope.budget.take(samples)) return invalid(std::string(kTooManySamples));
  return value;
}

}  // namespace stator::cloudwatch
