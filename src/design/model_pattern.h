#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/model_table.h"
#include "design/position.h"
#include "design/template.h"

// What the application asks of the table: access patterns, how often, and in which words. Part of model.h.
namespace stator::design {

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

// The words of the model file: "get", "begins_with", ...
[[nodiscard]] std::string_view pattern_kind_text(PatternKind kind) noexcept;
[[nodiscard]] std::string_view key_operator_text(KeyOperator op) noexcept;
[[nodiscard]] std::string_view action_kind_text(ActionKind kind) noexcept;

}  // namespace stator::design
