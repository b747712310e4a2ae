#include "design/cost/pattern_units.h"

#include <algorithm>
#include <cmath>

#include "design/shape.h"

namespace stator::design {

namespace {

double blocks(double bytes, double block) { return std::max(1.0, std::ceil(std::round(bytes) / block)); }

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Attributes that an update gives a new value to.
bool changes(const Action& action, std::string_view attribute) {
  const auto is_it = [&](const Assignment& assignment) { return assignment.attribute == attribute; };
  return std::any_of(action.set.begin(), action.set.end(), is_it) ||
         std::any_of(action.add.begin(), action.add.end(), is_it);
}

std::vector<std::string> keys_of(const Index& index) {
  std::vector<std::string> keys = {index.partition_key.name};
  if (index.sort_key) keys.push_back(index.sort_key->name);
  return keys;
}

// Whether the text of one of the index's keys changes: it is set itself, or a field of its template is.
bool changes_key(const Entity& entity, const Index& index, const Action& action) {
  for (const std::string& key : keys_of(index)) {
    if (changes(action, key)) return true;
    const Template* key_template = entity.key(key);
    if (key_template == nullptr) continue;
    for (const std::string& field : key_template->fields())
      if (changes(action, field)) return true;
  }
  return false;
}

bool removes_key(const Index& index, const Action& action) {
  const std::vector<std::string> keys = keys_of(index);
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) { return contains(action.remove, key); });
}

// The value that the action gives to an attribute, if it is a fixed one.
const std::string* fixed_value(const Action& action, std::string_view attribute) {
  for (const Assignment& assignment : action.set)
    if (assignment.attribute == attribute && assignment.value.is_constant()) return &assignment.value.text();
  return nullptr;
}

void add_write(const Model& model, const Action& action, bool transaction, PatternUnits& units) {
  const Entity* entity = model.entity(action.entity);
  if (entity == nullptr) return;
  const Bytes bytes = item_bytes(model, *entity);
  units.item_bytes = std::max(units.item_bytes, bytes.typical);
  UnitsAt table{nullptr, entity, &action, 0, action.count * write_units(bytes.typical, transaction)};
  std::vector<UnitsAt> indexes;
  for (const Index& index : model.indexes) {
    if (action.kind == ActionKind::check || !is_in(model, *entity, index.name)) continue;
    const double writes = action.kind == ActionKind::update ? index_writes_of_update(model, *entity, index, action)
                                                            : index_share_after(model, *entity, index, action);
    // A transaction costs double on the table alone.
    const double cost = action.count * writes * write_units(index_item_bytes(model, *entity, index).typical);
    if (cost == 0) continue;
    if (index.kind == IndexKind::local) {
      table.write += cost;
    } else {
      indexes.push_back({&index, entity, &action, 0, cost});
    }
  }
  units.table_write += table.write;
  units.parts.push_back(table);
  units.parts.insert(units.parts.end(), indexes.begin(), indexes.end());
}

void add_read_of_item(const Model& model, const Action& action, const Pattern& pattern, PatternUnits& units) {
  const Entity* entity = model.entity(action.entity);
  if (entity == nullptr) return;
  const Bytes bytes = item_bytes(model, *entity);
  units.item_bytes = std::max(units.item_bytes, bytes.typical);
  const double each = read_units(bytes.typical, pattern.consistency, pattern.is_transaction());
  units.parts.push_back({nullptr, entity, &action, action.count * each, 0});
}

double bytes_in(const Model& model, const Entity& entity, const Index* index) {
  return index == nullptr ? item_bytes(model, entity).typical : index_item_bytes(model, entity, *index).typical;
}

