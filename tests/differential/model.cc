#include "model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/arena.h"
#include "item/size.h"
#include "item/stored_item.h"

namespace stator::differential {
namespace {

using item::Attribute;
using item::Type;
using item::Value;

std::vector<Attribute> decode(std::string_view item_text, base::Arena& arena) {
  const std::string map = std::string(R"({"M":)").append(item_text).append("}");
  const auto value = item::decode_value(arena.copy(std::string_view(map)), arena);
  EXPECT_TRUE(value.has_value()) << item_text;
  if (!value) return {};
  return {value->attributes().begin(), value->attributes().end()};
}

std::string text_of(const Value& value) {
  base::Buffer out;
  item::append_value(out, value);
  return std::string(out.view());
}

Value in_order(const Value& value, base::Arena& arena);

std::span<const Attribute> in_order(std::span<const Attribute> attributes, base::Arena& arena) {
  const std::span<Attribute> result = arena.copy(attributes);
  for (Attribute& attribute : result) attribute.value = in_order(attribute.value, arena);
  std::sort(result.begin(), result.end(),
            [](const Attribute& a, const Attribute& b) { return a.name < b.name; });
  return result;
}

Value in_order(const Value& value, base::Arena& arena) {
  if (value.is(Type::map)) return Value::map(in_order(value.attributes(), arena));
  if (value.is(Type::list)) {
    const std::span<Value> elements = arena.copy(value.elements());
    for (Value& element : elements) element = in_order(element, arena);
    return Value::list(elements);
  }
  if (!item::is_set(value.type())) return value;
  const std::span<Value> members = arena.copy(value.elements());
  std::sort(members.begin(), members.end(),
            [](const Value& a, const Value& b) { return text_of(a) < text_of(b); });
  return Value::set(value.type(), members);
}

std::string canonical(std::span<const Attribute> attributes, base::Arena& arena) {
  base::Buffer out;
  item::append_attributes(out, in_order(attributes, arena));
  return std::string(out.view());
}

struct IndexRule {
  const char* name;
  std::vector<Attribute> keys;  // names, with a value of the right type
  bool all = false;
  std::vector<std::string_view> projected;
};

const std::vector<IndexRule>& index_rules() {
  static const Value text = Value::string("");
  static const Value number = Value::number("0");
  static const std::vector<IndexRule> rules = {
      {"local_keys", {{"l", text}}, false, {"pk", "sk", "l"}},
      {"local_some", {{"n", number}}, false, {"pk", "sk", "n", "a"}},
      {"global_all", {{"g", text}, {"n", number}}, true, {}},
      {"global_keys", {{"g", text}}, false, {"pk", "sk", "g"}},
      {"global_some", {{"l", text}}, false, {"pk", "sk", "l", "a", "s"}},
  };
  return rules;
}

bool is_in(const IndexRule& rule, const std::vector<Attribute>& attributes) {
  return std::all_of(rule.keys.begin(), rule.keys.end(), [&](const Attribute& key) {
    const Value* value = item::find(attributes, key.name);
    return value != nullptr && value->is(key.value.type());
  });
}

}  // namespace

std::string canonical_item(std::string_view item_text) {
  base::Arena arena;
  return canonical(decode(item_text, arena), arena);
}

std::string Model::item(const Key& key) const {
  const auto found = items_.find(key);
  return found != items_.end() ? found->second : std::string();
}

std::vector<std::string> Model::all() const {
  std::vector<std::string> result;
  for (const auto& [key, text] : items_) result.push_back(canonical_item(text));
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> Model::partition(int partition) const {
  std::vector<std::string> result;
  for (const auto& [key, text] : items_) {
    if (key.partition == partition) result.push_back(text);
  }
  return result;
}

std::vector<Model::IndexContent> Model::indexes() const {
  std::vector<IndexContent> result;
  for (const IndexRule& rule : index_rules()) {
    IndexContent content{rule.name, {}, 0};
    for (const auto& [key, text] : items_) {
      base::Arena arena;
      std::vector<Attribute> attributes = decode(text, arena);
      if (!is_in(rule, attributes)) continue;
      const auto& names = rule.projected;
      std::erase_if(attributes, [&](const Attribute& attribute) {
        return !rule.all && std::find(names.begin(), names.end(), attribute.name) == names.end();
      });
      content.items.push_back(canonical(attributes, arena));
      content.bytes += static_cast<std::int64_t>(item::item_bytes(attributes));
    }
    std::sort(content.items.begin(), content.items.end());
    result.push_back(std::move(content));
  }
  return result;
}

std::int64_t Model::bytes() const {
  std::int64_t sum = 0;
  for (const auto& [key, text] : items_) {
    base::Arena arena;
    sum += static_cast<std::int64_t>(item::item_bytes(decode(text, arena)));
  }
  return sum;
}

}  // namespace stator::differential
