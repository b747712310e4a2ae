#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "design/filter_text.h"
#include "design/yaml_reader.h"

// Names that one part of the model uses and another declares. Messages say what there is to choose from.
namespace stator::design {
namespace {

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& one : list) names.push_back(one.name);
  return names;
}

class References {
 public:
  References(LoadContext& context, const Model& model) : context_(context), model_(model) {}

  void check() {
    check_keys();
    for (const Entity& entity : model_.entities) check_entity(entity);
    for (const Relationship& relationship : model_.relationships) check_relationship(relationship);
    for (const Pattern& pattern : model_.patterns) check_pattern(pattern);
    for (const Principal& principal : model_.principals) {
      for (const std::string& name : principal.patterns) {
        if (model_.pattern(name) != nullptr) continue;
        unknown(principal.position, "pattern", name, names_of(model_.patterns), "principal " + principal.name);
      }
    }
  }

 private:
  // `where` names the part that uses the name, if the place does not say it.
  void unknown(Position position, std::string_view kind, const std::string& name,
               const std::vector<std::string>& candidates, const std::string& where = {}) {
    const std::string hint = suggestion(name, candidates);
    const std::string choice = candidates.empty() ? "; the model has none" : "; expected " + alternatives(candidates);
    context_.problem(position, fmt::format("{}there is no {} {}{}", where.empty() ? "" : where + ": ", kind, name,
                                           hint.empty() ? choice : hint));
  }

  void check_keys() {
    std::map<std::string, AttributeType> types;
    const auto add = [&](const KeyAttribute& key) {
      const auto [place, is_new] = types.emplace(key.name, key.type);
      if (!is_new && place->second != key.type) {
        context_.problem(key.position, fmt::format("key attribute {} has type {} here and {} elsewhere", key.name,
                                                   attribute_type_text(key.type), attribute_type_text(place->second)));
      }
    };
    add(model_.table.partition_key);
    if (model_.table.sort_key) add(*model_.table.sort_key);
    for (const Index& index : model_.indexes) {
      add(index.partition_key);
      if (index.sort_key) add(*index.sort_key);
    }
  }

  // Whether items of the entity have an attribute of this name, as an attribute or as a key.
  bool has(const Entity& entity, const std::string& name) const {
    if (entity.attribute(name) != nullptr || entity.key(name) != nullptr) return true;
    return !model_.table.type_attribute.empty() && name == model_.table.type_attribute;
  }

  void check_entity(const Entity& entity) {
    const std::vector<KeyAttribute> keys = model_.key_attributes();
    for (const KeyTemplate& key : entity.keys) check_key_template(entity, key, keys);
    const auto need = [&](const KeyAttribute& key) {
      if (entity.key(key.name) != nullptr || key.name.empty()) return;
      context_.problem(
          entity.position,
          fmt::format("entity {}: expected a template for the table's key {} under \"keys\"", entity.name, key.name));
    };
    need(model_.table.partition_key);
    if (model_.table.sort_key) need(*model_.table.sort_key);
    for (const SparseCondition& sparse : entity.sparse) check_sparse(entity, sparse);
    if (!entity.ttl_attribute.empty() && entity.attribute(entity.ttl_attribute) == nullptr) {
      unknown(entity.position, "attribute", entity.ttl_attribute, names_of(entity.attributes), "ttl of " + entity.name);
    }
    const bool child = std::any_of(model_.relationships.begin(), model_.relationships.end(),
                                   [&](const Relationship& one) { return one.child == entity.name; });
    if (!entity.count && !child) {
      context_.problem(entity.position, fmt::format("entity {}: expected \"count\" (how many items there are), or a "
                                                    "relationship in which it is the child",
                                                    entity.name));
    }
  }

  void check_key_template(const Entity& entity, const KeyTemplate& key, const std::vector<KeyAttribute>& keys) {
    const auto attribute =
        std::find_if(keys.begin(), keys.end(), [&](const KeyAttribute& one) { return one.name == key.attribute; });
    if (attribute == keys.end()) {
      unknown(key.position, "key attribute", key.attribute, names_of(keys));
      return;
    }
    for (const std::string& field : key.value.fields()) {
      if (entity.attribute(field) != nullptr) continue;
      unknown(key.value.position(), fmt::format("attribute of {} for the field", entity.name), field,
              names_of(entity.attributes));
    }
    const Part* shard = key.value.shard();
    if (shard != nullptr && shard->shard_kind == ShardKind::every) {
      context_.problem(key.value.position(), fmt::format("key {} of {}: shard(*, n) is for readers; expected "
                                                         "shard(field, n) or shard(random, n)",
                                                         key.attribute, entity.name));
    }
    if (attribute->type == AttributeType::number && key.value.parts().size() != 1) {
      context_.problem(key.value.position(),
                       fmt::format("key {} of {}: it is a number, so expected one field and nothing else",
                                   key.attribute, entity.name));
    }
    if (key.value.empty()) {
      context_.problem(key.value.position(),
                       fmt::format("key {} of {}: a key may not be empty", key.attribute, entity.name));
    }
  }

