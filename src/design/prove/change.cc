#include "design/prove/change.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/filter_text.h"
#include "design/generate/random.h"
#include "design/generate/values.h"
#include "design/prove/lookup.h"
#include "design/prove/outcome.h"
#include "item/number.h"

namespace stator::design {

namespace {

using client::Json;

std::set<std::string> table_key_fields(const Model& model, const Entity& entity) {
  std::set<std::string> fields;
  const auto add = [&](const std::string& attribute) {
    if (const Template* value = entity.key(attribute))
      for (const std::string& field : value->fields()) fields.insert(field);
  };
  add(model.table.partition_key.name);
  if (model.table.sort_key) add(model.table.sort_key->name);
  return fields;
}

// Fields of an item that identify it, for items that are written together with it.
void add_identity(const Model& model, const GeneratedItem& item, FieldValues& given) {
  for (const std::string& field : table_key_fields(model, *item.entity)) {
    const auto value = item.fields.find(field);
    if (value != item.fields.end()) given.emplace(field, value->second);
  }
}

std::string parameter_attribute(const Pattern& pattern, const std::string& name) {
  const Parameter* parameter = pattern.parameter(name);
  return parameter == nullptr || parameter->attribute.empty() ? name : parameter->attribute;
}

std::string add_numbers(const std::string& a, const std::string& b) {
  const auto left = item::parse_number(a.empty() ? "0" : a);
  const auto right = item::parse_number(b);
  if (!left || !right) return a;
  const auto sum = item::add(*left, *right);
  return sum ? item::format_number(*sum) : a;
}

// The update as an expression: what differs between before and after, with ADD where the pattern adds.
void add_update(const Action& action, const GeneratedItem& before, const GeneratedItem& after, Json& request) {
  std::string set;
  std::string remove;
  std::string add;
  const auto name_of = [&](const std::string& name) {
    const std::string placeholder = fmt::format("#n{}", request["ExpressionAttributeNames"].size());
    request["ExpressionAttributeNames"][placeholder] = name;
    return placeholder;
  };
  const auto value_of = [&](const Json& value) {
    const std::string placeholder = fmt::format(":v{}", request["ExpressionAttributeValues"].size());
    request["ExpressionAttributeValues"][placeholder] = value;
    return placeholder;
  };
  for (const Assignment& assignment : action.add) {
    add += fmt::format("{}{} {}", add.empty() ? "ADD " : ", ", name_of(assignment.attribute),
                       value_of({{"N", assignment.value.text()}}));
  }
  const auto is_added = [&](const std::string& name) {
    return std::any_of(action.add.begin(), action.add.end(),
                       [&](const Assignment& one) { return one.attribute == name; });
  };
  for (const GeneratedAttribute& attribute : after.attributes) {
    const GeneratedAttribute* old = before.attribute(attribute.name);
    if (is_added(attribute.name) || (old != nullptr && old->json == attribute.json)) continue;
    set += fmt::format("{}{} = {}", set.empty() ? "SET " : ", ", name_of(attribute.name),
                       value_of(Json::parse(attribute.json)));
  }
  for (const GeneratedAttribute& attribute : before.attributes) {
    if (after.attribute(attribute.name) != nullptr) continue;
    remove += fmt::format("{}{}", remove.empty() ? "REMOVE " : ", ", name_of(attribute.name));
  }
  std::string expression;
  for (const std::string& part : {set, remove, add})
    if (!part.empty()) expression += (expression.empty() ? "" : " ") + part;
  request["UpdateExpression"] = expression;
}

// Writes to one index: none where it keeps the same, one to put or take out a row, two where the row's key moves.
double index_units(const Model& model, const Index& index, const Change& change) {
  const bool was = change.before && Generator::is_in_index(*change.before, index);
  const bool is = change.after && Generator::is_in_index(*change.after, index);
  const auto cost = [&](const GeneratedItem& item) {
    return exact_write_units(projected_bytes(model, index, item), false);
  };
  if (!was && !is) return 0;
  if (!was) return cost(*change.after);
  if (!is) return cost(*change.before);
  const auto same = [&](const std::string& name) {
    const GeneratedAttribute* a = change.before->attribute(name);
    const GeneratedAttribute* b = change.after->attribute(name);
    return (a == nullptr) == (b == nullptr) && (a == nullptr || a->json == b->json);
  };
  const bool same_key = same(index.partition_key.name) && (!index.sort_key || same(index.sort_key->name));
  if (!same_key) return cost(*change.before) + cost(*change.after);
  const auto kept_before = projected_names(model, index, *change.before);
  const auto kept_after = projected_names(model, index, *change.after);
  const bool unchanged = std::all_of(kept_before.begin(), kept_before.end(), same) &&
                         std::all_of(kept_after.begin(), kept_after.end(), same);
  return unchanged ? 0 : std::max(cost(*change.before), cost(*change.after));
}

}  // namespace

double predicted_units(const Model& model, const Change& change, bool transaction) {
  const std::size_t bytes =
      std::max(change.before ? change.before->bytes() : 0, change.after ? change.after->bytes() : 0);
  double units = exact_write_units(bytes, transaction);
  if (change.action->kind == ActionKind::check) return units;
  for (const Index& index : model.indexes) units += index_units(model, index, change);
  return units;
}

Result<ChangePlanner::Existing> ChangePlanner::pick(const Entity& entity, const std::vector<Existing>& earlier) {
  for (const Existing& one : earlier) {
    if (one.entity == &entity) continue;
    const auto number = generator_.related_number(*one.entity, one.number, entity);
    if (number && touched_.emplace(entity.name, *number).second) return Existing{&entity, *number};
  }
  const std::uint64_t count = generator_.count(entity);
  for (int attempt = 0; attempt < 1000 && count > 0; ++attempt) {
    const std::uint64_t number = mix(seed_, drawn_++) % count;
    if (touched_.emplace(entity.name, number).second) return Existing{&entity, number};
  }
  return invalid(fmt::format("every {} was changed already; raise --scale", entity.name));
}

std::string ChangePlanner::new_value(const Entity& entity, const std::string& attribute_name,
                                     const std::string& current) {
  const Attribute* attribute = entity.attribute(attribute_name);
  if (attribute == nullptr) return words(mix(seed_, drawn_++), 12);
  for (int attempt = 0; attempt < 50; ++attempt) {
    std::string value = random_value(*attribute, mix(seed_, drawn_++), attribute_name == entity.ttl_attribute);
    if (value != current) return value;
  }
  return current;
}

Result<GeneratedItem> ChangePlanner::updated(const Pattern& pattern, const Action& action,
                                             const GeneratedItem& before) {
  const std::set<std::string> identity = table_key_fields(model_, *before.entity);
  FieldValues values = before.fields;  // of parameters
  for (const Assignment& assignment : action.set) {
    for (const std::string& name : assignment.value.fields()) {
      const Parameter* parameter = pattern.parameter(name);
      if (parameter != nullptr && !parameter->value.empty()) {
        values.insert_or_assign(name, parameter->value);
      } else if (!identity.contains(name)) {
        const std::string attribute = parameter_attribute(pattern, name);
        const auto current = before.fields.find(attribute);
        values.insert_or_assign(
            name, new_value(*before.entity, attribute, current == before.fields.end() ? "" : current->second));
      }
    }
  }
  FieldValues changes;
  FieldValues extra;  // attributes that the entity does not declare
  for (const Assignment& assignment : action.set) {
    TRY(std::string text, assignment.value.evaluate(values));
    auto& target = before.entity->attribute(assignment.attribute) != nullptr ? changes : extra;
    target.insert_or_assign(assignment.attribute, std::move(text));
  }
  for (const Assignment& assignment : action.add) {
    const auto current = before.fields.find(assignment.attribute);
    changes.insert_or_assign(assignment.attribute, add_numbers(current == before.fields.end() ? "" : current->second,
                                                               assignment.value.text()));
  }
  GeneratedItem kept = before;
  for (const std::string& name : action.remove) kept.fields.erase(name);
  TRY(GeneratedItem after, generator_.changed(kept, changes));
  std::erase_if(after.attributes, [&](const GeneratedAttribute& attribute) {
    return std::find(action.remove.begin(), action.remove.end(), attribute.name) != action.remove.end();
  });
  for (const auto& [name, text] : extra) {
    std::erase_if(after.attributes, [&wanted = name](const GeneratedAttribute& attribute) { return attribute.name == wanted; });
    after.attributes.push_back(make_attribute(name, AttributeType::string, text, 0, 0));
  }
  return after;
}

Result<void> ChangePlanner::add_condition(const Pattern& pattern, const Action& action, const GeneratedItem& item,
                                          Json& request) const {
  if (action.condition.empty()) return {};
  TRY(const Filter condition, read_filter_text(action.condition));
  request["ConditionExpression"] = with_name_placeholders(condition);
  for (const std::string& name : condition.attributes) request["ExpressionAttributeNames"]["#" + name] = name;
  for (const std::string& name : condition.parameters) {
    const Parameter* parameter = pattern.parameter(name);
    const auto field = item.fields.find(parameter_attribute(pattern, name));
    if (parameter != nullptr && !parameter->value.empty()) {
      request["ExpressionAttributeValues"][":" + name] =
          Json::parse(parameter_json(model_, pattern, name, parameter->value));
    } else if (field != item.fields.end()) {
      request["ExpressionAttributeValues"][":" + name] =
          Json::parse(parameter_json(model_, pattern, name, field->second));
    } else {
      return invalid(fmt::format("pattern {}: :{} has no value; declare it under \"parameters\"", pattern.name, name));
    }
  }
  return {};
}

Result<Change> ChangePlanner::change_existing(const Pattern& pattern, const Action& action,
                                              const GeneratedItem& before) {
  Change change{&action, before, std::nullopt, Json::object()};
  change.request["Key"] = table_key_json(model_, before);
  if (action.kind == ActionKind::update) {
    TRY(GeneratedItem after, updated(pattern, action, before));
    add_update(action, before, after, change.request);
    change.after = std::move(after);
  } else if (action.kind == ActionKind::check) {
    change.after = before;
  }
  TRY_VOID(add_condition(pattern, action, before, change.request));
  return change;
}

Result<Change> ChangePlanner::new_item(const Pattern& pattern, const Action& action, std::uint64_t local,
                                       const FieldValues& given) {
  const Entity& entity = *model_.entity(action.entity);
  FieldValues own;
  const std::set<std::string> identity = table_key_fields(model_, entity);
  for (const auto& [name, value] : given)
    if (identity.contains(name)) own.emplace(name, value);
  const std::uint64_t number = fresh_++;
  // Alone under its parent it comes after everything that was added before; with its family it counts from the first.
  TRY(GeneratedItem item, generator_.fresh_item(entity, number, own.empty() ? number : local, own));
  if (!action.set.empty()) {
    FieldValues changes;
    for (const Assignment& assignment : action.set) {
      TRY(std::string text, assignment.value.evaluate(item.fields));
      changes.insert_or_assign(assignment.attribute, std::move(text));
    }
    TRY(item, generator_.changed(item, changes));
  }
  Change change{&action, std::nullopt, std::move(item), Json::object()};
  change.request["Item"] = Json::parse(change.after->json());
  TRY_VOID(add_condition(pattern, action, *change.after, change.request));
  return change;
}

Result<std::vector<Change>> ChangePlanner::plan(const Pattern& pattern) {
  std::vector<std::vector<Change>> by_action(pattern.actions.size());
  FieldValues given;
  std::vector<Existing> existing;
  // Items that are there come first: new ones belong to them.
  for (std::size_t at = 0; at < pattern.actions.size(); ++at) {
    const Action& action = pattern.actions[at];
    const Entity* entity = model_.entity(action.entity);
    if (entity == nullptr)
      return invalid(fmt::format("pattern {}: there is no entity {}", pattern.name, action.entity));
    if (action.kind == ActionKind::put) continue;
    for (double count = 0; count < action.count; ++count) {
      TRY(const Existing one, pick(*entity, existing));
      existing.push_back(one);
      TRY(const GeneratedItem before, generator_.item(*entity, one.number));
      add_identity(model_, before, given);
      TRY(Change change, change_existing(pattern, action, before));
      by_action[at].push_back(std::move(change));
    }
  }
  for (std::size_t at = 0; at < pattern.actions.size(); ++at) {
    const Action& action = pattern.actions[at];
    if (action.kind != ActionKind::put) continue;
    for (double count = 0; count < action.count; ++count) {
      TRY(Change change, new_item(pattern, action, static_cast<std::uint64_t>(count), given));
      by_action[at].push_back(std::move(change));
    }
    if (!by_action[at].empty()) add_identity(model_, *by_action[at].front().after, given);
  }
  std::vector<Change> changes;
  for (std::vector<Change>& one : by_action) std::move(one.begin(), one.end(), std::back_inserter(changes));
  return changes;
}

}  // namespace stator::design
