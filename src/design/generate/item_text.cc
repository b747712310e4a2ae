#include "design/generate/item_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/buffer.h"
#include "design/generate/random.h"
#include "design/generate/values.h"
#include "item/base64.h"
#include "item/number.h"

namespace stator::design {

namespace {

std::size_t number_size(std::string_view text) {
  const auto number = item::parse_number(text);
  return number ? item::number_bytes(*number) : 1;
}

// Elements of about 16 bytes; one at least.
std::size_t element_count(double bytes) { return std::max<std::size_t>(1, static_cast<std::size_t>(bytes / 17)); }

void fill_list(GeneratedAttribute& out, double bytes, std::uint64_t bits) {
  out.json = R"({"L":[)";
  out.bytes = 3;
  const std::size_t count = element_count(bytes - 3);
  for (std::size_t at = 0; at < count; ++at) {
    const std::string element = words(mix(bits, at), 16);
    out.json += fmt::format(R"({}{{"S":{}}})", at == 0 ? "" : ",", json_text(element));
    out.bytes += 1 + element.size();
  }
  out.json += "]}";
}

void fill_map(GeneratedAttribute& out, double bytes, std::uint64_t bits) {
  out.json = R"({"M":{)";
  out.bytes = 3;
  const std::size_t count = std::max<std::size_t>(1, element_count(bytes - 3) * 17 / 24);
  for (std::size_t at = 0; at < count; ++at) {
    const std::string name = fmt::format("part{:03}", at);
    const std::string element = words(mix(bits, at), 16);
    out.json += fmt::format(R"({}{}:{{"S":{}}})", at == 0 ? "" : ",", json_text(name), json_text(element));
    out.bytes += 1 + name.size() + element.size();
  }
  out.json += "}}";
}

// Members differ by their number, and the numbers keep them in order.
void fill_set(GeneratedAttribute& out, double bytes, std::uint64_t bits) {
  out.json = fmt::format(R"({{"{}":[)", attribute_type_text(out.type));
  const std::size_t count = element_count(bytes);
  for (std::size_t at = 0; at < count; ++at) {
    std::string member = fmt::format("{:04}{}", at, words(mix(bits, at), 8));
    if (out.type == AttributeType::number_set) member = fmt::format("{}", 1000 + at);
    out.bytes += out.type == AttributeType::number_set ? number_size(member) : member.size();
    if (out.type == AttributeType::binary_set) {
      base::Buffer encoded;
      item::append_base64(encoded, member);
      member = std::string(encoded.view());
    }
    out.json += (at == 0 ? "" : ",") + json_text(member);
  }
  out.json += "]}";
}

}  // namespace

const GeneratedAttribute* GeneratedItem::attribute(std::string_view name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const GeneratedAttribute& attribute) { return attribute.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

std::size_t GeneratedItem::bytes() const {
  std::size_t sum = 0;
  for (const GeneratedAttribute& attribute : attributes) sum += attribute.name.size() + attribute.bytes;
  return sum;
}

std::string GeneratedItem::json() const {
  std::string out = "{";
  for (const GeneratedAttribute& attribute : attributes) {
    if (out.size() > 1) out += ',';
    out += json_text(attribute.name) + ":" + attribute.json;
  }
  return out + "}";
}

std::string GeneratedItem::json(const std::vector<std::string>& names) const {
  std::string out = "{";
  for (const GeneratedAttribute& attribute : attributes) {
    if (std::find(names.begin(), names.end(), attribute.name) == names.end()) continue;
    if (out.size() > 1) out += ',';
    out += json_text(attribute.name) + ":" + attribute.json;
  }
  return out + "}";
}

GeneratedAttribute make_attribute(std::string name, AttributeType type, std::string text, double bytes,
                                  std::uint64_t bits) {
  GeneratedAttribute out{std::move(name), type, {}, {}, 0};
  switch (type) {
    case AttributeType::string:
      out.bytes = text.size();
      out.json = fmt::format(R"({{"S":{}}})", json_text(text));
      out.text = std::move(text);
      break;
    case AttributeType::number:
      out.bytes = number_size(text);
      out.json = fmt::format(R"({{"N":"{}"}})", text);
      out.text = std::move(text);
      break;
    case AttributeType::boolean:
      out.bytes = 1;
      out.json = fmt::format(R"({{"BOOL":{}}})", text == "true" ? "true" : "false");
      out.text = std::move(text);
      break;
    case AttributeType::null:
      out.bytes = 1;
      out.json = R"({"NULL":true})";
      break;
    case AttributeType::binary: {
      base::Buffer encoded;
      item::append_base64(encoded, text);
      out.bytes = text.size();
      out.json = fmt::format(R"({{"B":"{}"}})", encoded.view());
      out.text = std::move(text);
      break;
    }
    case AttributeType::list:
      fill_list(out, bytes, bits);
      break;
    case AttributeType::map:
      fill_map(out, bytes, bits);
      break;
    default:
      fill_set(out, bytes, bits);
  }
  return out;
}

std::string json_text(std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f && c != '"' && c != '\\';
  });
  if (plain) return fmt::format("\"{}\"", text);
  return nlohmann::json(text).dump();
}

}  // namespace stator::design
