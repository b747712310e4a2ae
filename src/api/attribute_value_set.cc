// Sets of a request: what a set may not be is said in the service's words, which differ by type.

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "api/attribute_value.h"
#include "base/buffer.h"
#include "item/base64.h"

namespace stator::api {
namespace {

using item::Type;
using item::Value;

std::string base64_text(std::string_view bytes) {
  base::Buffer out;
  item::append_base64(out, bytes);
  return std::string(out.view());
}

// Members up to the first that is there already come sorted, it and the others as they were sent.
std::string current_duplicates_text(Type type, std::span<const std::string_view> texts) {
  if (type == Type::number_set) {
    return "One or more parameter values were invalid: Input collection contains duplicates.";
  }
  std::set<std::string_view> distinct;
  std::size_t repeat = 0;
  while (distinct.insert(texts[repeat]).second) ++repeat;
  std::vector<std::string_view> shown(distinct.begin(), distinct.end());
  shown.insert(shown.end(), texts.begin() + static_cast<std::ptrdiff_t>(repeat), texts.end());
  const bool binary = type == Type::binary_set;
  std::string list;
  for (const std::string_view text : shown) {
    if (!list.empty()) list += binary ? "," : ", ";
    list += fmt::format("\"{}\"", binary ? base64_text(text) : std::string(text));
  }
  return fmt::format("One or more parameter values were invalid: Input collection [{}]{} contains duplicates.", list,
                     binary ? "of type BS" : "");
}

}  // namespace

Value AttributeValueReader::read_set(Type type, Json json) {
  const auto array = json.get_array();
  if (array.error() != simdjson::SUCCESS) {
    state_.fail(json.is_object() ? std::string(kStructureUnexpected) : "Unexpected field type");
    return {};
  }
  std::vector<Value> members;
  members.reserve(array.value_unsafe().size());
  for (const Json element : array.value_unsafe()) {
    if (element.is_null()) {
      reject_null_member(type);
      return {};
    }
    switch (type) {
      case Type::number_set:
        members.push_back(read_number(element));
        break;
      case Type::binary_set:
        members.push_back(read_binary(element));
        break;
      default: {
        const std::optional<std::string_view> text = read_string(element, state_);
        members.push_back(text ? Value::string(*text) : Value());
      }
    }
  }
  if (members.empty()) {
    reject(type == Type::number_set ? InvalidKind::content : InvalidKind::shape,
           type == Type::string_set
               ? "One or more parameter values were invalid: An string set  may not be empty"
           : type == Type::number_set
               ? "One or more parameter values were invalid: An number set  may not be empty"
               : "One or more parameter values were invalid: Binary sets should not be empty");
    return {};
  }
  check_duplicates(type, members);
  return Value::set(type, state_.arena().copy(std::span<const Value>(members)));
}

void AttributeValueReader::reject_null_member(Type type) {
  reject(type == Type::number_set ? InvalidKind::content : InvalidKind::shape,
         type == Type::binary_set
             ? "One or more parameter values were invalid: Binary sets may not contain null or empty members"
             : fmt::format("One or more parameter values were invalid: An {} set may not have a null string as a member",
                           type == Type::number_set ? "number" : "string"));
}

void AttributeValueReader::check_duplicates(Type type, std::span<const Value> members) {
  std::vector<std::string_view> texts;
  for (const Value& member : members) {
    if (!member.is(item::set_member_type(type))) return;  // a broken member is reported already
    texts.push_back(member.text());
  }
  std::vector<std::string_view> sorted = texts;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return;
  if (state_.layer() == Layer::current) {
    reject(InvalidKind::content, current_duplicates_text(type, texts));
  } else if (type == Type::number_set) {
    reject(InvalidKind::content, "Input collection contains duplicates");
  } else if (type == Type::string_set) {
    reject(InvalidKind::content,
           fmt::format("One or more parameter values were invalid: Input collection [{}] contains duplicates.",
                       fmt::join(texts, ", ")));
  } else {
    std::vector<std::string> encoded;
    for (const std::string_view text : texts) encoded.push_back(base64_text(text));
    reject(InvalidKind::content,
           fmt::format("One or more parameter values were invalid: Input collection [{}]of type BS contains "
                       "duplicates.",
                       fmt::join(encoded, ", ")));
  }
}

}  // namespace stator::api