  void check_sparse(const Entity& entity, const SparseCondition& sparse) {
    const Index* index = model_.index(sparse.index);
    if (index == nullptr) {
      unknown(sparse.position, "index", sparse.index, names_of(model_.indexes));
      return;
    }
    if (entity.key(index->partition_key.name) == nullptr) {
      context_.problem(sparse.position, fmt::format("entity {} has no key for index {}, so it is never in it",
                                                    entity.name, sparse.index));
    }
    const Attribute* attribute = entity.attribute(sparse.attribute);
    if (attribute == nullptr) {
      unknown(sparse.position, "attribute", sparse.attribute, names_of(entity.attributes));
      return;
    }
    std::vector<std::string> values;
    for (const NamedValue& one : attribute->values) values.push_back(one.value);
    for (const std::string& value : sparse.values) {
      if (values.empty() || std::find(values.begin(), values.end(), value) != values.end()) continue;
      unknown(sparse.position, "value of " + sparse.attribute, value, values);
    }
  }

  void check_relationship(const Relationship& relationship) {
    const auto check_side = [&](const std::string& name, const std::vector<std::string>& fields) {
      if (name.empty()) return;  // its absence is a problem of its own
      const Entity* entity = model_.entity(name);
      if (entity == nullptr) {
        unknown(relationship.position, "entity", name, names_of(model_.entities), "relationship " + relationship.name);
        return;
      }
      for (const std::string& field : fields) {
        if (entity->attribute(field) != nullptr) continue;
        unknown(relationship.position, "attribute", field, names_of(entity->attributes),
                fmt::format("relationship {} by {}", relationship.name, name));
      }
    };
    check_side(relationship.child, relationship.by);
    check_side(relationship.parent, relationship.parent_fields);
    if (!relationship.child.empty() && relationship.child == relationship.parent) {
      context_.problem(relationship.position,
                       fmt::format("relationship {}: expected a parent other than the child", relationship.name));
    }
  }

  // A parameter is declared, or has the name of an attribute of an entity of the pattern.
  void check_parameters(const Pattern& pattern, const Template& value, const std::vector<std::string>& entities) {
    for (const std::string& field : value.fields()) {
      if (pattern.parameter(field) == nullptr)
        check_attribute(pattern, field, value.position(), entities, "attribute or declared parameter");
    }
  }

  void check_attribute(const Pattern& pattern, const std::string& name, Position position,
                       const std::vector<std::string>& entities, std::string_view kind = "attribute") {
    std::vector<std::string> candidates;
    bool complete = true;  // an unknown entity has its own message
    for (const std::string& entity_name : entities) {
      const Entity* entity = model_.entity(entity_name);
      if (entity == nullptr) {
        complete = false;
        continue;
      }
      if (has(*entity, name)) return;
      for (const Attribute& attribute : entity->attributes) candidates.push_back(attribute.name);
    }
    if (!complete) return;
    unknown(position, kind, name, candidates, "pattern " + pattern.name);
  }

  void check_pattern(const Pattern& pattern) {
    if (!pattern.index.empty() && model_.index(pattern.index) == nullptr) {
      unknown(pattern.position, "index", pattern.index, names_of(model_.indexes), "pattern " + pattern.name);
    }
    for (const std::string& name : pattern.entities) {
      if (!name.empty() && model_.entity(name) == nullptr) {
        unknown(pattern.position, "entity", name, names_of(model_.entities), "pattern " + pattern.name);
      }
    }
    for (const Parameter& parameter : pattern.parameters) {
      if (parameter.attribute.empty()) continue;
      check_attribute(pattern, parameter.attribute, parameter.position, pattern.entities);
    }
    check_conditions(pattern, pattern.key, pattern.entities);
    for (const std::string& name : pattern.projection)
      check_attribute(pattern, name, pattern.position, pattern.entities);
    if (!pattern.sorted_by.empty()) check_attribute(pattern, pattern.sorted_by, pattern.position, pattern.entities);
    if (pattern.filter) check_filter(pattern, *pattern.filter, pattern.filter->position, pattern.entities);
    for (const Action& action : pattern.actions) check_action(pattern, action);
  }

  void check_conditions(const Pattern& pattern, const std::vector<KeyCondition>& conditions,
                        const std::vector<std::string>& entities) {
    for (const KeyCondition& condition : conditions) {
      check_attribute(pattern, condition.attribute, condition.position, entities);
      check_parameters(pattern, condition.value, entities);
      check_parameters(pattern, condition.upper, entities);
    }
  }

  void check_filter(const Pattern& pattern, const Filter& filter, Position position,
                    const std::vector<std::string>& entities) {
    for (const std::string& name : filter.attributes) check_attribute(pattern, name, position, entities);
    for (const std::string& name : filter.parameters) {
      if (pattern.parameter(name) == nullptr)
        check_attribute(pattern, name, position, entities, "attribute or declared parameter");
    }
  }

  void check_action(const Pattern& pattern, const Action& action) {
    const std::vector<std::string> entities = {action.entity};
    check_conditions(pattern, action.key, entities);
    for (const std::vector<Assignment>* list : {&action.set, &action.add}) {
      for (const Assignment& one : *list) {
        check_attribute(pattern, one.attribute, one.position, entities);
        check_parameters(pattern, one.value, entities);
      }
    }
    for (const std::string& name : action.remove) check_attribute(pattern, name, action.position, entities);
    if (action.condition.empty()) return;
    const Result<Filter> condition = read_filter_text(action.condition);
    if (condition) check_filter(pattern, *condition, action.position, entities);
  }

  LoadContext& context_;
  const Model& model_;
};

}  // namespace

void check_references(LoadContext& context, const Model& model) { References(context, model).check(); }

}  // namespace stator::design
