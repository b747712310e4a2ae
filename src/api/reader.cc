#include "api/reader.h"

#include <fmt/format.h>

#include <cctype>

#include "api/attribute_value.h"
#include "api/violations.h"

namespace stator::api {
namespace {

constexpr std::string_view kModelPackage = "com.amazonaws.dynamodb.v20120810";

// How the service's parser names a scalar in its complaints.
std::string_view token_name(Json value) {
  switch (value.type()) {
    case JsonType::BOOL:
      return bool(value) ? "TRUE_VALUE" : "FALSE_VALUE";
    case JsonType::INT64:
    case JsonType::UINT64:
      return "NUMBER_VALUE";
    case JsonType::DOUBLE:
      return "DECIMAL_VALUE";
    default:
      return "STRING_VALUE";
  }
}

void fail_scalar(Json value, std::string_view type, ReadState& state) {
  if (value.is_array()) {
    state.fail(fmt::format("Unrecognized collection type class java.lang.{}", type));
  } else if (value.is_object()) {
    state.fail(std::string(kStructureUnexpected));
  } else {
    state.fail(fmt::format("{} cannot be converted to {}", token_name(value), type));
  }
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return std::tolower(static_cast<unsigned char>(x)) == y;
         });
}

// The service takes some spellings of booleans in strings.
std::optional<bool> boolean_of_text(std::string_view text) {
  for (const std::string_view yes : {"true", "1", "yes"}) {
    if (equals_ignoring_case(text, yes)) return true;
  }
  for (const std::string_view no : {"false", "0", "no"}) {
    if (equals_ignoring_case(text, no)) return false;
  }
  return std::nullopt;
}

}  // namespace

Reader::Reader(Json object, ReadState& state) : state_(&state) {
  const auto members = object.get_object();
  if (members.error() != simdjson::SUCCESS) return;
  const std::span<Member> room = state.arena().array<Member>(members.value_unsafe().size());
  std::size_t count = 0;
  for (const auto field : members.value_unsafe()) {
    if (count == room.size()) break;  // size() saturates for very large objects: none of our structures is one
    room[count++] = {field.key, field.value};
  }
  members_ = room.first(count);
}

// Of several members of one name the last one counts, as in the service's parser.
std::optional<Json> Reader::find(std::string_view name) const {
  for (auto member = members_.rbegin(); member != members_.rend(); ++member) {
    if (member->name != name) continue;
    if (member->value.is_null()) return std::nullopt;
    return member->value;
  }
  return std::nullopt;
}

std::optional<std::string_view> read_string(Json value, ReadState& state) {
  const auto text = value.get_string();
  if (text.error() == simdjson::SUCCESS) return text.value_unsafe();
  fail_scalar(value, "String", state);
  return std::nullopt;
}

std::optional<std::string_view> Reader::string(std::string_view name) const {
  const std::optional<Json> value = find(name);
  if (!value) return std::nullopt;
  return read_string(*value, *state_);
}

std::optional<std::int64_t> Reader::number(std::string_view name, std::string_view type) const {
  const std::optional<Json> value = find(name);
  if (!value) return std::nullopt;
  switch (value->type()) {
    case JsonType::INT64:
      return std::int64_t(*value);
    case JsonType::UINT64:
      return std::numeric_limits<std::int64_t>::max();
    case JsonType::DOUBLE: {
      const double real = double(*value);
      constexpr double kLimit = 9.2e18;
      if (real >= kLimit) return std::numeric_limits<std::int64_t>::max();
      if (real <= -kLimit) return std::numeric_limits<std::int64_t>::min();
      return static_cast<std::int64_t>(real);
    }
    default:
      fail_scalar(*value, type, *state_);
      return std::nullopt;
  }
}

std::optional<std::int64_t> Reader::integer(std::string_view name) const { return number(name, "Integer"); }
std::optional<std::int64_t> Reader::long_integer(std::string_view name) const { return number(name, "Long"); }

std::optional<bool> read_boolean(Json value, ReadState& state) {
  if (value.is_bool()) return bool(value);
  if (value.is_string()) {
    const std::optional<bool> parsed = boolean_of_text(std::string_view(value));
    if (!parsed) state.fail("Unexpected token received from parser");
    return parsed;
  }
  fail_scalar(value, "Boolean", state);
  return std::nullopt;
}

std::optional<bool> Reader::boolean(std::string_view name) const {
  const std::optional<Json> value = find(name);
  if (!value) return std::nullopt;
  return read_boolean(*value, *state_);
}

std::optional<simdjson::dom::object> Reader::map(std::string_view name, std::string_view element) const {
  const std::optional<Json> value = find(name);
  if (!value) return std::nullopt;
  const auto object = value->get_object();
  if (object.error() == simdjson::SUCCESS) return object.value_unsafe();
  state_->fail(value->is_array()
                   ? fmt::format("Unrecognized collection type java.util.Map<java.lang.String, {}>", element)
                   : std::string("Unexpected field type"));
  return std::nullopt;
}

