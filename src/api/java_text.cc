#include "api/java_text.h"

#include <fmt/format.h>

#include <array>

namespace stator::api {
namespace {

using item::Type;
using item::Value;

// The members in the order in which they are printed. Some belong to types that no client can send.
struct Member {
  std::string_view name;
  std::optional<Type> type;
};
constexpr std::array<Member, 16> kMembers = {{{"s", Type::string},
                                              {"n", Type::number},
                                              {"b", Type::binary},
                                              {"iNT", std::nullopt},
                                              {"dECIMAL", std::nullopt},
                                              {"dOUBLE", std::nullopt},
                                              {"sS", Type::string_set},
                                              {"nS", Type::number_set},
                                              {"bS", Type::binary_set},
                                              {"iNTSET", std::nullopt},
                                              {"dECIMALSET", std::nullopt},
                                              {"dOUBLESET", std::nullopt},
                                              {"m", Type::map},
                                              {"l", Type::list},
                                              {"nULL", Type::null},
                                              {"bOOL", Type::boolean}}};

void append_scalar(std::string& out, const Value& value) {
  if (value.is(Type::binary)) {
    const std::size_t size = value.text().size();
    out += fmt::format("java.nio.HeapByteBuffer[pos=0 lim={} cap={}]", size, size);
  } else {
    out += value.text();
  }
}

void append_map(std::string& out, item::Attributes attributes) {
  out += '{';
  bool first = true;
  for (const item::Attribute& attribute : attributes) {
    if (out.size() >= kJavaTextBytesMax) break;
    if (!first) out += ", ";
    first = false;
    out += attribute.name;
    out += '=';
    append_java_text(out, attribute.value);
  }
  out += '}';
}

void append_content(std::string& out, const Value& value) {
  switch (value.type()) {
    case Type::boolean:
      out += value.as_bool() ? "true" : "false";
      break;
    case Type::null:
      out += "true";
      break;
    case Type::map:
      append_map(out, value.attributes());
      break;
    case Type::list:
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set: {
      out += '[';
      bool first = true;
      for (const Value& element : value.elements()) {
        if (out.size() >= kJavaTextBytesMax) break;
        if (!first) out += ", ";
        first = false;
        if (value.is(Type::list)) {
          append_java_text(out, element);
        } else {
          append_scalar(out, element);
        }
      }
      out += ']';
      break;
    }
    default:
      append_scalar(out, value);
  }
}

}  // namespace

void append_java_text(std::string& out, const Value& value) {
  out += "AttributeValue(";
  bool first = true;
  for (const Member& member : kMembers) {
    if (!first) out += ", ";
    first = false;
    out += member.name;
    out += '=';
    if (member.type == value.type()) {
      append_content(out, value);
    } else {
      out += "null";
    }
  }
  out += ')';
}

void append_java_text(std::string& out, const std::optional<ReadAttributes>& attributes) {
  if (attributes) {
    append_map(out, attributes->attributes);
  } else {
    out += "null";
  }
}

}  // namespace stator::api
