#include "design/migrate/item_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "item/number.h"

namespace stator::design {

namespace {

using client::Json;

constexpr std::size_t kTimeLengths[] = {4, 7, 10, 13, 16, 19};

bool looks_like_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("-.0123456789") == std::string_view::npos;
}

bool looks_like_time(std::string_view text) {
  constexpr std::string_view kPattern = "dddd-dd-ddTdd:dd:dd";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool digit = text[at] >= '0' && text[at] <= '9';
    if (kPattern[at] == 'd' ? !digit : text[at] != kPattern[at]) return false;
  }
  return true;
}

// All ways to cut a text into the parts of a template; it stops at the second.
class Matcher {
 public:
  Matcher(const Template& key, const Entity& entity, char delimiter)
      : key_(key), entity_(entity), delimiter_(delimiter) {}

  std::optional<KnownFields> run(std::string_view text, int* shard) {
    match(0, text);
    if (ways_ != 1) return std::nullopt;
    if (shard != nullptr) *shard = found_shard_;
    return found_;
  }

 private:
  void match(std::size_t at, std::string_view rest) {
    if (ways_ > 1) return;
    if (at == key_.parts().size()) {
      if (!rest.empty()) return;
      ++ways_;
      found_ = current_;
      found_shard_ = current_shard_;
      return;
    }
    const Part& part = key_.parts()[at];
    if (part.kind == PartKind::literal) {
      if (rest.starts_with(part.text)) match(at + 1, rest.substr(part.text.size()));
      return;
    }
    if (part.kind == PartKind::shard) return match_shard(at, part, rest);
    match_field(at, part, rest);
  }

  void match_shard(std::size_t at, const Part& part, std::string_view rest) {
    for (std::size_t length = 1; length <= rest.size() && length <= 9; ++length) {
      const std::string_view digits = rest.substr(0, length);
      if (digits.find_first_not_of("0123456789") != std::string_view::npos) return;
      const int number = std::stoi(std::string(digits));
      if (number >= part.shard_count || std::to_string(number) != digits) return;
      current_shard_ = number;
      match(at + 1, rest.substr(length));
    }
  }

  void match_field(std::size_t at, const Part& part, std::string_view rest) {
    const Attribute* attribute = entity_.attribute(part.text);
    const bool free = attribute != nullptr && attribute->format == ValueFormat::path;
    std::size_t longest = free ? rest.size() : std::min(rest.find(delimiter_), rest.size());
    std::size_t shortest = 1;
    if (part.format.kind == FormatKind::time) {
      const std::size_t length = kTimeLengths[static_cast<std::size_t>(part.format.unit)];
      if (longest < length || !looks_like_time(rest.substr(0, length))) return;
      shortest = longest = length;
    } else if (part.format.kind == FormatKind::number) {
      shortest = static_cast<std::size_t>(part.format.width);
    }
    for (std::size_t length = longest; length >= shortest && length > 0; --length) {
      const std::string_view text = rest.substr(0, length);
      const bool number =
          part.format.kind == FormatKind::number || (attribute != nullptr && attribute->type == AttributeType::number);
      if (number && !looks_like_number(text)) continue;
      const auto known = value_of(part, number, text);
      if (!known) continue;
      const KnownFields before = current_;
      const auto earlier = current_.find(part.text);
      // A field that stands in the template twice has one value.
      if (earlier == current_.end() || earlier->second.known_as.kind != FormatKind::plain ||
          known->known_as.kind != FormatKind::plain || earlier->second.text == known->text) {
        learn(current_, part.text, *known);
        match(at + 1, rest.substr(length));
      }
      current_ = before;
    }
  }

  static std::optional<KnownField> value_of(const Part& part, bool number, std::string_view text) {
    if (!number) {
      const bool partial = part.format.kind == FormatKind::time || part.format.kind == FormatKind::upper ||
                           part.format.kind == FormatKind::lower;
      return KnownField{std::string(text), partial ? part.format : Format{}};
    }
    const auto parsed = item::parse_number(text);
    if (!parsed) return std::nullopt;
    return KnownField{item::format_number(*parsed), {}};
  }

  const Template& key_;
  const Entity& entity_;
  const char delimiter_;
  int ways_ = 0;
  KnownFields current_, found_;
  int current_shard_ = 0, found_shard_ = 0;
};

}  // namespace

bool KnownField::serves(const Format& wanted) const {
  if (known_as.kind == FormatKind::plain || known_as == wanted) return true;
  return known_as.kind == FormatKind::time && wanted.kind == FormatKind::time && wanted.unit <= known_as.unit;
}

void learn(KnownFields& fields, const std::string& name, KnownField found) {
  const auto [at, added] = fields.try_emplace(name, found);
  if (added || at->second.known_as.kind == FormatKind::plain) return;
  if (found.serves(at->second.known_as)) at->second = std::move(found);
}

std::optional<KnownFields> match_template(const Template& key, const Entity& entity, char delimiter,
                                          std::string_view text, int* shard) {
  return Matcher(key, entity, delimiter).run(text, shard);
}

