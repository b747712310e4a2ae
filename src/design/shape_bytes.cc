#include <algorithm>

#include "design/shape.h"

// Sizes as DynamoDB counts them: the bytes of names and of values.
namespace stator::design {
namespace {

void add(Bytes& sum, double name_bytes, const Bytes& value, double present = 1) {
  sum.typical += present * (name_bytes + value.typical);
  sum.maximum += name_bytes + value.maximum;
  sum.unbounded = sum.unbounded || value.unbounded;
}

Bytes value_bytes(const Attribute& attribute) {
  return {attribute.typical_bytes, attribute.maximum_bytes, attribute.unbounded};
}

Bytes text_bytes(const Part& part, const Attribute* attribute) {
  if (part.format.kind == FormatKind::number) {
    return {static_cast<double>(part.format.width), static_cast<double>(part.format.width), false};
  }
  if (part.format.kind == FormatKind::time) {
    constexpr double kLengths[] = {4, 7, 10, 13, 16, 19};
    const double length = kLengths[static_cast<std::size_t>(part.format.unit)];
    return {length, length, false};
  }
  if (attribute == nullptr) return {12, 24, false};
  if (attribute->type == AttributeType::number) {  // a stored byte holds two digits
    return {std::max(1.0, 2 * (attribute->typical_bytes - 1)), std::max(1.0, 2 * (attribute->maximum_bytes - 1)),
            false};
  }
  return value_bytes(*attribute);
}

// The bytes of a key attribute's value: a number key is stored as a number.
Bytes key_bytes(const Entity& entity, const KeyAttribute& key, const Template& value) {
  if (key.type == AttributeType::number) {
    const std::vector<std::string> fields = value.fields();
    const Attribute* attribute = fields.empty() ? nullptr : entity.attribute(fields.front());
    if (attribute != nullptr) return value_bytes(*attribute);
  }
  return template_bytes(entity, value);
}

// How often an item has this key attribute: always for the table's, as often as it is in one of the indexes else.
double key_share(const Model& model, const Entity& entity, const std::string& name) {
  if (name == model.table.partition_key.name || (model.table.sort_key && name == model.table.sort_key->name)) return 1;
  double share = 0;
  for (const Index& index : model.indexes) {
    const bool has = index.partition_key.name == name || (index.sort_key && index.sort_key->name == name);
    if (has) share = std::max(share, index_share(model, entity, index));
  }
  return share;
}

void add_attribute(const Entity& entity, const Attribute& attribute, Bytes& sum) {
  if (!attribute.stored || entity.key(attribute.name) != nullptr) return;  // a key counts as a key
  add(sum, static_cast<double>(attribute.name.size()), value_bytes(attribute), attribute.present);
}

void add_type(const Model& model, const Entity& entity, Bytes& sum) {
  if (model.table.type_attribute.empty() || !entity.has_type) return;
  const auto bytes = static_cast<double>(entity.type_value.size());
  add(sum, static_cast<double>(model.table.type_attribute.size()), {bytes, bytes, false});
}

void add_key(const Entity& entity, const KeyAttribute& key, double share, Bytes& sum) {
  const Template* value = entity.key(key.name);
  if (value != nullptr) add(sum, static_cast<double>(key.name.size()), key_bytes(entity, key, *value), share);
}

}  // namespace

Bytes template_bytes(const Entity& entity, const Template& key) {
  Bytes sum;
  for (const Part& part : key.parts()) {
    Bytes bytes;
    if (part.kind == PartKind::literal) {
      bytes.typical = bytes.maximum = static_cast<double>(part.text.size());
    } else if (part.kind == PartKind::shard) {
      bytes.typical = bytes.maximum = static_cast<double>(std::to_string(part.shard_count - 1).size());
    } else {
      bytes = text_bytes(part, entity.attribute(part.text));
    }
    add(sum, 0, bytes);
  }
  return sum;
}

Bytes item_bytes(const Model& model, const Entity& entity) {
  Bytes sum;
  for (const KeyAttribute& key : model.key_attributes()) {
    add_key(entity, key, key_share(model, entity, key.name), sum);
  }
  for (const Attribute& attribute : entity.attributes) add_attribute(entity, attribute, sum);
  add_type(model, entity, sum);
  return sum;
}

Bytes index_item_bytes(const Model& model, const Entity& entity, const Index& index) {
  if (!is_in(model, entity, index.name)) return {};
  Bytes sum;
  for (const KeyAttribute& key : model.key_attributes()) {
    const bool own = key.name == index.partition_key.name || (index.sort_key && key.name == index.sort_key->name);
    if (is_projected(model, index, key.name)) {
      add_key(entity, key, own ? 1 : key_share(model, entity, key.name), sum);
    }
  }
  for (const Attribute& attribute : entity.attributes) {
    if (is_projected(model, index, attribute.name)) add_attribute(entity, attribute, sum);
  }
  if (is_projected(model, index, model.table.type_attribute)) add_type(model, entity, sum);
  return sum;
}

bool is_projected(const Model& model, const Index& index, std::string_view attribute) {
  if (index.projection.kind == ProjectionKind::all) return true;
  const auto is = [&](const std::optional<KeyAttribute>& key) { return key && key->name == attribute; };
  if (is(model.table.partition_key) || is(model.table.sort_key) || is(index.partition_key) || is(index.sort_key)) {
    return true;
  }
  const std::vector<std::string>& list = index.projection.attributes;
  return std::find(list.begin(), list.end(), attribute) != list.end();
}

}  // namespace stator::design
