#include "design/resolve.h"

#include <algorithm>

namespace stator::design {
namespace {

std::string_view call_name(PatternKind kind) {
  constexpr std::string_view kNames[] = {
      "GetItem",    "Query",        "Scan",           "PutItem",          "UpdateItem",
      "DeleteItem", "BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems"};
  return kNames[static_cast<std::size_t>(kind)];
}

// What the parameters of a pattern can be: the values of the attribute that each stands for.
ShapeOf parameter_shapes(const Model& model, const Pattern& pattern, const Entity& entity) {
  return [&model, &pattern, &entity](std::string_view name) -> FieldShape {
    std::string attribute_name(name);
    if (const Parameter* parameter = pattern.parameter(name)) {
      if (!parameter->value.empty()) return {TextShape::one_of, {parameter->value}};
      if (!parameter->attribute.empty()) attribute_name = parameter->attribute;
    }
    for (const std::string& meant : pattern.entities) {
      const Entity* one = model.entity(meant);
      const Attribute* attribute = one == nullptr ? nullptr : one->attribute(attribute_name);
      if (attribute != nullptr) return shape_of(*attribute);
    }
    const Attribute* attribute = entity.attribute(attribute_name);
    return attribute == nullptr ? FieldShape{} : shape_of(*attribute);
  };
}

// A range with one open end takes every text on that side of its bound, whatever it begins with.
bool can_be_beyond(const std::string& text, const std::string& bound, bool above) {
  const std::size_t common = std::min(text.size(), bound.size());
  const int order = text.compare(0, common, bound, 0, common);
  return order == 0 || (order > 0) == above;
}

std::optional<std::string> range_text(const KeyCondition& condition, const Template& key) {
  const std::string text = key.literal_prefix();
  const std::string low = condition.value.literal_prefix();
  const bool above = condition.op == KeyOperator::greater || condition.op == KeyOperator::greater_or_equal;
  bool possible = false;
  if (condition.op == KeyOperator::between) {
    possible = can_be_beyond(text, low, true) && can_be_beyond(text, condition.upper.literal_prefix(), false);
  } else {
    possible = can_be_beyond(text, low, above);
  }
  if (!possible) return std::nullopt;
  return key.text();
}

// A text of the entity's key that the condition lets through, or nothing.
std::optional<std::string> match(const Model& model, const Pattern& pattern, const Entity& entity,
                                 const KeyCondition& condition, const Template& key) {
  const ShapeOf given = parameter_shapes(model, pattern, entity);
  switch (condition.op) {
    case KeyOperator::equal:
      return common_text(condition.value, given, key, shapes_of(entity), model.delimiter);
    case KeyOperator::begins_with:
      return common_prefix_text(condition.value, given, key, shapes_of(entity), model.delimiter);
    default:
      return range_text(condition, key);
  }
}

// The share of an entity's items under one partition key that a condition on the sort key selects. A range cannot be
// known from cardinalities: half of them, unless the pattern declares its items.
double sort_share(const Model& model, const Entity& entity, const KeyCondition& condition, const Template& key,
                  double in_collection) {
  if (condition.op == KeyOperator::equal) return 1 / std::max(1.0, in_collection);
  if (condition.op != KeyOperator::begins_with) return 0.5;
  double share = 1;
  for (const auto& [given, part] : align(condition.value, key, model.delimiter).fields) {
    share /= std::max(1.0, std::min(in_collection, distinct_values(model, entity, part->text, given->format)));
  }
  return std::max(share, 1 / std::max(1.0, in_collection));
}

// Items of a listed value, such as STATUS#PENDING for STATUS#{status}, relative to the average of all values.
double value_weight(const Model& model, const Entity& entity, const KeyCondition& condition, const Template& key) {
  const Alignment alignment = align(condition.value, key, model.delimiter);
  double weight = 1;
  for (const Part& part : key.parts()) {
    if (part.kind != PartKind::field) continue;
    const bool given = std::any_of(alignment.fields.begin(), alignment.fields.end(),
                                   [&](const auto& pair) { return pair.second == &part; });
    const Attribute* attribute = entity.attribute(part.text);
    if (given || attribute == nullptr || attribute->values.empty()) continue;
    double total = 0;
    double own = 0;
    for (const NamedValue& value : attribute->values) {
      total += value.weight;
      if (condition.value.text().find(value.value) != std::string::npos) own = std::max(own, value.weight);
    }
    if (total > 0 && own > 0) weight *= own / total * static_cast<double>(attribute->values.size());
  }
  return weight;
}

struct Expected {
  double average = 0;
  std::optional<double> maximum;
};

Expected expected_items(const Model& model, const Pattern& pattern, const Entity& entity) {
  const KeyCondition* partition = pattern.condition(model.partition_key(pattern.index).name);
  const Template* key = entity.key(model.partition_key(pattern.index).name);
  if (partition == nullptr || key == nullptr) return {};
  const Index* index = model.index(pattern.index);
  const double share = index == nullptr ? 1 : index_share(model, entity, *index);
  const Collection collection = items_per_key(model, entity, *key);
  double average = collection.average * share;
  if (partition->op == KeyOperator::equal) average *= value_weight(model, entity, *partition, *key);
  Expected expected{average, collection.maximum};
  if (expected.maximum && key->is_constant()) *expected.maximum *= share;
  const KeyAttribute* sort = model.sort_key(pattern.index);
  const KeyCondition* condition = sort == nullptr ? nullptr : pattern.condition(sort->name);
  if (condition != nullptr) {
    expected.average *= sort_share(model, entity, *condition, *entity.key(sort->name), average);
    if (condition->op == KeyOperator::equal) expected.maximum = 1;
  }
  return expected;
}

void resolve_query(const Model& model, const Pattern& pattern, Resolution& resolution) {
  bool known = true;
  double maximum = 0;
  for (const EntityReach& one : resolution.reached) {
    const Expected expected = expected_items(model, pattern, *one.entity);
    resolution.items_average += expected.average;
    known = known && expected.maximum;
    maximum += expected.maximum.value_or(0);
  }
  if (pattern.items) resolution.items_average = *pattern.items;
  if (known) resolution.items_maximum = std::max(maximum, resolution.items_average);
  if (pattern.limit) {
    resolution.items_average = std::min(resolution.items_average, *pattern.limit);
    resolution.items_maximum = std::min(resolution.items_maximum.value_or(*pattern.limit), *pattern.limit);
  }
  resolution.items_average *= resolution.shards;
  if (resolution.items_maximum) *resolution.items_maximum *= resolution.shards;
}

void resolve_scan(const Model& model, Resolution& resolution) {
  for (const Entity& entity : model.entities) {
    const double share = resolution.index == nullptr ? 1 : index_share(model, entity, *resolution.index);
    resolution.items_average += share * item_count(model, entity);
  }
  resolution.items_maximum = resolution.items_average;
}

}  // namespace

bool Resolution::reaches(const Entity& entity) const {
  return std::any_of(reached.begin(), reached.end(), [&](const EntityReach& one) { return one.entity == &entity; });
}

EntityReach reach_of(const Model& model, const Pattern& pattern, const Entity& entity, std::string_view index) {
  EntityReach result{&entity, Reach::none, {}};
  if (!is_in(model, entity, index)) return result;
  const KeyAttribute& partition = model.partition_key(index);
  const KeyCondition* condition = pattern.condition(partition.name);
  if (condition == nullptr) return result;
  std::optional<std::string> text = match(model, pattern, entity, *condition, *entity.key(partition.name));
  if (!text) return result;
  const KeyAttribute* sort = model.sort_key(index);
  const KeyCondition* sort_condition = sort == nullptr ? nullptr : pattern.condition(sort->name);
  if (sort_condition != nullptr) {
    text = match(model, pattern, entity, *sort_condition, *entity.key(sort->name));
    if (!text) return result;
  }
  const bool meant = std::find(pattern.entities.begin(), pattern.entities.end(), entity.name) != pattern.entities.end();
  result.reach = meant ? Reach::meant : Reach::unmeant;
  result.example = std::move(*text);
  return result;
}

std::vector<KeyCondition> key_of(const Model& model, const Action& action) {
  if (!action.key.empty()) return action.key;
  std::vector<KeyCondition> conditions;
  const Entity* entity = model.entity(action.entity);
  if (entity == nullptr) return conditions;
  for (const KeyAttribute* key :
       {&model.table.partition_key, model.table.sort_key ? &*model.table.sort_key : nullptr}) {
    const Template* value = key == nullptr ? nullptr : entity->key(key->name);
    if (value != nullptr) conditions.push_back({key->name, KeyOperator::equal, *value, {}, value->position()});
  }
  return conditions;
}

Resolution resolve(const Model& model, const Pattern& pattern) {
  Resolution resolution;
  resolution.pattern = &pattern;
  resolution.index = model.index(pattern.index);
  resolution.call = call_name(pattern.kind);
  for (const KeyCondition& condition : pattern.key) {
    const Part* shard = condition.value.shard();
    if (shard != nullptr && shard->shard_kind == ShardKind::every) resolution.shards = shard->shard_count;
  }
  resolution.calls = resolution.shards * std::max(1.0, pattern.repeat);
  if (!pattern.actions.empty()) {
    for (const Action& action : pattern.actions) resolution.items_average += action.count;
    resolution.items_maximum = resolution.items_average;
    return resolution;
  }
  for (const Entity& entity : model.entities) {
    EntityReach reach = reach_of(model, pattern, entity, pattern.index);
    if (reach.reach != Reach::none) resolution.reached.push_back(std::move(reach));
  }
  switch (pattern.kind) {
    case PatternKind::get:
      resolution.items_average = resolution.shards;
      resolution.items_maximum = resolution.shards;
      break;
    case PatternKind::scan:
      resolve_scan(model, resolution);
      break;
    default:
      resolve_query(model, pattern, resolution);
      break;
  }
  return resolution;
}

}  // namespace stator::design
