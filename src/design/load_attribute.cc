#include "design/load_attribute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stator::design {
namespace {

std::optional<AttributeType> read_type(LoadContext& context, const YAML::Node& node, std::string_view what) {
  return read_choice<AttributeType>(context, node, what,
                                    {{"S", AttributeType::string},
                                     {"N", AttributeType::number},
                                     {"B", AttributeType::binary},
                                     {"BOOL", AttributeType::boolean},
                                     {"NULL", AttributeType::null},
                                     {"SS", AttributeType::string_set},
                                     {"NS", AttributeType::number_set},
                                     {"BS", AttributeType::binary_set},
                                     {"L", AttributeType::list},
                                     {"M", AttributeType::map}});
}

std::optional<ValueFormat> read_format(LoadContext& context, const YAML::Node& node, std::string_view what) {
  return read_choice<ValueFormat>(context, node, what,
                                  {{"text", ValueFormat::text},
                                   {"path", ValueFormat::path},
                                   {"id", ValueFormat::id},
                                   {"uuid", ValueFormat::uuid},
                                   {"ulid", ValueFormat::ulid},
                                   {"date", ValueFormat::date},
                                   {"datetime", ValueFormat::datetime},
                                   {"day_first", ValueFormat::day_first},
                                   {"epoch", ValueFormat::epoch},
                                   {"number", ValueFormat::number},
                                   {"email", ValueFormat::email}});
}

// A list of values, or a map of value and weight.
std::vector<NamedValue> read_values(LoadContext& context, const YAML::Node& node, const std::string& what) {
  std::vector<NamedValue> values;
  if (node.IsMap()) {
    for (const Entry& entry : read_entries(context, node, what)) {
      values.push_back({entry.key, read_number(context, entry.value, what).value_or(1)});
    }
  } else {
    for (std::string& value : read_texts(context, node, what)) values.push_back({std::move(value), 1});
  }
  if (values.empty()) context.problem(position_of(node), what + ": expected at least one value");
  return values;
}

// A number takes a byte for two digits and one more.
double number_bytes(double digits) { return std::ceil(digits / 2) + 1; }

double default_typical_bytes(const Attribute& attribute) {
  const bool is_number = attribute.type == AttributeType::number;
  if (!attribute.values.empty() && !is_number) {
    double bytes = 0;
    double weight = 0;
    for (const NamedValue& value : attribute.values) {
      bytes += value.weight * static_cast<double>(value.value.size());
      weight += value.weight;
    }
    if (weight > 0) return bytes / weight;
  }
  switch (attribute.type) {
    case AttributeType::number:
      if (attribute.format == ValueFormat::epoch) return number_bytes(10);
      if (!attribute.example.empty()) return number_bytes(static_cast<double>(attribute.example.size()));
      return number_bytes(6);
    case AttributeType::boolean:
    case AttributeType::null:
      return 1;
    case AttributeType::string:
      break;
    default:
      return 100;
  }
  if (!attribute.example.empty()) return static_cast<double>(attribute.example.size());
  switch (attribute.format) {
    case ValueFormat::uuid:
      return 36;
    case ValueFormat::ulid:
      return 26;
    case ValueFormat::date:
    case ValueFormat::day_first:
      return 10;
    case ValueFormat::datetime:
      return 20;
    case ValueFormat::id:
      return 12;
    default:
      return 24;
  }
}

// What has one length keeps it; other texts and documents may be twice as long unless the model says how long.
double default_maximum_bytes(const Attribute& attribute) {
  double longest = 0;
  for (const NamedValue& value : attribute.values) longest = std::max(longest, static_cast<double>(value.value.size()));
  if (longest > 0 && attribute.type == AttributeType::string) return longest;
  switch (attribute.type) {
    case AttributeType::boolean:
    case AttributeType::null:
      return attribute.typical_bytes;
    case AttributeType::number:
      return std::max(attribute.typical_bytes, number_bytes(16));
    default:
      break;
  }
  switch (attribute.format) {
    case ValueFormat::uuid:
    case ValueFormat::ulid:
    case ValueFormat::date:
    case ValueFormat::datetime:
    case ValueFormat::day_first:
      return attribute.typical_bytes;
    default:
      return 2 * attribute.typical_bytes;
  }
}

void load_sizes(LoadContext& context, const MapReader& map, Attribute& attribute) {
  if (const auto size = map.find("size")) {
    attribute.typical_bytes = read_bytes(context, *size, map.name("size")).value_or(0);
  } else {
    attribute.typical_bytes = default_typical_bytes(attribute);
  }
  attribute.maximum_bytes = default_maximum_bytes(attribute);
  if (const auto size = map.find("max_size")) {
    if (size->IsScalar() && size->Scalar() == "unbounded") {
      attribute.unbounded = true;
    } else if (const auto bytes = read_bytes(context, *size, map.name("max_size"))) {
      attribute.maximum_bytes = *bytes;
      if (!map.find("size")) attribute.typical_bytes = std::min(attribute.typical_bytes, *bytes);
      if (*bytes < attribute.typical_bytes) {
        context.problem(position_of(*size), fmt::format("{}: expected at least the typical size, {} bytes",
                                                        map.name("max_size"), attribute.typical_bytes));
      }
    }
  }
  attribute.maximum_bytes = std::max(attribute.maximum_bytes, attribute.typical_bytes);
}

void load_numbers(LoadContext& context, const MapReader& map, Attribute& attribute) {
  if (const auto node = map.find("min")) attribute.minimum = read_signed(context, *node, map.name("min"));
  if (const auto node = map.find("max")) attribute.maximum = read_signed(context, *node, map.name("max"));
  if (attribute.minimum && attribute.maximum && *attribute.maximum < *attribute.minimum) {
    context.problem(map.position(), map.name("max") + ": expected at least min");
  }
  std::optional<double> decimals;
  map.number("decimals", decimals);
  if (decimals) attribute.decimals = static_cast<int>(std::min(*decimals, 38.0));
  map.number("distinct", attribute.distinct);
  if (const auto present = map.find("present")) {
    attribute.present = read_share(context, *present, map.name("present")).value_or(1);
  }
}

}  // namespace

