#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "service/codecs.h"
#include "service/error.h"

namespace stator::service {
namespace {

using Json = nlohmann::ordered_json;

Value from_json(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return json.get<bool>();
    case Json::value_t::number_integer:
      return json.get<std::int64_t>();
    case Json::value_t::number_unsigned: {
      const auto number = json.get<std::uint64_t>();
      if (number > static_cast<std::uint64_t>(INT64_MAX)) return static_cast<double>(number);
      return static_cast<std::int64_t>(number);
    }
    case Json::value_t::number_float:
      return json.get<double>();
    case Json::value_t::string:
      return json.get<std::string>();
    case Json::value_t::array: {
      Value list = Value::list();
      for (const Json& element : json) list.push(from_json(element));
      return list;
    }
    case Json::value_t::object: {
      Value structure = Value::structure();
      for (const auto& [name, member] : json.items()) structure.set(name, from_json(member));
      return structure;
    }
    default:
      return {};
  }
}

Json to_json(const Value& value) {
  if (const bool* truth = value.get<bool>()) return *truth;
  if (const std::int64_t* integer = value.get<std::int64_t>()) return *integer;
  if (const double* real = value.get<double>()) return *real;
  if (const std::string* text = value.get<std::string>()) return *text;
  if (const Time* time = value.get<Time>()) return static_cast<double>(time->ms) / 1000;
  if (const Value::List* list = value.elements()) {
    Json array = Json::array();
    for (const Value& element : *list) array.push_back(to_json(element));
    return array;
  }
  if (const Value::Members* members = value.members()) {
    Json object = Json::object();
    for (const auto& [name, member] : *members) object[name] = to_json(member);
    return object;
  }
  return nullptr;
}

}  // namespace

Result<Value> decode_json(std::string_view body) {
  if (body.empty()) return Value::structure();
  // The library parses without recursion, but what it builds is walked with it: no deep document may come to be.
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    too_deep |= depth > kDepthMax;
    return !too_deep;
  };
  const Json json = Json::parse(body.begin(), body.end(), watch, false);
  if (too_deep || !json.is_object()) return refuse("MalformedInput", "SerializationException", "The body is not a JSON object");
  return from_json(json);
}

std::string encode_json(const Value& value) {
  return to_json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace stator::service
