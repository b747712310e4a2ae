#include "design/workbench/infer_entity.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "design/size/json_item.h"
#include "item/size.h"

namespace stator::design {

namespace {
using OrderedJson = nlohmann::ordered_json;
}

std::optional<std::string> text_of(const OrderedJson& item, const std::string& name) {
  const auto found = item.find(name);
  if (found == item.end() || !found->is_object() || found->size() != 1) return std::nullopt;
  const OrderedJson& value = found->begin().value();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  return std::nullopt;
}

namespace {

constexpr std::size_t kListedValuesMax = 8;  // values that are listed
constexpr std::size_t kListedItemsMin =
    20;  // items that it takes to believe that there are no others

AttributeType type_of(const std::string& wire) {
  constexpr AttributeType kTypes[] = {AttributeType::string,     AttributeType::number,
                                      AttributeType::binary,     AttributeType::boolean,
                                      AttributeType::null,       AttributeType::string_set,
                                      AttributeType::number_set, AttributeType::binary_set,
                                      AttributeType::list,       AttributeType::map};
  for (const AttributeType type : kTypes)
    if (attribute_type_text(type) == wire) return type;
  return AttributeType::string;
}

bool is_key(const Model& model, const std::string& name) {
  const auto keys = model.key_attributes();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const KeyAttribute& key) { return key.name == name; });
}

void describe_text(const Column& column, Attribute& attribute) {
  std::map<std::string, double> values;
  for (const std::string& value : column) ++values[value];
  attribute.format = guess_format(column);
  const bool listed = column.size() >= kListedItemsMin && values.size() <= kListedValuesMax;
  if (listed) {
    attribute.format = ValueFormat::text;
    for (const auto& [value, count] : values) attribute.values.push_back({value, count});
  } else if (values.size() == column.size() && column.size() > 1 &&
             attribute.format != ValueFormat::text) {
    attribute.unique = attribute.format == ValueFormat::id ||
                       attribute.format == ValueFormat::uuid ||
                       attribute.format == ValueFormat::ulid;
  }
}

// Gives the columns of scalar attributes that every item has: candidates for fields of keys.
std::map<std::string, Column> add_attributes(const Model& model, const ItemGroup& group,
                                             Entity& entity) {
  std::map<std::string, Column> known;
  std::vector<std::string> names;
  for (const OrderedJson* item : group)
    for (const auto& [name, value] : item->items())
      if (!is_key(model, name) && name != model.table.type_attribute &&
          std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
  for (const std::string& name : names) {
    Attribute attribute;
    attribute.name = name;
    Column column;
    std::size_t present = 0;
    double bytes = 0;
    for (const OrderedJson* item : group) {
      const auto found = item->find(name);
      if (found == item->end()) continue;
      ++present;
      attribute.type = type_of(found->begin().key());
      base::Arena arena;
      const auto value = read_attribute_value(*found, arena);
      const auto size = static_cast<double>(value ? item::value_bytes(*value) : 0);
      bytes += size;
      attribute.maximum_bytes = std::max(attribute.maximum_bytes, size);
      if (const auto text = text_of(*item, name)) column.push_back(*text);
    }
    attribute.typical_bytes = std::round(bytes / static_cast<double>(present));
    attribute.present = static_cast<double>(present) / static_cast<double>(group.size());
    if (attribute.type == AttributeType::number) attribute.format = ValueFormat::number;
    if (attribute.type == AttributeType::string) describe_text(column, attribute);
    if (column.size() == group.size() && attribute.type != AttributeType::boolean)
      known[name] = column;
    entity.attributes.push_back(std::move(attribute));
  }
  return known;
}

void add_key(const Model& model, const ItemGroup& group, const KeyAttribute& key, Entity& entity,
             std::map<std::string, Column>& known) {
  Column texts;
  std::vector<std::size_t> rows;  // items that have the key
  for (std::size_t at = 0; at < group.size(); ++at) {
    if (auto text = text_of(*group[at], key.name)) {
      texts.push_back(std::move(*text));
      rows.push_back(at);
    }
  }
  if (texts.empty()) return;
  std::map<std::string, Column> candidates;
  for (const auto& [name, column] : known)
    for (const std::size_t row : rows) candidates[name].push_back(column[row]);
  const KeyGuess guess = guess_template(key.name, texts, model.delimiter, candidates);
  for (const auto& [name, column] : guess.new_fields) {
    Attribute attribute;
    attribute.name = name;
    attribute.stored = false;
    if (key.type == AttributeType::number) attribute.type = AttributeType::number;
    attribute.format =
        key.type == AttributeType::number ? ValueFormat::number : guess_format(column);
    double bytes = 0;
    for (const std::string& value : column) {
      bytes += static_cast<double>(value.size());
      attribute.maximum_bytes =
          std::max(attribute.maximum_bytes, static_cast<double>(value.size()));
    }
    attribute.typical_bytes = std::max(1.0, std::round(bytes / static_cast<double>(column.size())));
    const std::set<std::string> different(column.begin(), column.end());
    attribute.unique = column.size() > 1 && different.size() == group.size();
    attribute.present = static_cast<double>(rows.size()) / static_cast<double>(group.size());
    attribute.example = column.front();
    entity.attributes.push_back(std::move(attribute));
    if (rows.size() == group.size()) known[name] = column;
  }
  if (auto parsed = Template::parse(guess.text))
    entity.keys.push_back({key.name, std::move(*parsed), {}});
}

// Which attribute decides whether an item is in an index that holds only some.
void add_sparse(const ItemGroup& group, const Index& index, Entity& entity) {
  std::vector<bool> held;
  for (const OrderedJson* item : group) {
    held.push_back(item->contains(index.partition_key.name) &&
                   (!index.sort_key || item->contains(index.sort_key->name)));
  }
  const auto count = static_cast<std::size_t>(std::count(held.begin(), held.end(), true));
  if (count == 0 || count == group.size()) return;
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.stored) continue;
    std::set<std::string> inside;
    std::set<std::string> outside;
    bool by_presence = true;
    for (std::size_t at = 0; at < group.size(); ++at) {
      const auto text = text_of(*group[at], attribute.name);
      by_presence = by_presence && text.has_value() == held[at];
      if (text) (held[at] ? inside : outside).insert(*text);
      if (!text && held[at]) inside.clear();
    }
    const bool apart = !inside.empty() && inside.size() <= kListedValuesMax && !outside.empty() &&
                       std::none_of(inside.begin(), inside.end(), [&](const std::string& value) {
                         return outside.contains(value);
                       });
    if (!apart && !by_presence) continue;
    SparseCondition condition;
    condition.index = index.name;
    condition.attribute = attribute.name;
    if (apart) condition.values.assign(inside.begin(), inside.end());
    condition.share = static_cast<double>(count) / static_cast<double>(group.size());
    entity.sparse.push_back(std::move(condition));
    return;
  }
}

}  // namespace

std::map<std::string, Column> infer_entity(const Model& model, const ItemGroup& group,
                                           Entity& entity) {
  std::map<std::string, Column> known = add_attributes(model, group, entity);
  for (const KeyAttribute& key : model.key_attributes()) add_key(model, group, key, entity, known);
  for (const Index& index : model.indexes) add_sparse(group, index, entity);
  return known;
}

}  // namespace stator::design