Attribute load_attribute(LoadContext& context, const Entry& entry, std::string_view entity) {
  const std::string what = fmt::format("attribute {} of {}", entry.key, entity);
  Attribute attribute;
  attribute.name = entry.key;
  attribute.position = entry.position;
  if (entry.value.IsScalar()) {
    attribute.type = read_type(context, entry.value, what).value_or(AttributeType::string);
    if (attribute.type == AttributeType::number) attribute.format = ValueFormat::number;
    attribute.typical_bytes = default_typical_bytes(attribute);
    attribute.maximum_bytes = std::max(attribute.typical_bytes, default_maximum_bytes(attribute));
    return attribute;
  }
  const MapReader map(context, entry.value, what,
                      {"type", "format", "size", "max_size", "min", "max", "decimals", "values", "distinct", "unique",
                       "sequential", "stored", "present", "example"});
  if (const auto format = map.find("format")) {
    attribute.format = read_format(context, *format, map.name("format")).value_or(ValueFormat::text);
  }
  const bool numeric = attribute.format == ValueFormat::epoch || attribute.format == ValueFormat::number;
  if (numeric) attribute.type = AttributeType::number;
  if (const auto type = map.find("type")) {
    attribute.type = read_type(context, *type, map.name("type")).value_or(attribute.type);
    if (attribute.type == AttributeType::number && !map.find("format")) attribute.format = ValueFormat::number;
  }
  map.text("example", attribute.example);
  map.flag("unique", attribute.unique);
  map.flag("sequential", attribute.sequential);
  map.flag("stored", attribute.stored);
  if (const auto values = map.find("values")) attribute.values = read_values(context, *values, map.name("values"));
  load_numbers(context, map, attribute);
  load_sizes(context, map, attribute);
  return attribute;
}

}  // namespace stator::design
