#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "design/migrate/transform.h"

// What happens to each entity, decided by the two models alone, and what stands in the way.
namespace stator::design {

namespace {

bool convertible(AttributeType from, AttributeType to) {
  const auto scalar = [](AttributeType type) { return type == AttributeType::string || type == AttributeType::number; };
  return scalar(from) && scalar(to);
}

bool has_key(const Index& index, const std::string& name) {
  return index.partition_key.name == name || (index.sort_key && index.sort_key->name == name);
}

const KeyAttribute* key_attribute(const std::vector<KeyAttribute>& keys, const std::string& name) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const KeyAttribute& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

// When an item has this index key: one text for each index that it is a key of.
std::set<std::string> conditions(const Model& model, const Entity& entity, const std::string& key) {
  std::set<std::string> all;
  for (const Index& index : model.indexes) {
    if (!has_key(index, key)) continue;
    const SparseCondition* sparse = entity.sparse_in(index.name);
    if (sparse == nullptr) return {"always"};
    std::vector<std::string> values = sparse->values;
    std::sort(values.begin(), values.end());
    all.insert(fmt::format("{} in [{}]", sparse->attribute, fmt::join(values, ",")));
  }
  return all;
}

bool same_key(const KeyAttribute& a, const KeyAttribute& b) { return a.name == b.name && a.type == b.type; }
bool same_key(const std::optional<KeyAttribute>& a, const std::optional<KeyAttribute>& b) {
  return a.has_value() == b.has_value() && (!a || same_key(*a, *b));
}

void learn_template(KnownFields& fields, const Template& key) {
  for (const Part& part : key.parts()) {
    if (part.kind != PartKind::field) continue;
    const bool partial = part.format.kind == FormatKind::time || part.format.kind == FormatKind::upper ||
                         part.format.kind == FormatKind::lower;
    learn(fields, part.text, {"", partial ? part.format : Format{}});
  }
}

}  // namespace

bool is_table_key(const Model& model, const std::string& attribute) {
  return attribute == model.table.partition_key.name ||
         (model.table.sort_key && attribute == model.table.sort_key->name);
}

KnownFields stored_fields(const Model& model, const Entity& entity, bool with_indexes) {
  KnownFields fields;
  for (const Attribute& attribute : entity.attributes) {
    const bool scalar = attribute.type == AttributeType::string || attribute.type == AttributeType::number ||
                        attribute.type == AttributeType::boolean;
    if (attribute.stored && scalar && (with_indexes || attribute.present >= 1)) learn(fields, attribute.name, {"", {}});
  }
  for (const KeyTemplate& key : entity.keys) {
    const bool always = is_table_key(model, key.attribute) ||
                        conditions(model, entity, key.attribute) == std::set<std::string>{"always"};
    if (always || with_indexes) learn_template(fields, key.value);
  }
  return fields;
}

Transform::Transform(const Model& before, const Model& after, TransformOptions options)
    : old_(before), new_(after), options_(options) {
  for (const Entity& entity : before.entities) paths_.push_back(path_from(entity));
  find_obstacles();
}

EntityPath Transform::path_from(const Entity& before) {
  EntityPath path;
  path.before = &before;
  path.after = new_.model().entity(before.name);
  if (path.after == nullptr) return path;
  compare_keys(path);
  compare_attributes(path);
  const Table& was = old_.model().table;
  const Table& is = new_.model().table;
  const bool had = !was.type_attribute.empty() && before.has_type;
  const bool has = !is.type_attribute.empty() && path.after->has_type;
  path.type_changes =
      has && (!had || was.type_attribute != is.type_attribute || before.type_value != path.after->type_value);
  if (had && was.type_attribute != is.type_attribute && path.after->attribute(was.type_attribute) == nullptr) {
    path.dropped.push_back(was.type_attribute);
  }
  for (const KeyTemplate& key : before.keys) {
    const Attribute* kept = path.after->attribute(key.attribute);
    const bool gone = key_attribute(new_.model().key_attributes(), key.attribute) == nullptr;
    if (gone && (kept == nullptr || !kept->stored)) path.leftover.push_back(key.attribute);
  }
  path.drops = options_.drop_removed && (!path.dropped.empty() || !path.leftover.empty());
  return path;
}

bool Transform::recomputes(const EntityPath& path, const std::string& name) const {
  const Template* was = path.before->key(name);
  const Template* is = path.after->key(name);
  const auto old_keys = old_.model().key_attributes();
  const auto new_keys = new_.model().key_attributes();
  if (was != nullptr) {
    const bool same_type = key_attribute(old_keys, name)->type == key_attribute(new_keys, name)->type;
    const bool same_presence =
        is_table_key(new_.model(), name)
            ? is_table_key(old_.model(), name) ||
                  conditions(old_.model(), *path.before, name) == std::set<std::string>{"always"}
            : is_table_key(old_.model(), name) ||
                  conditions(old_.model(), *path.before, name) == conditions(new_.model(), *path.after, name);
    return !(*was == *is && same_type && same_presence);
  }
  // An index on an attribute that is there already needs nothing but the index.
  const Attribute* stored = path.before->attribute(name);
  const bool itself = is->parts().size() == 1 && is->parts()[0].kind == PartKind::field &&
                      is->parts()[0].text == name && is->parts()[0].format.kind == FormatKind::plain;
  const bool always = is_table_key(new_.model(), name) ||
                      conditions(new_.model(), *path.after, name) == std::set<std::string>{"always"};
  return !(itself && always && stored != nullptr && stored->stored &&
           stored->type == key_attribute(new_keys, name)->type);
}

bool Transform::key_is_enough(const EntityPath& path) const {
  KnownFields said;
  for (const KeyTemplate& key : path.before->keys)
    if (is_table_key(old_.model(), key.attribute)) learn_template(said, key.value);
  for (const KeyTemplate& key : path.after->keys) {
    const bool recomputed =
        std::find(path.recomputed.begin(), path.recomputed.end(), key.attribute) != path.recomputed.end();
    if (!recomputed || !is_table_key(new_.model(), key.attribute)) continue;
    for (const Part& part : key.value.parts()) {
      if (part.kind == PartKind::literal || part.text.empty()) continue;
      const auto found = said.find(part.text);
      if (found == said.end() || !found->second.serves(part.kind == PartKind::shard ? Format{} : part.format))
        return false;
    }
  }
  return true;
}

void Transform::compare_keys(EntityPath& path) {
  for (const KeyAttribute& key : new_.model().key_attributes()) {
    if (path.after->key(key.name) == nullptr) {
      const bool lost = path.before->key(key.name) != nullptr && path.after->attribute(key.name) == nullptr;
      if (lost) path.removed_keys.push_back(key.name);
    } else if (recomputes(path, key.name)) {
      path.recomputed.push_back(key.name);
      path.key_changes = path.key_changes || is_table_key(new_.model(), key.name);
    }
  }
}

void Transform::compare_attributes(EntityPath& path) {
  const KnownFields known = stored_fields(old_.model(), *path.before, true);
  for (const Attribute& is : path.after->attributes) {
    if (!is.stored || path.after->key(is.name) != nullptr) continue;
    const Attribute* was = path.before->attribute(is.name);
    if (was != nullptr && was->stored) {
      if (was->type == is.type) continue;
      if (convertible(was->type, is.type)) {
        path.converted.push_back(is.name);
      } else {
        obstacles_.push_back({"entity " + path.before->name,
                              fmt::format("attribute {} goes from {} to {}, which no rule converts", is.name,
                                          attribute_type_text(was->type), attribute_type_text(is.type)),
                              "give the new form another name, let the application write both, and fill it in for old "
                              "items with a program of your own"});
      }
      continue;
    }
    const auto found = known.find(is.name);
    if (found != known.end() && found->second.serves({}) && convertible(is.type, is.type)) {
      path.derived.push_back(is.name);
    }
  }
  for (const Attribute& was : path.before->attributes) {
    const Attribute* is = path.after->attribute(was.name);
    const bool kept = (is != nullptr && is->stored) || path.after->key(was.name) != nullptr;
    if (was.stored && !kept) path.dropped.push_back(was.name);
  }
}

namespace {

// Fields of the table's key without which two items could not be told apart any more.
void check_unique(const Model& old_model, const Model& new_model, const EntityPath& path,
                  std::vector<Obstacle>& obstacles) {
  KnownFields said;
  for (const KeyTemplate& key : path.after->keys)
    if (is_table_key(new_model, key.attribute)) learn_template(said, key.value);
  for (const auto& [name, known] : said) {
    const Attribute* attribute = path.after->attribute(name);
    if (attribute != nullptr && attribute->unique && known.serves({})) return;
  }
  for (const KeyTemplate& key : path.before->keys) {
    if (!is_table_key(old_model, key.attribute)) continue;
    for (const Part& part : key.value.parts()) {
      if (part.kind != PartKind::field) continue;
      const auto found = said.find(part.text);
      if (found != said.end() && found->second.serves(part.format)) continue;
      obstacles.push_back(
          {"entity " + path.before->name,
           fmt::format("its new key no longer says {}: items that differ in it alone would become one", part.text),
           fmt::format("keep {} in the new key, or declare a field of the key `unique`", part.text)});
      return;
    }
  }
}

void check_known(const Model& old_model, const Model& new_model, const EntityPath& path,
                 std::vector<Obstacle>& obstacles) {
  const KnownFields certain = stored_fields(old_model, *path.before, false);
  for (const KeyTemplate& key : path.after->keys) {
    const bool recomputed =
        std::find(path.recomputed.begin(), path.recomputed.end(), key.attribute) != path.recomputed.end();
    if (!recomputed || !is_table_key(new_model, key.attribute)) continue;
    for (const Part& part : key.value.parts()) {
      if (part.kind == PartKind::literal || part.text.empty()) continue;
      const auto found = certain.find(part.text);
      if (found != certain.end() && found->second.serves(part.kind == PartKind::shard ? Format{} : part.format))
        continue;
      obstacles.push_back(
          {"entity " + path.before->name,
           fmt::format("its new {} \"{}\" needs {}, which {}", key.attribute, key.value.text(), part.text,
                       found == certain.end() ? "not every stored item has" : "is stored only in a shorter form"),
           fmt::format("store {} as an attribute of every {} first (the application writes it, a backfill of your own "
                       "fills it in), or leave it out of the key",
                       part.text, path.before->name)});
      return;
    }
  }
}

void check_index(const Index& was, const Index& is, std::vector<Obstacle>& obstacles) {
  std::vector<std::string> a = was.projection.attributes, b = is.projection.attributes;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const bool same = was.kind == is.kind && same_key(was.partition_key, is.partition_key) &&
                    same_key(was.sort_key, is.sort_key) && was.projection.kind == is.projection.kind && a == b;
  if (same) return;
  obstacles.push_back({"index " + is.name, "keys and projection of an index cannot be changed",
                       fmt::format("give it another name (such as {}b): it is built beside the old one, readers "
                                   "change over, and the old one is removed at the end",
                                   is.name)});
}

}  // namespace

void Transform::find_obstacles() {
  for (const EntityPath& path : paths_) {
    if (path.after == nullptr) continue;
    if (options_.mode == MigrationMode::in_place && path.key_changes) {
      obstacles_.push_back({"entity " + path.before->name,
                            "the key of an item cannot be changed, and both models name the same table",
                            "give the new model's table another name, or use --target NAME: the items are copied"});
    }
    check_known(old_.model(), new_.model(), path, obstacles_);
    if (path.key_changes) check_unique(old_.model(), new_.model(), path, obstacles_);
  }
  if (options_.mode != MigrationMode::in_place) return;
  const Table& was = old_.model().table;
  const Table& is = new_.model().table;
  if (!same_key(was.partition_key, is.partition_key) || !same_key(was.sort_key, is.sort_key)) {
    obstacles_.push_back({"table " + is.name, "the key attributes of a table cannot be changed",
                          "give the new model's table another name, or use --target NAME: the items are copied"});
  }
  for (const Index& index : new_.model().indexes) {
    const Index* before = old_.model().index(index.name);
    if (before != nullptr) {
      check_index(*before, index, obstacles_);
    } else if (index.kind == IndexKind::local) {
      obstacles_.push_back({"index " + index.name, "a local index can only be made together with its table",
                            "make it a global index, or give the table another name (--target NAME): the items are "
                            "copied"});
    }
  }
}

}  // namespace stator::design
