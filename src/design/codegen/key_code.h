#pragma once

#include <functional>
#include <string>
#include <vector>

#include "design/model.h"

// What the languages have in common.
namespace stator::design {

// A field that is stored in keys only, and from which key it can be read back.
struct HiddenField {
  const Attribute* attribute = nullptr;
  std::string key_attribute;  // whose text holds it
  std::string pattern;        // a regular expression with one group
};
// Fields of the entity that are no attributes of their own. Where keys hold only a part of a time,
// the part is read back.
[[nodiscard]] std::vector<HiddenField> hidden_fields(const Model& model, const Entity& entity);

// A field of an entity's type: everything that is stored or can be read back from a key.
struct RecordField {
  const Attribute* attribute = nullptr;
  const HiddenField* hidden = nullptr;  // of the same Record; null: an attribute of its own
  bool optional = false;                // an item can be without it
};
struct Record {
  Record(const Model& model, const Entity& entity);
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  [[nodiscard]] const RecordField* field(std::string_view name) const;

  std::vector<HiddenField> hidden;
  std::vector<RecordField> fields;      // those that can be missing come last, as languages want it
  const Attribute* version = nullptr;   // of an optimistic lock; null: none
  std::vector<std::string> key_fields;  // that the table's key is made of
  bool random_shard = false;            // a key needs the number of a shard from outside
  bool random_shard_in_table_key = false;
};

// When an item has a key attribute: all of these must hold.
struct KeyPresence {
  std::string field;
  std::vector<std::string> values;  // one of these; empty: the field is there
};
[[nodiscard]] std::vector<KeyPresence> key_presence(const Model& model, const Entity& entity,
                                                    const Record& record, const KeyAttribute& key,
                                                    const Template& value);
[[nodiscard]] bool is_table_key(const Model& model, std::string_view attribute);
[[nodiscard]] AttributeType key_type(const Model& model, std::string_view attribute);
// random or every: the number comes from outside.
[[nodiscard]] bool needs_shard(const Template& value);
// Characters of an ISO 8601 time up to the unit.
[[nodiscard]] int time_length(TimeUnit unit);

// Parameters of a read pattern's key condition in order, and the attribute that gives each its type
// (null: text).
struct CodeParameter {
  std::string name;
  const Attribute* attribute = nullptr;
};
[[nodiscard]] std::vector<CodeParameter> code_parameters(const Model& model,
                                                         const Pattern& pattern);
// "#k0 = :k0", with the condition's place in the list; the upper end of a range is :u0.
[[nodiscard]] std::string key_condition_text(const KeyCondition& condition, std::size_t at);
// The sort key of the table and of each index as members of a literal: "\"\": \"SK\", \"by-date\": \"placed\"".
[[nodiscard]] std::string sort_keys_code(const Model& model);
// The members of the literals of a Query's key condition; `value` writes a template in the language.
struct KeyConditionCode {
  std::string expression;
  std::string names;
  std::string values;
};
using TemplateCode = std::function<std::string(const Template& value, AttributeType type)>;
[[nodiscard]] KeyConditionCode key_condition_code(const Model& model, const Pattern& pattern,
                                                  const TemplateCode& value);
// Get and query patterns: what is written as a function.
[[nodiscard]] bool has_code(const Pattern& pattern);
// Of a read that fans out; 1: it does not.
[[nodiscard]] int shards_of(const Pattern& pattern);

}  // namespace stator::design
