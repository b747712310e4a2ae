#include "design/workbench/infer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "design/workbench/alias.h"
#include "design/workbench/infer_entity.h"
#include "item/number.h"

namespace stator::design {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kTypesMax = 60;  // values that a type attribute may have

// The attribute that says what an item is: a usual name, on every item, with few values.
std::string find_type_attribute(const InferInput& input) {
  for (const char* name : {"entity_type", "entityType", "entity", "type", "_type", "Type",
                           "EntityType", "itemType", "__typename", "_et"}) {
    std::set<std::string> values;
    const bool everywhere =
        std::all_of(input.items.begin(), input.items.end(), [&](const OrderedJson& item) {
          const auto value = text_of(item, name);
          if (value) values.insert(*value);
          return value.has_value();
        });
    if (everywhere && !values.empty() && values.size() <= kTypesMax) return name;
  }
  return "";
}

std::string label_name(const std::string& text) {
  std::string out;
  bool upper = true;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      upper = true;
      continue;
    }
    out += static_cast<char>(upper ? std::toupper(static_cast<unsigned char>(c))
                                   : std::tolower(static_cast<unsigned char>(c)));
    upper = false;
  }
  return out;
}

class Inference {
 public:
  explicit Inference(const InferInput& input) : input_(input) {
    model_.name = input.table.name;
    model_.table = input.table;
    model_.indexes = input.indexes;
    model_.description =
        fmt::format("A first model of table {}, guessed from its items.", input.table.name);
    share_ = input.item_count > 0 && !input.items.empty()
                 ? input.item_count / static_cast<double>(input.items.size())
                 : 1;
    std::vector<std::string> keys;
    for (const OrderedJson& item : input.items)
      for (const KeyAttribute& key : model_.key_attributes())
        if (const auto text = text_of(item, key.name)) keys.push_back(*text);
    model_.delimiter = guess_delimiter(keys);
  }

  Model run() {
    model_.table.type_attribute = find_type_attribute(input_);
    for (const auto& [name, group] : groups()) add_entity(name, group);
    for (Entity& entity : model_.entities) apply_aliases(entity);
    add_relationships();
    for (Entity& entity : model_.entities) {
      const bool child =
          std::any_of(model_.relationships.begin(), model_.relationships.end(),
                      [&](const Relationship& one) { return one.child == entity.name; });
      if (child) entity.count.reset();
    }
    add_patterns();
    return std::move(model_);
  }

 private:
  // By type, or by how the keys begin.
  std::map<std::string, ItemGroup> groups() const {
    std::map<std::string, ItemGroup> out;
    for (const OrderedJson& item : input_.items) {
      std::string name;
      if (!model_.table.type_attribute.empty()) {
        name = *text_of(item, model_.table.type_attribute);
      } else {
        name = label_name(prefix_of(item, model_.table.partition_key.name));
        if (model_.table.sort_key) {
          const std::string sort = label_name(prefix_of(item, model_.table.sort_key->name));
          if (sort != name) name += sort;
        }
      }
      out[name.empty() ? "Item" : name].push_back(&item);
    }
    return out;
  }

  std::string prefix_of(const OrderedJson& item, const std::string& key) const {
    const std::string text = text_of(item, key).value_or("");
    const std::size_t end = text.find(model_.delimiter);
    const std::string head = text.substr(0, end);
    const bool label =
        end != std::string::npos || std::all_of(head.begin(), head.end(), [](unsigned char c) {
          return std::isupper(c) != 0 || c == '_';
        });
    return label ? head : "";
  }

  void add_entity(const std::string& name, const ItemGroup& group) {
    Entity entity;
    entity.name = name;
    entity.type_value = name;
    entity.has_type = !model_.table.type_attribute.empty();
    entity.count = std::max(1.0, std::round(static_cast<double>(group.size()) * share_));
    columns_[name] = infer_entity(model_, group, entity);
    model_.entities.push_back(std::move(entity));
  }

  void apply_aliases(Entity& entity) {
    const auto known = input_.aliases.find(entity.name);
    if (known == input_.aliases.end()) return;
    for (const auto& [attribute, text] : known->second) {
      for (const auto& [from, to] : apply_alias(text, attribute, entity)) {
        auto& columns = columns_[entity.name];
        if (auto moved = columns.extract(from)) {
          moved.key() = to;
          columns.insert(std::move(moved));
        }
      }
    }
    for (const KeyTemplate& key : entity.keys) {
      for (const Part& part : key.value.parts()) {
        if (part.kind == PartKind::field && part.format.kind == FormatKind::number)
          make_number(entity, part);
      }
    }
  }

