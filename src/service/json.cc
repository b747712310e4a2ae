#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "service/codecs.h"
#include "service/error.h"

namespace stator::service {
namespace {

using Json = nlohmann::json;

// Makes a Value of what the parser meets, in time that grows with the text alone, and stops it where the document is too deep or
// has too many values.
class Builder {
 public:
  bool null() { return add({}); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(INT64_MAX)) return add(static_cast<double>(value));
    return add(static_cast<std::int64_t>(value));
  }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return begin(Value::structure()); }
  bool start_array(std::size_t) { return begin(Value::list()); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool key(std::string& name) {
    open_.back().member = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) { return false; }

  [[nodiscard]] Value& document() { return document_; }

 private:
  struct Open {
    Value value;
    std::string member;  // of a structure, whose value comes next
  };
  bool add(Value value) {
    if (++values_ > kValuesMax) return false;
    if (open_.empty()) document_ = std::move(value);
    else if (Open& open = open_.back(); open.value.elements() != nullptr) open.value.push(std::move(value));
    else open.value.set(open.member, std::move(value));
    return true;
  }
  bool begin(Value value) {
    if (open_.size() >= kDepthMax) return false;
    open_.push_back({std::move(value), {}});
    return true;
  }
  bool end() {
    Value value = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(value));
  }

  std::vector<Open> open_;
  Value document_;
  std::size_t values_ = 0;
};

void append_text(std::string& out, std::string_view text) {
  out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_json(std::string& out, const Value& value) {
  if (const bool* truth = value.get<bool>()) {
    out += *truth ? "true" : "false";
  } else if (const std::int64_t* integer = value.get<std::int64_t>()) {
    fmt::format_to(std::back_inserter(out), "{}", *integer);
  } else if (const double* real = value.get<double>()) {
    out += Json(*real).dump();
  } else if (const std::string* text = value.get<std::string>()) {
    append_text(out, *text);
  } else if (const Time* time = value.get<Time>()) {
    out += Json(static_cast<double>(time->ms) / 1000).dump();
  } else if (const Value::List* list = value.elements()) {
    out.push_back('[');
    for (const Value& element : *list) {
      if (out.back() != '[') out.push_back(',');
      append_json(out, element);
    }
    out.push_back(']');
  } else if (const Value::Members* members = value.members()) {
    out.push_back('{');
    for (const auto& [name, member] : *members) {
      if (out.back() != '{') out.push_back(',');
      append_text(out, name);
      out.push_back(':');
      append_json(out, member);
    }
    out.push_back('}');
  } else {
    out += "null";
  }
}

}  // namespace

Result<Value> decode_json(std::string_view body) {
  if (body.empty()) return Value::structure();
  Builder builder;
  if (!Json::sax_parse(body.begin(), body.end(), &builder) || builder.document().members() == nullptr) {
    return refuse("MalformedInput", "SerializationException", "The body is not a JSON object");
  }
  return std::move(builder.document());
}

std::string encode_json(const Value& value) {
  std::string out;
  append_json(out, value);
  return out;
}

}  // namespace stator::service
