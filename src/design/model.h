#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "design/model_entity.h"
#include "design/model_pattern.h"
#include "design/model_table.h"
#include "design/position.h"

// A single-table design as its model file declares it: plain values, no behaviour beyond finding things by name.
// load.h reads one from YAML or JSON; share/model.schema.json describes the file; shape.h computes counts and
// sizes; resolve.h says which calls a pattern is. Names are unique within their list (the loader sees to it), and
// references between parts have been checked: a pattern's index and entities exist, an entity's keys are the table's or
// an index's. Whether a design is a good one is not the loader's business but that of `check`.
namespace stator::design {

// Who may see what: patterns of a tenant or user are limited to keys that begin with its templates.
struct Principal {
  std::string name;
  std::string parameter;               // the field of key templates that names it: tenantId
  std::string variable;                // what the policy compares it with: aws:PrincipalTag/tenantId
  std::vector<std::string> patterns;   // empty: all that have the parameter in their partition key
  Position position;
};

struct Model {
  std::string file;  // as it was opened, for messages
  std::string name;
  std::string description;
  char delimiter = '#';
  Table table;
  std::vector<Index> indexes;
  std::vector<Entity> entities;
  std::vector<Relationship> relationships;
  std::vector<Pattern> patterns;
  std::vector<Principal> principals;
  std::vector<Allowance> allow;

  [[nodiscard]] const Index* index(std::string_view name) const;
  [[nodiscard]] const Entity* entity(std::string_view name) const;
  [[nodiscard]] const Pattern* pattern(std::string_view name) const;
  // The key attributes of the table (index empty) or of an index.
  [[nodiscard]] const KeyAttribute& partition_key(std::string_view index) const;
  [[nodiscard]] const KeyAttribute* sort_key(std::string_view index) const;
  // All attributes that are keys of the table or of an index, each once, the table's first.
  [[nodiscard]] std::vector<KeyAttribute> key_attributes() const;
  // The attribute by which items expire; empty if none does. There is one per table.
  [[nodiscard]] std::string_view ttl_attribute() const;
};

}  // namespace stator::design
