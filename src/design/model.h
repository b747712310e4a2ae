#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/position.h"
#include "design/template.h"

// A single-table design as its model file declares it: plain values, no behaviour beyond finding things by name.
// load.h reads one from YAML or JSON; share/model.schema.json describes the file; shape.h computes counts and
// sizes; resolve.h says which calls a pattern is. Names are unique within their list (the loader sees to it), and
// references between parts have been checked: a pattern's index and entities exist, an entity's keys are the table's or
// an index's. Whether a design is a good one is not the loader's business but that of `check`.
namespace stator::design {

// A rule of `check` that somebody decided to live with here, and why. It stays visible in the output.
struct Allowance {
  std::string rule;
  std::string reason;
  Position position;
};

// --- table and indexes -----------------------------------------------------------------------------------------

enum class CapacityMode : std::uint8_t { on_demand, provisioned };

struct AutoScaling {
  double minimum = 1;
  double maximum = 0;
  double target_utilization = 0.7;  // 0 .. 1
};

struct Capacity {
  CapacityMode mode = CapacityMode::on_demand;
  double read_units = 0;  // provisioned, per second
  double write_units = 0;
  std::optional<AutoScaling> read_scaling;
  std::optional<AutoScaling> write_scaling;
  Position position;
};

enum class AttributeType : std::uint8_t {
  string,          // S
  number,          // N
  binary,          // B
  boolean,         // BOOL
  null,            // NULL
  string_set,      // SS
  number_set,      // NS
  binary_set,      // BS
  list,            // L
  map,             // M
};

struct KeyAttribute {
  std::string name;
  AttributeType type = AttributeType::string;  // string, number or binary
  Position position;
};

struct Table {
  std::string name;
  KeyAttribute partition_key;
  std::optional<KeyAttribute> sort_key;
  Capacity capacity;
  std::string type_attribute;  // holds the entity's name on every item; empty: none
  std::string stream_view;     // NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY; empty: no stream
  Position position;
};

enum class IndexKind : std::uint8_t { global, local };
enum class ProjectionKind : std::uint8_t { all, keys_only, include };

struct Projection {
  ProjectionKind kind = ProjectionKind::all;
  std::vector<std::string> attributes;  // of include
  Position position;
};

struct Index {
  std::string name;
  IndexKind kind = IndexKind::global;
  KeyAttribute partition_key;  // of a local index: the table's
  std::optional<KeyAttribute> sort_key;
  Projection projection;
  std::optional<Capacity> capacity;  // nothing: as the table
  std::vector<Allowance> allow;
  Position position;
};

// --- entities --------------------------------------------------------------------------------------------------

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

// --- access patterns -------------------------------------------------------------------------------------------

enum class PatternKind : std::uint8_t {
  get,
  query,
  scan,
  put,
  update,
  erase,  // delete
  batch_get,
  batch_write,
  transact_get,
  transact_write,
};

enum class KeyOperator : std::uint8_t {
  equal,
  begins_with,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  between,
};

// A condition on one key attribute. Fields of the templates are the pattern's parameters.
struct KeyCondition {
  std::string attribute;
  KeyOperator op = KeyOperator::equal;
  Template value;
  Template upper;  // of between
  Position position;
};

// A parameter is the attribute of the same name of the pattern's entities, unless the pattern says something else.
struct Parameter {
  std::string name;
  std::string attribute;             // whose values it takes; empty: a value of its own
  std::string value;                 // a fixed value, where declared
  AttributeType type = AttributeType::string;
  Position position;
};

struct Filter {
  std::string text;                     // in DynamoDB's words, with :parameters: `total > :minimum`
  std::vector<std::string> attributes;  // top-level names that it reads
  std::vector<std::string> parameters;  // without the colon
  double keeps = 0.5;                   // share of the items read that it lets through
  Position position;
};

struct Assignment {
  std::string attribute;
  Template value;  // of set: text with parameters. Of add: a number
  Position position;
};

enum class ActionKind : std::uint8_t { get, put, update, erase, check };

// One item of a batch or transaction, or the item that a single-item pattern touches.
struct Action {
  ActionKind kind = ActionKind::get;
  std::string entity;
  double count = 1;                     // of items of this kind in one call (line items of an order)
  std::vector<KeyCondition> key;        // equalities on the table's key; where not given, the entity's own templates
  std::vector<Assignment> set;
  std::vector<Assignment> add;
  std::vector<std::string> remove;
  std::string condition;                // in DynamoDB's words
  Position position;
};

enum class Order : std::uint8_t { ascending, descending };
enum class Consistency : std::uint8_t { eventual, strong };

struct Rate {
  double average = 0;  // calls per second of the pattern
  double peak = 0;     // the highest second; never below average
  Position position;
};

struct Pattern {
  std::string name;
  std::string description;
  PatternKind kind = PatternKind::query;
  std::string index;                    // empty: the table
  std::vector<std::string> entities;    // reads: what it must return. Writes: follows from the actions
  std::vector<KeyCondition> key;        // reads
  Order order = Order::ascending;
  std::string sorted_by;                // the attribute by which the result has to be in order; empty: any order
  std::optional<double> limit;          // items that the application takes
  std::optional<double> items;          // items that one call reads, where cardinalities do not say it (a range)
  std::optional<Filter> filter;
  std::vector<std::string> projection;  // attributes that the application needs; empty: all
  Consistency consistency = Consistency::eventual;
  bool count_only = false;              // Select=COUNT
  Rate rate;
  std::optional<double> hottest_share;  // 0 .. 1: share of the calls that go to the busiest partition key
  double repeat = 1;                    // calls for one use: once for each item of a list (N+1)
  std::vector<std::string> varies;      // parameters that differ between those calls or keys
  std::vector<Action> actions;          // writes, batches and transactions: one at least
  std::vector<Parameter> parameters;
  std::vector<Allowance> allow;
  Position position;

  [[nodiscard]] const KeyCondition* condition(std::string_view attribute) const;
  [[nodiscard]] const Parameter* parameter(std::string_view name) const;
  [[nodiscard]] bool is_read() const;
  [[nodiscard]] bool is_transaction() const;
};

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

// The words of the model file: "get", "S", "begins_with", ...
[[nodiscard]] std::string_view pattern_kind_text(PatternKind kind) noexcept;
[[nodiscard]] std::string_view attribute_type_text(AttributeType type) noexcept;
[[nodiscard]] std::string_view key_operator_text(KeyOperator op) noexcept;
[[nodiscard]] std::string_view action_kind_text(ActionKind kind) noexcept;
[[nodiscard]] std::string_view value_format_text(ValueFormat format) noexcept;

}  // namespace stator::design