void ReadState::note_long_name(std::string_view member, std::string_view names) {
  if (long_name_) return;
  // The value itself would be longer than all the rest of the text.
  std::string path(member);
  path.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(path.front())));
  Violations violations;
  violations.add("", path,
                 fmt::format("{} must satisfy constraint: [Member must have length less than or equal to {}, Member "
                             "must have length greater than or equal to 0]",
                             names, kNameBytesMax));
  long_name_ = violations.result().error();
}

ReadAttributes read_attributes(simdjson::dom::object object, ReadState& state, Nesting nesting,
                               std::string_view member) {
  ReadAttributes result;
  AttributeValueReader reader(state, nesting);
  result.attributes = reader.read_attributes(object, member);
  result.invalid = reader.take_invalid();
  result.invalid_name = reader.invalid_name();
  result.invalid_kind = reader.invalid_kind();
  return result;
}

std::optional<ReadAttributes> Reader::attributes(std::string_view name, Nesting nesting) const {
  static const std::string element = fmt::format("{}.AttributeValue", kModelPackage);
  const auto object = map(name, element);
  if (!object) return std::nullopt;
  return read_attributes(*object, *state_, nesting, name);
}

std::optional<ReadValues> Reader::value(std::string_view name) const {
  const std::optional<Json> json = find(name);
  if (!json) return std::nullopt;
  if (!json->is_object()) {
    static_cast<void>(read_structure(*json, "AttributeValue", true, *state_));
    return std::nullopt;
  }
  AttributeValueReader reader(*state_);
  const std::span<item::Value> room = state_->arena().array<item::Value>(1);
  room[0] = reader.read(*json, 1);
  return ReadValues{room, reader.take_invalid()};
}

std::optional<ReadValues> Reader::values(std::string_view name) const {
  const std::optional<Json> json = find(name);
  if (!json) return std::nullopt;
  const auto array = json->get_array();
  if (array.error() != simdjson::SUCCESS) {
    state_->fail(json->is_object() ? std::string(kStructureUnexpected) : "Unexpected field type");
    return std::nullopt;
  }
  AttributeValueReader reader(*state_);
  std::vector<item::Value> values;
  for (const Json element : array.value_unsafe()) values.push_back(reader.read(element, 1));
  return ReadValues{state_->arena().copy(std::span<const item::Value>(values)), reader.take_invalid()};
}

std::optional<std::span<const expr::Name>> Reader::names(std::string_view name) const {
  const auto object = map(name, "java.lang.String");
  if (!object) return std::nullopt;
  std::vector<expr::Name> names;
  for (const auto field : *object) {
    if (field.value.is_null()) continue;
    const std::optional<std::string_view> text = read_string(field.value, *state_);
    if (!text) return std::nullopt;
    state_->check_name(*text, name, "Map value");
    names.push_back({field.key, *text});
  }
  return state_->arena().copy(std::span<const expr::Name>(names));
}

std::optional<std::vector<std::string_view>> Reader::strings(std::string_view name) const {
  const std::optional<Json> value = find(name);
  if (!value) return std::nullopt;
  const auto array = value->get_array();
  if (array.error() != simdjson::SUCCESS) {
    state_->fail(value->is_object() ? std::string(kStructureUnexpected) : "Unexpected field type");
    return std::nullopt;
  }
  std::vector<std::string_view> result;
  for (const Json element : array.value_unsafe()) {
    const std::optional<std::string_view> text = read_string(element, *state_);
    if (!text) return std::nullopt;
    result.push_back(*text);
  }
  return result;
}

std::optional<std::vector<std::string_view>> Reader::attributes_to_get() const {
  constexpr std::string_view kMember = "AttributesToGet";
  auto result = strings(kMember);
  if (!result) return result;
  for (const std::string_view name : *result) state_->check_name(name, kMember, "Member");
  return result;
}

std::optional<Reader> read_structure(Json value, std::string_view type, bool is_member, ReadState& state) {
  if (value.is_object()) return Reader(value, state);
  if (value.is_array()) {
    state.fail(fmt::format("Unrecognized collection type class {}.{}", kModelPackage, type));
  } else {
    state.fail(is_member ? "Unexpected field type" : "Unexpected value type in payload");
  }
  return std::nullopt;
}

std::optional<Reader> Reader::object(std::string_view name, std::string_view type) const {
  const std::optional<Json> value = find(name);
  if (!value) return std::nullopt;
  return read_structure(*value, type, true, *state_);
}

std::optional<std::vector<Reader>> Reader::objects(std::string_view name, std::string_view type) const {
  const std::optional<Json> value = find(name);
  if (!value) return std::nullopt;
  const auto array = value->get_array();
  if (array.error() != simdjson::SUCCESS) {
    state_->fail(value->is_object() ? std::string(kStructureUnexpected) : "Unexpected field type");
    return std::nullopt;
  }
  std::vector<Reader> result;
  for (const Json element : array.value_unsafe()) {
    if (element.is_null()) continue;
    const std::optional<Reader> reader = read_structure(element, type, false, *state_);
    if (!reader) return std::nullopt;
    result.push_back(*reader);
  }
  return result;
}

}  // namespace stator::api
