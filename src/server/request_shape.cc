#include "server/request_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "api/json_writer.h"

namespace stator::server {
namespace {

using simdjson::SUCCESS;

constexpr std::size_t kElementsShown = 3;
constexpr std::size_t kTextMax = 2000;

constexpr std::array<std::string_view, 10> kTypes = {"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"};

// Members whose texts say how something is asked, not what for.
constexpr std::array<std::string_view, 22> kHarmless = {
    "TableName",
    "IndexName",
    "KeyConditionExpression",
    "FilterExpression",
    "ProjectionExpression",
    "ConditionExpression",
    "UpdateExpression",
    "Select",
    "ReturnValues",
    "ReturnConsumedCapacity",
    "ReturnItemCollectionMetrics",
    "ReturnValuesOnConditionCheckFailure",
    "ConditionalOperator",
    "ComparisonOperator",
    "Action",
    "AttributesToGet",
    "ExpressionAttributeNames",
    "Limit",
    "Segment",
    "TotalSegments",
    "ConsistentRead",
    "ScanIndexForward",
};

// Members that hold values of items: nothing below them is shown but names and types.
constexpr std::array<std::string_view, 5> kValues = {"Item", "Key", "Keys", "ExpressionAttributeValues",
                                                     "ExclusiveStartKey"};
constexpr std::string_view kBelowValues = "?";

std::string_view member_below(std::string_view parent, std::string_view name) {
  if (parent == "ExpressionAttributeNames") return parent;
  const bool values = parent == kBelowValues || std::find(kValues.begin(), kValues.end(), parent) != kValues.end();
  return values ? kBelowValues : name;
}

bool is_harmless(std::string_view member) {
  return std::find(kHarmless.begin(), kHarmless.end(), member) != kHarmless.end();
}

// {"S": "x"} is of type S; empty where the object is not an attribute value.
std::string_view value_type(simdjson::dom::object object) {
  if (object.size() != 1) return {};
  const auto member = *object.begin();
  if (std::find(kTypes.begin(), kTypes.end(), member.key) == kTypes.end()) return {};
  const bool is_text = member.value.is_string() && member.key.size() == 1;
  const bool is_flag = member.value.is_bool() && member.key.size() == 4;
  const bool is_list = member.value.is_array() && (member.key == "L" || member.key.ends_with('S'));
  const bool is_map = member.value.is_object() && member.key == "M";
  return is_text || is_flag || is_list || is_map ? member.key : std::string_view();
}

class Shape {
 public:
  explicit Shape(base::Buffer& out) : out_(out) {}

  // `member` is the name that the value was found under, the last one that the service's model knows.
  void value(api::Json json, std::string_view member) {
    simdjson::dom::object object;
    simdjson::dom::array array;
    if (json.get(object) == SUCCESS) return of_object(object, member);
    if (json.get(array) == SUCCESS) return of_array(array, member);
    std::string_view text;
    std::int64_t number = 0;
    bool flag = false;
    if (json.get(text) == SUCCESS && member == "Statement") {
      out_.string(statement_shape(text.substr(0, kTextMax)));
    } else if (json.get(text) == SUCCESS && is_harmless(member)) {
      out_.string(text.substr(0, kTextMax));
    } else if (json.get(number) == SUCCESS && is_harmless(member)) {
      out_.integer(number);
    } else if (json.get(flag) == SUCCESS) {
      out_.boolean(flag);
    } else {
      out_.string("?");
    }
  }

 private:
  void of_object(simdjson::dom::object object, std::string_view member) {
    if (const std::string_view type = value_type(object); !type.empty()) {
      out_.string(type);
      return;
    }
    out_.begin_object();
    for (const auto field : object) {
      out_.user_key(field.key);
      value(field.value, member_below(member, field.key));
    }
    out_.end_object();
  }
  void of_array(simdjson::dom::array array, std::string_view member) {
    out_.begin_array();
    std::size_t shown = 0;
    for (const api::Json element : array) {
      if (shown++ < kElementsShown) value(element, member);
    }
    if (shown > kElementsShown) out_.string(fmt::format("+{}", shown - kElementsShown));
    out_.end_array();
  }

  api::JsonWriter out_;
};

}  // namespace

void append_shape(base::Buffer& out, api::Json body) { Shape(out).value(body, ""); }

std::string statement_shape(std::string_view statement) {
  std::string out;
  for (std::size_t i = 0; i < statement.size();) {
    const char c = statement[i];
    const bool in_word = !out.empty() && (std::isalnum(static_cast<unsigned char>(out.back())) != 0 || out.back() == '_');
    if (c == '\'') {  // a string; a quote inside of it is doubled
      ++i;
      while (i < statement.size() && (statement[i] != '\'' || (i + 1 < statement.size() && statement[i + 1] == '\''))) {
        i += statement[i] == '\'' ? 2 : 1;
      }
      ++i;
      out.push_back('?');
    } else if (c == '"') {  // a name
      const std::size_t end = std::min(statement.find('"', i + 1), statement.size() - 1);
      out.append(statement.substr(i, end - i + 1));
      i = end + 1;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 && !in_word) {
      const auto goes_on = [&](char d) {
        return std::isalnum(static_cast<unsigned char>(d)) != 0 || d == '.';
      };
      while (i < statement.size() && goes_on(statement[i])) ++i;
      out.push_back('?');
    } else {
      out.push_back(c);
      ++i;
    }
  }
  return out;
}

}  // namespace stator::server
