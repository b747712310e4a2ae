// Fields become an item: keys by their templates, the type, the stored attributes.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "design/generate/generator.h"
#include "design/generate/random.h"

namespace stator::design {

namespace {

// Whether an item with these fields belongs to the index, as far as its sparse condition says.
bool meets_sparse_condition(const Entity& entity, const Index& index, const FieldValues& fields) {
  const SparseCondition* sparse = entity.sparse_in(index.name);
  if (sparse == nullptr) return true;
  const auto value = fields.find(sparse->attribute);
  return value != fields.end() &&
         (sparse->values.empty() ||
          std::find(sparse->values.begin(), sparse->values.end(), value->second) != sparse->values.end());
}

// Key attributes that the item goes without, because they are only of sparse indexes that do not hold it.
std::set<std::string_view> absent_keys(const Model& model, const Entity& entity, const FieldValues& fields) {
  std::set<std::string_view> absent;
  std::set<std::string_view> kept = {model.table.partition_key.name};
  if (model.table.sort_key) kept.insert(model.table.sort_key->name);
  for (const Index& index : model.indexes) {
    auto& names = meets_sparse_condition(entity, index, fields) ? kept : absent;
    names.insert(index.partition_key.name);
    if (index.sort_key) names.insert(index.sort_key->name);
  }
  for (const std::string_view name : kept) absent.erase(name);
  return absent;
}

}  // namespace

// The shard that a key's template gets: the item's own of the table's partition key, any of it elsewhere.
int Generator::shard_of(const KeyAttribute& key, const Template& value, std::uint64_t bits, int table_shard) const {
  const Part* shard = value.shard();
  if (shard == nullptr || shard->shard_count <= 0) return 0;
  if (table_shard >= 0 && key.name == model_->table.partition_key.name) return table_shard;
  return static_cast<int>(mix(bits, hash_text(key.name)) % static_cast<std::uint64_t>(shard->shard_count));
}

Result<void> Generator::add_keys(const Entity& entity, const FieldValues& fields, GeneratedItem& item) const {
  const std::set<std::string_view> absent = absent_keys(*model_, entity, fields);
  for (const KeyAttribute& key : model_->key_attributes()) {
    const Template* value = entity.key(key.name);
    if (value == nullptr || absent.contains(key.name)) continue;
    const std::vector<std::string> needed = value->fields();
    const bool complete =
        std::all_of(needed.begin(), needed.end(), [&](const std::string& field) { return fields.contains(field); });
    if (!complete && key.name != model_->table.partition_key.name) continue;
    auto text = value->evaluate(fields, shard_of(key, *value, item.bits, item.table_shard));
    if (!text) return invalid(fmt::format("entity {}, key {}: {}", entity.name, key.name, text.error().message));
    item.attributes.push_back(make_attribute(key.name, key.type, std::move(*text), 0, 0));
  }
  return {};
}

Result<GeneratedItem> Generator::build(const Entity& entity, FieldValues fields, std::uint64_t bits,
                                       int table_shard) const {
  GeneratedItem item;
  item.entity = &entity;
  item.bits = bits;
  item.table_shard = table_shard;
  TRY_VOID(add_keys(entity, fields, item));
  if (!model_->table.type_attribute.empty() && entity.has_type) {
    item.attributes.push_back(
        make_attribute(model_->table.type_attribute, AttributeType::string, entity.type_value, 0, 0));
  }
  for (const Attribute& attribute : entity.attributes) {
    const auto value = fields.find(attribute.name);
    if (!attribute.stored || value == fields.end() || item.attribute(attribute.name) != nullptr) continue;
    item.attributes.push_back(make_attribute(attribute.name, attribute.type, value->second, attribute.typical_bytes,
                                             mix(bits, hash_text(attribute.name))));
  }
  item.fields = std::move(fields);
  return item;
}

}  // namespace stator::design
