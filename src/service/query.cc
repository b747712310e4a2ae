#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/markup.h"
#include "service/codecs.h"
#include "service/error.h"
#include "service/parameters.h"

namespace stator::service {
namespace {

constexpr std::size_t kListIndexMax = 100'000;

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

// Puts `text` where `path` says: Dimensions.member.2.Name is the member Name of the second element of Dimensions.
bool place(Value& into, std::string_view path, std::string text, int depth) {
  if (depth > kDepthMax) return false;
  if (path.empty()) {
    into = std::move(text);
    return true;
  }
  const std::size_t dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  std::string_view rest = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  if (name != "member" || rest.empty()) return place(into.member(name), rest, std::move(text), depth + 1);
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
  if (error != std::errc() || index < 1 || index > kListIndexMax) return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  if (rest.starts_with('.')) rest.remove_prefix(1);
  if (into.elements() == nullptr) into = Value::list();
  // Numbers may be out of order and have gaps; elements are few, and one request cannot ask for more than it names.
  if (index > into.elements()->size() + 1) return false;
  if (index == into.elements()->size() + 1) into.push(Value());
  return place((*into.elements())[index - 1], rest, std::move(text), depth + 1);
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
  Value form = Value::structure();
  while (!body.empty()) {
    const std::size_t ampersand = body.find('&');
    const std::string_view pair = body.substr(0, ampersand);
    body = ampersand == std::string_view::npos ? std::string_view() : body.substr(ampersand + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const auto name = percent_decode(pair.substr(0, equals));
    auto value = percent_decode(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1));
    if (!name || !value || name->empty()) return malformed();
    if (!place(form, *name, *std::move(value), 0)) return malformed();
  }
  return form;
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