// Typical bytes of an item that the key condition returns: the mean over its entities, weighted by how many there are.
double mean_bytes(const Model& model, const PatternUnits& units) {
  const Resolution& resolution = units.resolution;
  const std::string& partition_key =
      model.partition_key(resolution.index == nullptr ? "" : resolution.index->name).name;
  double items = 0;
  double sum = 0;
  for (const EntityReach& reach : resolution.reached) {
    if (reach.reach == Reach::none) continue;
    const Template* key = reach.entity->key(partition_key);
    double weight = key == nullptr ? 1 : items_per_key(model, *reach.entity, *key).average;
    if (resolution.index != nullptr) weight *= index_share(model, *reach.entity, *resolution.index);
    items += weight;
    sum += weight * bytes_in(model, *reach.entity, resolution.index);
  }
  return items > 0 ? sum / items : 0;
}

void add_read(const Model& model, const Pattern& pattern, PatternUnits& units) {
  const Resolution& resolution = units.resolution;
  const Entity* entity = pattern.entities.empty() ? nullptr : model.entity(pattern.entities.front());
  double each = mean_bytes(model, units);
  if (each == 0 && entity != nullptr) each = bytes_in(model, *entity, resolution.index);
  units.item_bytes = each;
  const double calls = std::max(1.0, resolution.calls);
  const double items = pattern.kind == PatternKind::get ? calls : resolution.items_average;
  const double cost = calls * read_units(each * items / calls, pattern.consistency);
  const Index* index = resolution.index;
  if (index != nullptr && index->kind == IndexKind::local) index = nullptr;
  units.parts.push_back({index, entity, nullptr, cost, 0});
}

}  // namespace

double read_units(double bytes, Consistency consistency, bool transaction) {
  return blocks(bytes, 4096) * (transaction ? 2 : consistency == Consistency::strong ? 1 : 0.5);
}

double write_units(double bytes, bool transaction) { return blocks(bytes, 1024) * (transaction ? 2 : 1); }

double index_share_after(const Model& model, const Entity& entity, const Index& index, const Action& action) {
  const SparseCondition* sparse = entity.sparse_in(index.name);
  if (sparse != nullptr && !sparse->values.empty()) {
    if (const std::string* value = fixed_value(action, sparse->attribute)) {
      return contains(sparse->values, *value) ? 1 : 0;
    }
  }
  return index_share(model, entity, index);
}

double index_writes_of_update(const Model& model, const Entity& entity, const Index& index, const Action& action) {
  const double share = index_share(model, entity, index);
  if (removes_key(index, action)) return 1;
  const SparseCondition* sparse = entity.sparse_in(index.name);
  if (sparse != nullptr && (changes(action, sparse->attribute) || contains(action.remove, sparse->attribute))) {
    // It enters or leaves, which is one write. How many changes do neither is not declared, so this is the upper bound.
    return 1;
  }
  if (changes_key(entity, index, action)) return 2 * share;
  const auto is_kept = [&](const std::string& attribute) { return is_projected(model, index, attribute); };
  const auto sets_kept = [&](const Assignment& assignment) { return is_kept(assignment.attribute); };
  const bool visible = std::any_of(action.set.begin(), action.set.end(), sets_kept) ||
                       std::any_of(action.add.begin(), action.add.end(), sets_kept) ||
                       std::any_of(action.remove.begin(), action.remove.end(), is_kept);
  return visible ? share : 0;
}

PatternUnits pattern_units(const Model& model, const Pattern& pattern) {
  PatternUnits units;
  units.pattern = &pattern;
  units.resolution = resolve(model, pattern);
  if (pattern.actions.empty()) {
    add_read(model, pattern, units);
  } else {
    for (const Action& action : pattern.actions) {
      if (action.kind == ActionKind::get) {
        add_read_of_item(model, action, pattern, units);
      } else {
        add_write(model, action, pattern.is_transaction(), units);
      }
    }
    if (pattern.repeat > 1) {
      for (UnitsAt& part : units.parts) {
        part.read *= pattern.repeat;
        part.write *= pattern.repeat;
      }
      units.table_write *= pattern.repeat;
    }
  }
  for (const UnitsAt& part : units.parts) {
    units.read += part.read;
    units.write += part.write;
  }
  return units;
}

}  // namespace stator::design
