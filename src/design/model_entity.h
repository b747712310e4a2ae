#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/model_table.h"
#include "design/position.h"
#include "design/template.h"

// What the table holds: entities with their attributes and keys, and how many there are of each other. Part of model.h.
namespace stator::design {

// How the text or number of an attribute looks: for sortability, collisions and generated data.
enum class ValueFormat : std::uint8_t {
  text,      // anything without the delimiter
  path,      // may hold the delimiter (a hierarchy)
  id,        // an opaque identifier
  uuid,
  ulid,      // sorts by creation time
  date,      // 2026-06-01
  datetime,  // 2026-06-01T12:00:00Z
  day_first, // 01.06.2026 or 06/01/2026: not sortable as text
  epoch,     // seconds since 1970, a number
  number,    // decimal
  email,
};

struct NamedValue {
  std::string value;
  double weight = 1;  // relative share of the items that have it
};

struct Attribute {
  std::string name;
  AttributeType type = AttributeType::string;
  ValueFormat format = ValueFormat::text;
  double typical_bytes = 0;            // of the value; the loader fills in a default by type and format
  double maximum_bytes = 0;            // never below typical_bytes
  bool unbounded = false;              // grows without a limit (a list that is appended to)
  std::optional<double> minimum;       // of a number
  std::optional<double> maximum;
  std::optional<int> decimals;         // of a number
  std::vector<NamedValue> values;      // all values that there are, if they can be listed
  std::optional<double> distinct;      // number of different values, if declared
  bool unique = false;                 // as many values as items: an identifier
  bool sequential = false;             // grows with every new item (a counter)
  bool stored = true;                  // false: only part of keys, not an attribute of its own
  double present = 1;                  // share of the items that have it
  std::string example;
  Position position;
};

// The text of one key attribute of an entity, for the table or for indexes (by the attribute's name).
struct KeyTemplate {
  std::string attribute;
  Template value;
  Position position;
};

// Items are in an index only while this holds: `status = OPEN`, `status in [OPEN, PAID]`, or `attribute exists`.
struct SparseCondition {
  std::string index;
  std::string attribute;
  std::vector<std::string> values;   // one of these; empty: the attribute only has to exist
  std::optional<double> share;       // of the entity's items that are in the index, if declared
  Position position;
};

enum class Distribution : std::uint8_t { uniform, zipf, fixed };

// How many of something, and how evenly.
struct Cardinality {
  double average = 0;
  std::optional<double> p99;
  std::optional<double> maximum;     // nothing: not known
  bool unbounded = false;            // no limit: grows for as long as the parent lives
  Distribution distribution = Distribution::uniform;
  double exponent = 1.0;             // of zipf
  Position position;
};

struct Entity {
  std::string name;
  std::string type_value;                 // of the table's type attribute; the name unless the model says otherwise
  bool has_type = true;                   // false: `type: none`, items without the type attribute
  std::string description;
  std::optional<double> count;            // items in all; nothing: follows from its first relationship as a child
  double growth_per_month = 0;            // share by which the count grows
  std::vector<Attribute> attributes;
  std::vector<KeyTemplate> keys;
  std::vector<SparseCondition> sparse;
  std::string ttl_attribute;              // empty: its items do not expire
  std::optional<double> lifetime_s;       // how long an item lives, if it expires
  std::vector<Allowance> allow;
  Position position;

  [[nodiscard]] const Attribute* attribute(std::string_view name) const;
  [[nodiscard]] const Template* key(std::string_view attribute) const;
  [[nodiscard]] const SparseCondition* sparse_in(std::string_view index) const;
};

// One parent has many children; `by` are the fields of the child that name the parent (they have the same names there,
// or `parent_fields` gives the others). Many-to-many is two relationships of the item in the middle.
struct Relationship {
  std::string name;
  std::string parent;
  std::string child;
  std::vector<std::string> by;
  std::vector<std::string> parent_fields;  // as many as `by`
  Cardinality children;                    // of one parent
  Position position;
};

// The word of the model file: "datetime", "day_first", ...
[[nodiscard]] std::string_view value_format_text(ValueFormat format) noexcept;

}  // namespace stator::design
