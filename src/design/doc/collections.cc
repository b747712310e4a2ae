#include "design/doc/collections.h"

#include <algorithm>
#include <map>
#include <set>

#include "design/generate/generator.h"
#include "design/prove/filter_check.h"
#include "design/prove/outcome.h"

namespace stator::design {

namespace {

constexpr double kGeneratedItems = 3000;
constexpr std::size_t kRowsMax = 7;
constexpr std::size_t kRowsOfEntityMax = 3;
constexpr std::size_t kTextMax = 48;

std::string shortened(std::string text) {
  if (text.size() <= kTextMax) return text;
  text.resize(kTextMax - 3);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  return text + "...";
}

std::string value_text(const GeneratedAttribute& attribute) {
  if (!attribute.text.empty() && attribute.type != AttributeType::binary) return shortened(attribute.text);
  return std::string(attribute_type_text(attribute.type));
}

ExampleRow row_of(const Model& model, const GeneratedItem& item, const Index* index) {
  ExampleRow row;
  row.entity = item.entity->name;
  const std::string index_name = index == nullptr ? "" : index->name;
  const KeyAttribute* sort_key = model.sort_key(index_name);
  if (sort_key != nullptr && item.attribute(sort_key->name) != nullptr)
    row.sort_key = item.attribute(sort_key->name)->text;
  std::vector<std::string> kept;
  if (index != nullptr) kept = projected_names(model, *index, item);
  for (const GeneratedAttribute& attribute : item.attributes) {
    const bool own_key = attribute.name == model.partition_key(index_name).name ||
                         (sort_key != nullptr && attribute.name == sort_key->name);
    if (own_key || attribute.name == model.table.type_attribute) continue;
    if (index != nullptr && std::find(kept.begin(), kept.end(), attribute.name) == kept.end()) continue;
    row.attributes.emplace_back(attribute.name, value_text(attribute));
  }
  return row;
}

using Group = std::vector<const GeneratedItem*>;

// The collection that shows most: many entities first, then a number of rows that fits.
bool shows_more(const Group& a, const Group& b) {
  const auto kinds = [](const Group& group) {
    std::set<const Entity*> entities;
    for (const GeneratedItem* item : group) entities.insert(item->entity);
    return entities.size();
  };
  if (kinds(a) != kinds(b)) return kinds(a) > kinds(b);
  const auto distance = [](const Group& group) {
    const std::size_t size = group.size();
    return size > kRowsMax ? size - kRowsMax : (kRowsMax - size) * 2;
  };
  return distance(a) < distance(b);
}

ExampleCollection collection_of(const Model& model, const Template& key, const std::string& value, Group group,
                                const Index* index) {
  ExampleCollection collection{key.text(), value, {}, 0};
  const KeyAttribute* sort_key = model.sort_key(index == nullptr ? "" : index->name);
  if (sort_key != nullptr) {
    std::stable_sort(group.begin(), group.end(), [&](const GeneratedItem* a, const GeneratedItem* b) {
      return compare_values(sort_key->type, a->attribute(sort_key->name)->text, b->attribute(sort_key->name)->text) < 0;
    });
  }
  std::map<const Entity*, std::size_t> shown;
  for (const GeneratedItem* item : group) {
    if (collection.rows.size() < kRowsMax && shown[item->entity] < kRowsOfEntityMax) {
      ++shown[item->entity];
      collection.rows.push_back(row_of(model, *item, index));
    } else {
      ++collection.left_out;
    }
  }
  return collection;
}

ExampleView view_of(const Model& model, const std::vector<GeneratedItem>& items, const Index* index) {
  ExampleView view{index, {}};
  const std::string index_name = index == nullptr ? "" : index->name;
  const std::string& partition_key = model.partition_key(index_name).name;
  std::map<std::string, Group> groups;  // by value of the partition key
  for (const GeneratedItem& item : items) {
    if (index != nullptr && !Generator::is_in_index(item, *index)) continue;
    groups[item.attribute(partition_key)->text].push_back(&item);
  }
  // The best collection of each template, in the order in which entities declare them.
  std::vector<std::string> seen;
  for (const Entity& entity : model.entities) {
    const Template* key = entity.key(partition_key);
    if (key == nullptr || std::find(seen.begin(), seen.end(), key->text()) != seen.end()) continue;
    seen.push_back(key->text());
    const std::pair<const std::string, Group>* best = nullptr;
    for (const auto& candidate : groups) {
      const bool has_it = std::any_of(candidate.second.begin(), candidate.second.end(), [&](const GeneratedItem* item) {
        const Template* its_key = item->entity->key(partition_key);
        return its_key != nullptr && its_key->text() == key->text();
      });
      if (has_it && (best == nullptr || shows_more(candidate.second, best->second))) best = &candidate;
    }
    if (best != nullptr) view.collections.push_back(collection_of(model, *key, best->first, best->second, index));
  }
  return view;
}

}  // namespace

Result<std::vector<ExampleView>> example_views(const Model& model) {
  const double scale = std::min(1.0, Generator::scale_for(model, kGeneratedItems));
  TRY(const Generator generator, Generator::create(model, {1, scale}));
  std::vector<GeneratedItem> items;
  for (const Entity& entity : model.entities) {
    for (std::uint64_t number = 0; number < generator.count(entity); ++number) {
      TRY(GeneratedItem item, generator.item(entity, number));
      items.push_back(std::move(item));
    }
  }
  std::vector<ExampleView> views;
  views.push_back(view_of(model, items, nullptr));
  for (const Index& index : model.indexes) views.push_back(view_of(model, items, &index));
  return views;
}

}  // namespace stator::design