  // A field that a known template pads with zeros is a number, though the key shows text.
  void make_number(Entity& entity, const Part& part) {
    const auto found = std::find_if(entity.attributes.begin(), entity.attributes.end(),
                                    [&](const Attribute& one) { return one.name == part.text; });
    if (found == entity.attributes.end() || found->stored || found->type != AttributeType::string)
      return;
    Column& column = columns_[entity.name][part.text];
    if (!std::all_of(column.begin(), column.end(),
                     [](const std::string& text) { return item::parse_number(text); }))
      return;
    for (std::string& text : column) {
      text = item::format_number(*item::parse_number(text));
      const double value = std::stod(text);
      found->minimum = std::min(found->minimum.value_or(value), value);
      found->maximum = std::max(found->maximum.value_or(value), value);
    }
    found->type = AttributeType::number;
    found->format = ValueFormat::number;
    found->values.clear();
    if (part.format.decimals > 0) found->decimals = part.format.decimals;
    if (const auto example = item::parse_number(found->example))
      found->example = item::format_number(*example);
  }

  // Items with the same partition key template: the one with a constant sort key heads the
  // collection.
  void add_relationships() {
    if (!model_.table.sort_key) return;
    for (const Entity& child : model_.entities) {
      const Template* child_key = child.key(model_.table.partition_key.name);
      for (const Entity& parent : model_.entities) {
        const Template* parent_key = parent.key(model_.table.partition_key.name);
        const Template* parent_sort = parent.key(model_.table.sort_key->name);
        const Template* child_sort = child.key(model_.table.sort_key->name);
        if (&parent == &child || child_key == nullptr || parent_key == nullptr ||
            parent_sort == nullptr || child_sort == nullptr)
          continue;
        if (!(*child_key == *parent_key) || !parent_sort->is_constant() ||
            child_sort->is_constant() || child_key->fields().empty())
          continue;
        Relationship relationship;
        relationship.name = fmt::format("{}_of_{}", child.name, parent.name);
        relationship.parent = parent.name;
        relationship.child = child.name;
        relationship.by = child_key->fields();
        relationship.parent_fields = relationship.by;
        relationship.children.average = std::max(0.01, *child.count / *parent.count);
        std::map<std::string, double> counts;
        for (const std::string& value : columns_.at(child.name).at(relationship.by.front()))
          ++counts[value];
        double most = relationship.children.average;
        for (const auto& [value, number] : counts) most = std::max(most, number);
        relationship.children.maximum = std::ceil(most);
        model_.relationships.push_back(std::move(relationship));
        break;
      }
    }
  }

  // What the keys obviously serve; the rates are for the reader to fill in.
  void add_patterns() {
    for (const Entity& entity : model_.entities) {
      Pattern get;
      get.name = "get-" + entity.name;
      get.description = fmt::format("one {} by its key", entity.name);
      get.kind = PatternKind::get;
      get.entities = {entity.name};
      for (const KeyTemplate& key : entity.keys) {
        const bool own = key.attribute == model_.table.partition_key.name ||
                         (model_.table.sort_key && key.attribute == model_.table.sort_key->name);
        if (own) get.key.push_back({key.attribute, KeyOperator::equal, key.value, {}, {}});
      }
      get.rate = {1, 1, {}};
      model_.patterns.push_back(std::move(get));
      for (const Index& index : model_.indexes) {
        const Template* key = entity.key(index.partition_key.name);
        if (key == nullptr || (index.sort_key && entity.key(index.sort_key->name) == nullptr))
          continue;
        Pattern query;
        query.name = fmt::format("{}-by-{}", entity.name, index.name);
        query.description = fmt::format("{} under one {}", entity.name, index.partition_key.name);
        query.kind = PatternKind::query;
        query.index = index.name;
        query.entities = {entity.name};
        query.key.push_back({index.partition_key.name, KeyOperator::equal, *key, {}, {}});
        query.limit = 100;
        query.rate = {1, 1, {}};
        model_.patterns.push_back(std::move(query));
      }
    }
  }

  const InferInput& input_;
  Model model_;
  double share_ = 1;  // items in the table for each item looked at
  std::map<std::string, std::map<std::string, Column>>
      columns_;  // by entity: fields that every item has
};

}  // namespace

Model infer_model(const InferInput& input) { return Inference(input).run(); }

}  // namespace stator::design
