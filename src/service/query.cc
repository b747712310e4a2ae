#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "base/markup.h"
#include "base/utf8.h"
#include "service/codecs.h"
#include "service/error.h"
#include "service/parameters.h"

namespace stator::service {
namespace {

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out.push_back(' ');
    } else if (text[i] != '%') {
      out.push_back(text[i]);
    } else {
      unsigned byte = 0;
      if (i + 3 > text.size()) return std::nullopt;
      const auto [end, error] = std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
      if (error != std::errc() || end != text.data() + i + 3) return std::nullopt;
      out.push_back(static_cast<char>(byte));
      i += 2;
    }
  }
  return out;
}

tl::unexpected<Error> malformed() { return refuse("MalformedQueryString", "The query string is malformed"); }

// What a form says under one name: a text, or more names below it. Sorted, so that a form is put together in time that grows
// with its size alone.
struct Node {
  std::optional<std::string> text;
  std::map<std::string, Node, std::less<>> children;
};

// Puts `text` where `path` says: Dimensions.member.2.Name is the member Name of the second element of Dimensions.
// False where it is too deep, or more than `left` names would be new.
bool place(Node& root, std::string_view path, std::string text, std::size_t& left) {
  Node* at = &root;
  for (int depth = 0;; ++depth) {
    if (depth > kDepthMax) return false;
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    auto child = at->children.find(name);
    if (child == at->children.end()) {
      if (left-- == 0) return false;
      child = at->children.emplace(name, Node()).first;
    }
    at = &child->second;
    if (dot == std::string_view::npos || dot + 1 == path.size()) break;
    path.remove_prefix(dot + 1);
  }
  at->text = std::move(text);
  return true;
}

bool to_value(Node& node, Value& value);

// The elements 1, 2, ... of a list, which may have come in any order.
bool to_list(Node& numbered, Value& value) {
  std::map<std::size_t, Node*> elements;
  for (auto& [number, element] : numbered.children) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (error != std::errc() || end != number.data() + number.size()) return false;
    if (!elements.emplace(index, &element).second) return false;
  }
  value = Value::list();
  std::size_t next = 1;
  for (const auto& [index, element] : elements) {
    Value converted;
    if (index != next++ || !to_value(*element, converted)) return false;
    value.push(std::move(converted));
  }
  return true;
}

bool to_value(Node& node, Value& value) {
  if (node.text) {
    value = *std::move(node.text);
    return node.children.empty();
  }
  if (const auto member = node.children.find("member"); member != node.children.end() && !member->second.text) {
    return node.children.size() == 1 && to_list(member->second, value);
  }
  value = Value::structure();
  for (auto& [name, child] : node.children) {
    Value converted;
    if (!to_value(child, converted)) return false;
    value.set(name, std::move(converted));
  }
  return true;
}

std::string real_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

void append_xml(std::string& out, const Value& value) {
  if (const bool* truth = value.get<bool>()) {
    out += *truth ? "true" : "false";
  } else if (const std::int64_t* integer = value.get<std::int64_t>()) {
    out += fmt::format_int(*integer).c_str();
  } else if (const double* real = value.get<double>()) {
    out += real_text(*real);
  } else if (const std::string* text = value.get<std::string>()) {
    out += base::escape_markup(*text);
  } else if (const Time* time = value.get<Time>()) {
    out += format_iso_time(time->ms);
  } else if (const Value::List* list = value.elements()) {
    for (const Value& element : *list) {
      out += "<member>";
      append_xml(out, element);
      out += "</member>";
    }
  } else if (const Value::Members* members = value.members()) {
    for (const auto& [name, member] : *members) {
      if (member.is_null()) continue;
      out += value.is_map() ? fmt::format("<entry><key>{}</key><value>", base::escape_markup(name)) : fmt::format("<{}>", name);
      append_xml(out, member);
      out += value.is_map() ? "</value></entry>" : fmt::format("</{}>", name);
    }
  }
}

}  // namespace

Result<Value> decode_form(std::string_view body) {
  Node root;
  std::size_t left = kValuesMax;
  while (!body.empty()) {
    const std::size_t ampersand = body.find('&');
    const std::string_view pair = body.substr(0, ampersand);
    body = ampersand == std::string_view::npos ? std::string_view() : body.substr(ampersand + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const auto name = percent_decode(pair.substr(0, equals));
    auto value = percent_decode(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1));
    if (!name || !value || name->empty() || !base::is_utf8(*name) || !base::is_utf8(*value)) return malformed();
    if (!place(root, *name, *std::move(value), left)) return malformed();
  }
  Value form = Value::structure();
  if (!root.children.empty() && (!to_value(root, form) || form.members() == nullptr)) return malformed();
  return form;
}

FormTarget find_form_target(std::string_view body) {
  FormTarget target;
  while (!body.empty()) {
    const std::size_t ampersand = body.find('&');
    const std::string_view pair = body.substr(0, ampersand);
    body = ampersand == std::string_view::npos ? std::string_view() : body.substr(ampersand + 1);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view name = pair.substr(0, equals);
    if (name == "Action") target.action = percent_decode(pair.substr(equals + 1)).value_or("");
    if (name == "Version") target.version = percent_decode(pair.substr(equals + 1)).value_or("");
  }
  return target;
}

std::string encode_xml(std::string_view operation, std::string_view xml_namespace, const Value& answer,
                       std::string_view request_id) {
  std::string out = fmt::format("<{}Response xmlns=\"{}\">", operation, xml_namespace);
  if (!answer.is_null()) {
    out += fmt::format("<{}Result>", operation);
    append_xml(out, answer);
    out += fmt::format("</{}Result>", operation);
  }
  out += fmt::format("<ResponseMetadata><RequestId>{}</RequestId></ResponseMetadata></{}Response>", request_id, operation);
  return out;
}

std::string encode_xml_error(std::string_view xml_namespace, const Error& error, std::string_view request_id) {
  const auto* known = dynamic_cast<const ServiceError*>(error.detail.get());
  const bool sender = known != nullptr && known->status < 500;
  return fmt::format(
      "<ErrorResponse xmlns=\"{}\"><Error><Type>{}</Type><Code>{}</Code><Message>{}</Message></Error>"
      "<RequestId>{}</RequestId></ErrorResponse>",
      xml_namespace, sender ? "Sender" : "Receiver", base::escape_markup(known != nullptr ? known->code : "InternalFailure"),
      base::escape_markup(error.message), request_id);
}

}  // namespace stator::service