Result<std::string> evaluate_known(const Template& key, const KnownFields& fields, int shard_number) {
  FieldValues values;
  for (const Part& part : key.parts()) {
    if (part.kind == PartKind::literal || part.text.empty()) continue;
    const auto found = fields.find(part.text);
    if (found == fields.end()) return invalid(fmt::format("the field {} has no value", part.text));
    if (!found->second.serves(part.kind == PartKind::shard ? Format{} : part.format)) {
      return invalid(fmt::format("the field {} is not stored whole, only cut or changed as part of a key", part.text));
    }
    values.emplace(part.text, found->second.text);
  }
  return key.evaluate(values, shard_number);
}

std::optional<std::string> plain_text(const Json& value) {
  if (!value.is_object() || value.size() != 1) return std::nullopt;
  const std::string& type = value.begin().key();
  const Json& content = value.begin().value();
  if ((type == "S" || type == "N") && content.is_string()) return content.get<std::string>();
  if (type == "BOOL" && content.is_boolean()) return content.get<bool>() ? "true" : "false";
  return std::nullopt;
}

bool ItemReader::keys_fit(const Entity& entity, const Json& item) const {
  const auto fits = [&](const KeyAttribute& key) {
    const auto value = item.find(key.name);
    const Template* made_by = entity.key(key.name);
    if (value == item.end() || made_by == nullptr) return false;
    const auto text = plain_text(*value);
    // Binary keys have no text to look into.
    return !text || match_template(*made_by, entity, model_->delimiter, *text).has_value();
  };
  return fits(model_->table.partition_key) && (!model_->table.sort_key || fits(*model_->table.sort_key));
}

Result<const Entity*> ItemReader::entity_of(const Json& item) const {
  const std::string& type_attribute = model_->table.type_attribute;
  const auto type = type_attribute.empty() ? item.end() : item.find(type_attribute);
  if (type != item.end()) {
    const std::string value = plain_text(*type).value_or("");
    for (const Entity& entity : model_->entities) {
      if (!entity.has_type || entity.type_value != value) continue;
      if (keys_fit(entity, item)) return &entity;
      return invalid(fmt::format("{} says {}, but its keys are not made by that entity's templates: {}", type_attribute,
                                 entity.name, key_of(item).dump()));
    }
    return invalid(
        fmt::format("{} is \"{}\", which no entity of the model has: {}", type_attribute, value, key_of(item).dump()));
  }
  const Entity* only = nullptr;
  for (const Entity& entity : model_->entities) {
    if ((entity.has_type && !type_attribute.empty()) || !keys_fit(entity, item)) continue;
    if (only != nullptr) {
      return invalid(
          fmt::format("its key could be one of {} and of {}: {}", only->name, entity.name, key_of(item).dump()));
    }
    only = &entity;
  }
  if (only == nullptr) return invalid(fmt::format("no entity of the model makes this key: {}", key_of(item).dump()));
  return only;
}

std::vector<const Entity*> ItemReader::entities_of_key(const Json& key) const {
  std::vector<const Entity*> fitting;
  for (const Entity& entity : model_->entities)
    if (keys_fit(entity, key)) fitting.push_back(&entity);
  return fitting;
}

KnownFields ItemReader::fields_of(const Entity& entity, const Json& item) const {
  KnownFields fields;
  for (const Attribute& attribute : entity.attributes) {
    const auto value = item.find(attribute.name);
    if (!attribute.stored || value == item.end()) continue;
    // Lists, maps and sets are in no key, but a sparse condition may ask whether they are there.
    learn(fields, attribute.name, {plain_text(*value).value_or(""), {}});
  }
  for (const KeyAttribute& key : model_->key_attributes()) {
    const auto value = item.find(key.name);
    const Template* made_by = entity.key(key.name);
    if (value == item.end() || made_by == nullptr) continue;
    const auto text = plain_text(*value);
    const auto found = text ? match_template(*made_by, entity, model_->delimiter, *text) : std::nullopt;
    if (!found) continue;
    for (const auto& [name, known] : *found) learn(fields, name, known);
  }
  return fields;
}

Json ItemReader::key_of(const Json& item) const {
  Json key = Json::object();
  const auto add = [&](const std::string& name) {
    if (const auto value = item.find(name); value != item.end()) key[name] = *value;
  };
  add(model_->table.partition_key.name);
  if (model_->table.sort_key) add(model_->table.sort_key->name);
  return key;
}

bool ItemReader::may_have(const Entity& entity, const std::string& key_attribute, const KnownFields& fields) const {
  bool in_an_index = false;
  for (const Index& index : model_->indexes) {
    if (index.partition_key.name != key_attribute && !(index.sort_key && index.sort_key->name == key_attribute))
      continue;
    in_an_index = true;
    const SparseCondition* sparse = entity.sparse_in(index.name);
    if (sparse == nullptr) return true;
    const auto value = fields.find(sparse->attribute);
    if (value == fields.end()) continue;
    const auto& wanted = sparse->values;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), value->second.text) != wanted.end()) return true;
  }
  return !in_an_index;
}

}  // namespace stator::design
