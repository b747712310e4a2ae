#include <fmt/format.h>

#include <set>

#include "design/rules/rules.h"

namespace stator::design {

void find_untyped_entities(RuleContext& context) {
  const Model& model = context.model();
  const std::string cure =
      "Name an attribute under table.type_attribute (such as entity_type); every item then holds its entity's name.";
  if (model.table.type_attribute.empty()) {
    context.report(place_of(model.table),
                   fmt::format("no item of its {} entities says what it is", model.entities.size()), cure);
    return;
  }
  for (const Entity& entity : model.entities) {
    if (!entity.has_type)
      context.report(place_of(entity), "its items have no type attribute", "Remove \"type: none\".");
  }
}

void find_wrong_ttl_attributes(RuleContext& context) {
  const Model& model = context.model();
  const std::string first(model.ttl_attribute());
  for (const Entity& entity : model.entities) {
    if (entity.ttl_attribute.empty()) continue;
    const Attribute* attribute = entity.attribute(entity.ttl_attribute);
    if (attribute->type != AttributeType::number || attribute->format != ValueFormat::epoch) {
      context.report(place_of(entity).at(attribute->position),
                     fmt::format("{} has type {} and format {}", attribute->name, attribute_type_text(attribute->type),
                                 value_format_text(attribute->format)),
                     "Declare it as {format: epoch}: a number of seconds since 1970.");
    }
    if (entity.ttl_attribute != first) {
      context.report(
          place_of(entity),
          fmt::format("it expires by {}, and other entities of the table by {}", entity.ttl_attribute, first),
          fmt::format("Use {} for all of them.", first));
    }
  }
}

void find_changing_keys(RuleContext& context) {
  const Model& model = context.model();
  for (const Pattern& pattern : model.patterns) {
    for (const Action& action : pattern.actions) {
      const Entity* entity = model.entity(action.entity);
      if (action.kind != ActionKind::update || entity == nullptr) continue;
      std::set<std::string> changed(action.remove.begin(), action.remove.end());
      for (const Assignment& one : action.set) changed.insert(one.attribute);
      for (const Assignment& one : action.add) changed.insert(one.attribute);
      for (const KeyAttribute* key :
           {&model.table.partition_key, model.table.sort_key ? &*model.table.sort_key : nullptr}) {
        const Template* value = key == nullptr ? nullptr : entity->key(key->name);
        if (value == nullptr) continue;
        for (const std::string& attribute : changed) {
          if (attribute != key->name && !value->uses(attribute)) continue;
          context.report(
              place_of(pattern).also(entity->allow),
              fmt::format("it changes {}, which is part of {}={} of {}", attribute, key->name, value->text(),
                          entity->name),
              fmt::format("Take {} out of the primary key and into an index key: an update rewrites that, and the "
                          "item moves in the index by itself.",
                          attribute));
        }
      }
    }
  }
}

}  // namespace stator::design
