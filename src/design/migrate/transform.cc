#include "design/migrate/transform.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/generate/item_text.h"
#include "item/number.h"

namespace stator::design {

namespace {

using client::Json;

// A key attribute's value in wire form.
Result<Json> transformed_key(const KeyAttribute& key, std::string text) {
  if (key.type == AttributeType::number) {
    const auto number = item::parse_number(text);
    if (!number) return invalid(fmt::format("key {}: \"{}\" is not a number", key.name, text));
    text = item::format_number(*number);
  }
  if (text.empty()) return invalid(fmt::format("key {} would be empty", key.name));
  return Json::parse(make_attribute(key.name, key.type, std::move(text), 0, 0).json);
}

// The number of the shard that an earlier value has, where the template with these fields could have made it.
std::optional<Json> earlier_choice(const Template& key, const KeyAttribute& attribute, const KnownFields& fields,
                                   const Json* item) {
  if (item == nullptr) return std::nullopt;
  const auto there = item->find(attribute.name);
  if (there == item->end()) return std::nullopt;
  for (int shard = 0; shard < key.shard()->shard_count; ++shard) {
    const auto text = evaluate_known(key, fields, shard);
    if (!text) return std::nullopt;
    const auto value = transformed_key(attribute, *text);
    if (value && *value == *there) return *there;
  }
  return std::nullopt;
}

Result<Json> converted(const std::string& name, const Json& value, AttributeType type) {
  const auto text = plain_text(value);
  if (!text) return invalid(fmt::format("attribute {} is {}, expected a text or number", name, value.dump()));
  if (type == AttributeType::string) return Json{{"S", *text}};
  const auto number = item::parse_number(*text);
  if (!number) return invalid(fmt::format("attribute {}: \"{}\" is not a number", name, *text));
  return Json{{"N", item::format_number(*number)}};
}

}  // namespace

Result<const EntityPath*> Transform::path_of(const Json& item) const {
  const auto entity = old_.entity_of(item);
  std::string name = entity ? (*entity)->name : "";
  if (!entity && options_.mode == MigrationMode::in_place) {
    // The application may have begun to write by the new model, or items come from another table.
    const auto later = new_.entity_of(item);
    if (later && old_.model().entity((*later)->name) == nullptr) return &new_entity_;
    if (later) name = (*later)->name;
  }
  for (const EntityPath& path : paths_)
    if (path.before->name == name) return &path;
  return tl::unexpected<Error>(entity.error());
}

Result<std::optional<Json>> Transform::apply(const Json& item, const Json* existing) const {
  TRY(const EntityPath* path, path_of(item));
  if (path->after == nullptr) return std::optional<Json>();
  KnownFields fields = old_.fields_of(*path->before, item);
  Json out = item;
  if (options_.mode == MigrationMode::copy || options_.drop_removed) {
    for (const std::string& name : path->dropped) out.erase(name);
    for (const std::string& name : path->leftover) out.erase(name);
  }
  TRY_VOID(set_attributes(*path, fields, out));
  for (const KeyAttribute& key : new_.model().key_attributes()) {
    TRY_VOID(set_key(*path, key, fields, item, existing != nullptr ? existing : &item, out));
  }
  const std::string& type_attribute = new_.model().table.type_attribute;
  if (!type_attribute.empty() && path->after->has_type) out[type_attribute] = {{"S", path->after->type_value}};
  return std::optional<Json>(std::move(out));
}

Result<void> Transform::set_attributes(const EntityPath& path, const KnownFields& fields, Json& out) const {
  for (const std::string& name : path.converted) {
    const auto value = out.find(name);
    if (value == out.end()) continue;
    const AttributeType type = path.after->attribute(name)->type;
    if (value->contains(std::string(attribute_type_text(type)))) continue;  // written by the new model
    TRY(*value, converted(name, *value, type));
  }
  for (const std::string& name : path.derived) {
    const auto known = fields.find(name);
    if (out.contains(name) || known == fields.end() || !known->second.serves({})) continue;
    TRY(out[name], converted(name, Json{{"S", known->second.text}}, path.after->attribute(name)->type));
  }
  return {};
}

Result<void> Transform::set_key(const EntityPath& path, const KeyAttribute& key, const KnownFields& fields,
                                const Json& item, const Json* existing, Json& out) const {
  if (contains(path.removed_keys, key.name)) {
    out.erase(key.name);
    return {};
  }
  const Template* made_by = path.after->key(key.name);
  if (made_by == nullptr || !contains(path.recomputed, key.name)) return {};
  const bool of_table = is_table_key(new_.model(), key.name);
  if (!of_table && !new_.may_have(*path.after, key.name, fields)) {
    out.erase(key.name);
    return {};
  }
  int shard = 0;
  if (const Part* part = made_by->shard(); part != nullptr && part->shard_kind == ShardKind::random) {
    if (auto there = earlier_choice(*made_by, key, fields, of_table ? &item : existing)) {
      out[key.name] = std::move(*there);
      return {};
    }
    // The same item gets the same shard whoever asks: backfill, stream and validation agree.
    shard = shard_of(old_.key_of(item).dump(), part->shard_count);
  }
  const auto text = evaluate_known(*made_by, fields, shard);
  if (!text && !of_table) {  // an item that lacks the field is not in the index
    out.erase(key.name);
    return {};
  }
  if (!text) {
    return invalid(
        fmt::format("{} {}: {}: {}", path.after->name, old_.key_of(item).dump(), key.name, text.error().message));
  }
  TRY(out[key.name], transformed_key(key, *text));
  return {};
}

std::vector<Json> Transform::target_keys(const Json& source_key) const {
  std::vector<Json> keys;
  for (const Entity* entity : old_.entities_of_key(source_key)) {
    const auto path =
        std::find_if(paths_.begin(), paths_.end(), [&](const EntityPath& one) { return one.before == entity; });
    if (path == paths_.end() || path->after == nullptr) continue;
    const KnownFields fields = old_.fields_of(*entity, source_key);
    Json out = source_key;
    bool good = true;
    const auto set = [&](const KeyAttribute& key) {
      good = good && set_key(*path, key, fields, source_key, nullptr, out).has_value() && out.contains(key.name);
    };
    set(new_.model().table.partition_key);
    if (new_.model().table.sort_key) set(*new_.model().table.sort_key);
    if (good) keys.push_back(new_.key_of(out));
  }
  return keys;
}

std::optional<std::vector<Json>> Transform::source_keys(const Json& target_item) const {
  const auto entity = new_.entity_of(target_item);
  if (!entity) return std::vector<Json>();
  const auto path =
      std::find_if(paths_.begin(), paths_.end(), [&](const EntityPath& one) { return one.after == *entity; });
  if (path == paths_.end()) return std::vector<Json>();
  const KnownFields fields = new_.fields_of(**entity, target_item);
  std::vector<Json> keys = {Json::object()};
  // False where the item does not say it. A value that is known and does not fit never was in the source.
  const auto known = [&](const Template& key) {
    return std::all_of(key.parts().begin(), key.parts().end(), [&](const Part& part) {
      if (part.kind == PartKind::literal || part.text.empty()) return true;
      const auto found = fields.find(part.text);
      return found != fields.end() && found->second.serves(part.kind == PartKind::shard ? Format{} : part.format);
    });
  };
  const auto add = [&](const KeyAttribute& key) {
    const Template* made_by = path->before->key(key.name);
    if (made_by == nullptr) return false;
    const Template* later = path->after->key(key.name);
    if (later != nullptr && *later == *made_by && target_item.contains(key.name)) {
      for (Json& one : keys) one[key.name] = target_item[key.name];
      return true;
    }
    const Part* shard = made_by->shard();
    const int shards = shard != nullptr && shard->shard_kind == ShardKind::random ? shard->shard_count : 1;
    std::vector<Json> more;
    for (int number = 0; number < shards; ++number) {
      if (!known(*made_by)) return false;
      const auto text = evaluate_known(*made_by, fields, number);
      const auto value = text ? transformed_key(key, *text) : Result<Json>(invalid(""));
      if (!value) {
        keys.clear();
        return true;
      }
      for (Json one : keys) {
        one[key.name] = *value;
        more.push_back(std::move(one));
      }
    }
    keys = std::move(more);
    return true;
  };
  if (!add(old_.model().table.partition_key)) return std::nullopt;
  if (old_.model().table.sort_key && !add(*old_.model().table.sort_key)) return std::nullopt;
  return keys;
}

std::vector<std::string> Transform::inputs(const EntityPath& path) const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!is_table_key(old_.model(), name) && !contains(names, name)) names.push_back(name);
  };
  for (const std::string& key : path.recomputed) {
    add(key);
    for (const std::string& field : path.after->key(key)->fields()) add(field);
  }
  for (const auto* list : {&path.removed_keys, &path.derived, &path.converted})
    for (const std::string& name : *list) add(name);
  if (options_.drop_removed)
    for (const std::string& name : path.dropped) add(name);
  for (const SparseCondition& sparse : path.after->sparse) add(sparse.attribute);
  // Fields that are stored nowhere else are read out of old index keys.
  for (const KeyTemplate& key : path.before->keys) add(key.attribute);
  return names;
}

std::string Transform::disagreement(const Json& target_item) const {
  const auto entity = new_.entity_of(target_item);
  if (!entity) return entity.error().message;
  const KnownFields fields = new_.fields_of(**entity, target_item);
  for (const KeyAttribute& key : new_.model().key_attributes()) {
    const Template* made_by = (*entity)->key(key.name);
    const auto there = target_item.find(key.name);
    if (made_by == nullptr || there == target_item.end()) continue;
    if (!new_.may_have(**entity, key.name, fields)) {
      return fmt::format("it has {}, though the conditions of its indexes do not hold", key.name);
    }
    const Part* shard = made_by->shard();
    const int shards = shard != nullptr && shard->shard_kind == ShardKind::random ? shard->shard_count : 1;
    bool made = false;
    std::string wanted;
    for (int number = 0; number < shards && !made; ++number) {
      const auto text = evaluate_known(*made_by, fields, number);
      if (!text) break;
      const auto value = transformed_key(key, *text);
      made = value && *value == *there;
      wanted = *text;
    }
    if (!made && !wanted.empty()) {
      return fmt::format("{} is {}, by its own fields it should be {}", key.name, there->dump(), wanted);
    }
  }
  return {};
}

}  // namespace stator::design
