#include "api/fingerprint.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <vector>

namespace stator::api {
namespace {

bool is_set_type(std::string_view name) { return name == "SS" || name == "NS" || name == "BS"; }

void append_canonical(std::string& out, Json value);

void append_object(std::string& out, simdjson::dom::object object) {
  std::vector<std::pair<std::string_view, Json>> members;
  for (const auto [name, value] : object) members.emplace_back(name, value);
  std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  out.push_back('{');
  for (const auto& [name, value] : members) {
    out += fmt::format("{}:{}", name.size(), name);  // lengths keep names and values apart
    simdjson::dom::array elements;
    if (!is_set_type(name) || value.get(elements) != simdjson::SUCCESS) {
      append_canonical(out, value);
      continue;
    }
    std::vector<std::string> sorted;
    for (const Json element : elements) append_canonical(sorted.emplace_back(), element);
    std::sort(sorted.begin(), sorted.end());
    for (const std::string& element : sorted) out += element;
  }
  out.push_back('}');
}

// Objects are nested as deep as a request may be; the parser has a limit for it.
void append_canonical(std::string& out, Json value) {
  if (value.is_object()) {
    append_object(out, value.get_object().value_unsafe());
  } else if (value.is_array()) {
    out.push_back('[');
    const simdjson::dom::array elements = value.get_array().value_unsafe();
    for (const Json element : elements) append_canonical(out, element);
    out.push_back(']');
  } else if (value.is_string()) {
    const std::string_view text = value.get_string().value_unsafe();
    out += fmt::format("{}:{}", text.size(), text);
  } else {
    out += simdjson::minify(value);
  }
}

}  // namespace

std::string fingerprint(Json body, std::string_view member) {
  std::string text;
  if (const auto found = body[member]; found.error() == simdjson::SUCCESS) append_canonical(text, found.value_unsafe());
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace stator::api
