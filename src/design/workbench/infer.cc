#include "design/workbench/infer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "design/size/json_item.h"
#include "design/workbench/alias.h"
#include "design/workbench/key_parts.h"
#include "item/number.h"
#include "item/size.h"

namespace stator::design {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTypesMax = 60;        // values that a type attribute may have
constexpr std::size_t kListedValuesMax = 8;  // values that are listed
constexpr std::size_t kListedItemsMin =
    20;  // items that it takes to believe that there are no others

// The text of a scalar; nothing for documents and sets.
std::optional<std::string> text_of(const Json& item, const std::string& name) {
  const auto found = item.find(name);
  if (found == item.end() || !found->is_object() || found->size() != 1) return std::nullopt;
  const Json& value = found->begin().value();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  return std::nullopt;
}

AttributeType type_of(const std::string& wire) {
  constexpr AttributeType kTypes[] = {AttributeType::string,     AttributeType::number,
                                      AttributeType::binary,     AttributeType::boolean,
                                      AttributeType::null,       AttributeType::string_set,
                                      AttributeType::number_set, AttributeType::binary_set,
                                      AttributeType::list,       AttributeType::map};
  for (const AttributeType type : kTypes)
    if (attribute_type_text(type) == wire) return type;
  return AttributeType::string;
}

using Group = std::vector<const Json*>;

// The attribute that says what an item is: a usual name, on every item, with few values.
std::string find_type_attribute(const InferInput& input) {
  for (const char* name : {"entity_type", "entityType", "entity", "type", "_type", "Type",
                           "EntityType", "itemType", "__typename", "_et"}) {
    std::set<std::string> values;
    const bool everywhere =
        std::all_of(input.items.begin(), input.items.end(), [&](const Json& item) {
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
    for (const Json& item : input.items)
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
  std::map<std::string, Group> groups() const {
    std::map<std::string, Group> out;
    for (const Json& item : input_.items) {
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

  std::string prefix_of(const Json& item, const std::string& key) const {
    const std::string text = text_of(item, key).value_or("");
    const std::size_t end = text.find(model_.delimiter);
    const std::string head = text.substr(0, end);
    const bool label =
        end != std::string::npos || std::all_of(head.begin(), head.end(), [](unsigned char c) {
          return std::isupper(c) != 0 || c == '_';
        });
    return label ? head : "";
  }

  void add_entity(const std::string& name, const Group& group) {
    Entity entity;
    entity.name = name;
    entity.type_value = name;
    entity.has_type = !model_.table.type_attribute.empty();
    entity.count = std::max(1.0, std::round(static_cast<double>(group.size()) * share_));
    std::map<std::string, Column> known = add_attributes(group, entity);
    for (const KeyAttribute& key : model_.key_attributes()) add_key(group, key, entity, known);
    for (const Index& index : model_.indexes) add_sparse(group, index, entity);
    columns_[name] = std::move(known);
    model_.entities.push_back(std::move(entity));
  }

  bool is_key(const std::string& name) const {
    const auto keys = model_.key_attributes();
    return std::any_of(keys.begin(), keys.end(),
                       [&](const KeyAttribute& key) { return key.name == name; });
  }

  // Gives the columns of scalar attributes that every item has: candidates for fields of keys.
  std::map<std::string, Column> add_attributes(const Group& group, Entity& entity) const {
    std::map<std::string, Column> known;
    std::vector<std::string> names;
    for (const Json* item : group)
      for (const auto& [name, value] : item->items())
        if (!is_key(name) && name != model_.table.type_attribute &&
            std::find(names.begin(), names.end(), name) == names.end()) {
          names.push_back(name);
        }
    for (const std::string& name : names) {
      Attribute attribute;
      attribute.name = name;
      Column column;
      std::size_t present = 0;
      double bytes = 0;
      for (const Json* item : group) {
        const auto found = item->find(name);
        if (found == item->end()) continue;
        ++present;
        attribute.type = type_of(found->begin().key());
        base::Arena arena;
        const auto value = read_attribute_value(*found, arena);
        const auto size = static_cast<double>(value ? item::value_bytes(*value) : 0);
        bytes += size;
        attribute.maximum_bytes = std::max(attribute.maximum_bytes, size);
        if (const auto text = text_of(*item, name)) column.push_back(*text);
      }
      attribute.typical_bytes = std::round(bytes / static_cast<double>(present));
      attribute.present = static_cast<double>(present) / static_cast<double>(group.size());
      if (attribute.type == AttributeType::number) attribute.format = ValueFormat::number;
      if (attribute.type == AttributeType::string) describe_text(column, attribute);
      if (column.size() == group.size() && attribute.type != AttributeType::boolean)
        known[name] = column;
      entity.attributes.push_back(std::move(attribute));
    }
    return known;
  }

  static void describe_text(const Column& column, Attribute& attribute) {
    std::map<std::string, double> values;
    for (const std::string& value : column) ++values[value];
    attribute.format = guess_format(column);
    const bool listed = column.size() >= kListedItemsMin && values.size() <= kListedValuesMax;
    if (listed) {
      attribute.format = ValueFormat::text;
      for (const auto& [value, count] : values) attribute.values.push_back({value, count});
    } else if (values.size() == column.size() && column.size() > 1 &&
               attribute.format != ValueFormat::text) {
      attribute.unique = attribute.format == ValueFormat::id ||
                         attribute.format == ValueFormat::uuid ||
                         attribute.format == ValueFormat::ulid;
    }
  }

  void add_key(const Group& group, const KeyAttribute& key, Entity& entity,
               std::map<std::string, Column>& known) const {
    Column texts;
    std::vector<std::size_t> rows;  // items that have the key
    for (std::size_t at = 0; at < group.size(); ++at) {
      if (auto text = text_of(*group[at], key.name)) {
        texts.push_back(std::move(*text));
        rows.push_back(at);
      }
    }
    if (texts.empty()) return;
    std::map<std::string, Column> candidates;
    for (const auto& [name, column] : known)
      for (const std::size_t row : rows) candidates[name].push_back(column[row]);
    const KeyGuess guess = guess_template(key.name, texts, model_.delimiter, candidates);
    for (const auto& [name, column] : guess.new_fields) {
      Attribute attribute;
      attribute.name = name;
      attribute.stored = false;
      if (key.type == AttributeType::number) attribute.type = AttributeType::number;
      attribute.format =
          key.type == AttributeType::number ? ValueFormat::number : guess_format(column);
      double bytes = 0;
      for (const std::string& value : column) {
        bytes += static_cast<double>(value.size());
        attribute.maximum_bytes =
            std::max(attribute.maximum_bytes, static_cast<double>(value.size()));
      }
      attribute.typical_bytes =
          std::max(1.0, std::round(bytes / static_cast<double>(column.size())));
      const std::set<std::string> different(column.begin(), column.end());
      attribute.unique = column.size() > 1 && different.size() == group.size();
      attribute.present = static_cast<double>(rows.size()) / static_cast<double>(group.size());
      attribute.example = column.front();
      entity.attributes.push_back(std::move(attribute));
      if (rows.size() == group.size()) known[name] = column;
    }
    if (auto parsed = Template::parse(guess.text))
      entity.keys.push_back({key.name, std::move(*parsed), {}});
  }

  // Which attribute decides whether an item is in an index that holds only some.
  void add_sparse(const Group& group, const Index& index, Entity& entity) const {
    std::vector<bool> held;
    for (const Json* item : group) {
      held.push_back(item->contains(index.partition_key.name) &&
                     (!index.sort_key || item->contains(index.sort_key->name)));
    }
    const auto count = static_cast<std::size_t>(std::count(held.begin(), held.end(), true));
    if (count == 0 || count == group.size()) return;
    for (const Attribute& attribute : entity.attributes) {
      if (!attribute.stored) continue;
      std::set<std::string> inside;
      std::set<std::string> outside;
      bool by_presence = true;
      for (std::size_t at = 0; at < group.size(); ++at) {
        const auto text = text_of(*group[at], attribute.name);
        by_presence = by_presence && text.has_value() == held[at];
        if (text) (held[at] ? inside : outside).insert(*text);
        if (!text && held[at]) inside.clear();
      }
      const bool apart = !inside.empty() && inside.size() <= kListedValuesMax && !outside.empty() &&
                         std::none_of(inside.begin(), inside.end(), [&](const std::string& value) {
                           return outside.contains(value);
                         });
      if (!apart && !by_presence) continue;
      SparseCondition condition;
      condition.index = index.name;
      condition.attribute = attribute.name;
      if (apart) condition.values.assign(inside.begin(), inside.end());
      condition.share = static_cast<double>(count) / static_cast<double>(group.size());
      entity.sparse.push_back(std::move(condition));
      return;
    }
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
