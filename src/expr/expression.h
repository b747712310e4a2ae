#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/result.h"
#include "item/stored_item.h"
#include "item/value.h"

// DynamoDB's expressions, in three steps: text is parsed into a syntax tree (cached by text,
// because an application sends few different ones), the tree is bound to the placeholders of one
// request, the bound expression is evaluated on items. Every error is the service's
// ValidationException with its complete text.
namespace stator::expr {

// The service has two layers of validation, which word some faults differently and look for some in another order. Regions and
// operations move from the classic one to the current one.
enum class Layer : std::uint8_t { classic, current };

struct Name {
  std::string_view placeholder;  // "#n"
  std::string_view attribute;
};

struct ParsedCondition;  // syntax trees, shared by the cache; see ast.h
struct ParsedUpdate;
struct ParsedProjection;

// The placeholders of one request, and which of them its expressions have used. Lives in the
// request.
class Placeholders {
 public:
  Placeholders(std::span<const Name> names, item::Attributes values, base::Arena& arena);

  // Texts like: ExpressionAttributeNames contains invalid key: Syntax error; key: "n". Only the current layer tells how long a
  // key of ExpressionAttributeValues is that is too long.
  [[nodiscard]] Result<void> check(Layer layer = Layer::classic) const;
  // After all expressions are bound: Value unused in ExpressionAttributeNames: {#n} / ...Values:
  // {:v}
  [[nodiscard]] Result<void> check_all_used() const;

  // Null where undefined. Both mark the placeholder as used.
  [[nodiscard]] const std::string_view* name(std::string_view placeholder);
  [[nodiscard]] const item::Value* value(std::string_view placeholder);

  [[nodiscard]] base::Arena& arena() { return arena_; }

 private:
  std::span<const Name> names_;
  item::Attributes values_;
  std::span<bool> names_used_;
  std::span<bool> values_used_;
  std::span<const std::uint32_t> names_order_;   // their places by placeholder, where there are many
  std::span<const std::uint32_t> values_order_;
  base::Arena& arena_;
  std::size_t next_value_ =
      0;  // where the last look-up ended: values are mostly used in the order they are sent
};

// Which parameter an expression came in: it stands in the error texts ("Invalid FilterExpression:
// ...").
enum class Parameter : std::uint8_t { condition, filter, key_condition, update, projection };

struct BoundNode;  // see bound.h
struct ConditionIndex;
struct KeyCondition;

// A condition or filter of one request. A cheap handle; lives as long as the request's arena and
// the parse cache entry, which it keeps alive.
class Condition {
 public:
  // Whether the item satisfies it. `item` is null where there is none: every attribute is then
  // missing.
  [[nodiscard]] bool matches(const item::StoredItem* item, base::Arena& arena) const;
  // The top-level attribute names that it reads, without duplicates.
  [[nodiscard]] std::span<const std::string_view> attribute_names() const {
    return attribute_names_;
  }

  // A condition that was not written as an expression (Expected, QueryFilter, PartiQL): see
  // bound.h. The tree has to outlive it.
  [[nodiscard]] static Condition from_bound(const BoundNode* root, base::Arena& arena);
  [[nodiscard]] const BoundNode* root() const { return root_; }

 private:
  friend Result<Condition> bind_condition(std::string_view, Parameter, Placeholders&);
  friend Result<KeyCondition> to_key_condition(const Condition&, base::Arena&, Layer);
  void set_root(const BoundNode* root, base::Arena& arena);

  std::shared_ptr<const ParsedCondition> parsed_;
  const BoundNode* root_ = nullptr;
  const ConditionIndex* index_ = nullptr;  // where it is long
  std::size_t path_count_ = 0;
  std::span<const std::string_view> attribute_names_;
};
[[nodiscard]] Result<Condition> bind_condition(std::string_view text, Parameter parameter,
                                               Placeholders& placeholders);

// A document path, bound: a.b[1].c
struct PathStep {
  std::string_view name;    // of a map entry; empty data() for a list step
  std::uint32_t index = 0;  // of a list element
  bool is_index = false;
};
using Path = std::span<const PathStep>;

// A set of paths to return from an item.
class Projection {
 public:
  Projection() = default;
  Projection(std::span<const Path> paths, base::Arena& arena);
  // Each path's value comes back by itself, under the label of the same position, and not inside what the path leads
  // through: PartiQL's way. Labels are distinct, paths need not be.
  [[nodiscard]] static Projection labelled(std::span<const Path> paths, std::span<const std::string_view> labels,
                                           base::Arena& arena);
  [[nodiscard]] std::span<const Path> paths() const { return paths_; }
  [[nodiscard]] std::span<const std::string_view> attribute_names() const {
    return attribute_names_;
  }
  // Appends the wire text of the projected item, {"a":{...}}; the number of top-level attributes in
  // it is returned.
  std::size_t append(base::Buffer& out, const item::StoredItem& item, base::Arena& arena) const;

 private:
  friend Result<Projection> bind_projection(std::string_view, Placeholders&);
  std::size_t append_labelled(base::Buffer& out, const item::StoredItem& item, base::Arena& arena) const;

  std::shared_ptr<const ParsedProjection> parsed_;  // what the names of the paths point into
  std::span<const Path> paths_;
  std::span<const std::string_view> labels_;  // as many as paths, or none
  std::span<const std::string_view> attribute_names_;
  std::span<const std::string_view> sorted_names_;  // where there are many, and no path goes deeper
  std::span<const Path> sorted_paths_;              // where one does
  bool top_level_only_ = true;
};
[[nodiscard]] Result<Projection> bind_projection(std::string_view text, Placeholders& placeholders);

struct BoundUpdate;

// What an update does to one top-level attribute. Attributes that are not listed stay as they are.
struct AttributeChange {
  std::string_view name;
  std::optional<item::Value> before;
  std::optional<item::Value> after;  // nothing: removed
};

struct UpdateChanges {
  std::span<const AttributeChange> changes;
  // Whether what is written is more than an item may have. Lists and maps behind that point are then empty, because
  // nothing is built that has no place; everything else that could be wrong has been looked at.
  bool too_large = false;
};

class Update {
 public:
  // Pure: the same item gives the same changes. Everything read is the item as it was before.
  // `item` null: a new item, which has no attributes yet but those of `key`. Errors: "An operand in
  // the update expression has an incorrect data type" and its kin, "The document path provided in
  // the update expression is invalid for update", number overflow. The values that are written take
  // `bytes_max` billed bytes at most: work and memory follow from that, not from what the update asks for.
  [[nodiscard]] Result<UpdateChanges> apply(const item::StoredItem* item, std::size_t bytes_max, base::Arena& arena,
                                            item::Attributes key = {}) const;
  // The paths that are set, removed, added to or deleted from, for UPDATED_OLD and UPDATED_NEW.
  [[nodiscard]] const Projection& targets() const { return targets_; }
  [[nodiscard]] const BoundUpdate& bound() const { return *bound_; }

  // An update that was not written as an expression (AttributeUpdates, PartiQL): see bound.h.
  [[nodiscard]] static Update from_bound(const BoundUpdate* bound, base::Arena& arena);

 private:
  friend Result<Update> bind_update(std::string_view, Placeholders&);
  std::shared_ptr<const ParsedUpdate> parsed_;
  const BoundUpdate* bound_ = nullptr;
  Projection targets_;
};
[[nodiscard]] Result<Update> bind_update(std::string_view text, Placeholders& placeholders);

// One comparison of a key condition on one attribute.
enum class KeyOperator : std::uint8_t {
  equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  between,
  begins_with,
  not_indexable,  // any other operator of KeyConditions: refused once the schema is known
};
struct KeyComparison {
  std::string_view attribute;
  KeyOperator op = KeyOperator::equal;
  item::Value low;  // the only operand but for between
  item::Value high;
};

// A KeyConditionExpression: comparisons joined by AND, at most one per attribute, before any schema
// is known.
inline constexpr std::string_view kTooManyConditions = "Conditions can be of length 1 or 2 only";
struct KeyCondition {
  std::span<const KeyComparison> comparisons;
  std::shared_ptr<const ParsedCondition> parsed;  // what the attribute names point into
  Layer layer = Layer::current;                   // in whose words its faults are told
};
[[nodiscard]] Result<KeyCondition> bind_key_condition(std::string_view text,
                                                      Placeholders& placeholders);
// The two halves of bind_key_condition are bind_condition(text, Parameter::key_condition, ...) and
// this. The service checks the other expressions of a Query, and unused placeholders, between them.
// What it returns lives in the arena, the names in it as long as `condition`.
[[nodiscard]] Result<KeyCondition> to_key_condition(const Condition& condition, base::Arena& arena,
                                                    Layer layer = Layer::current);

// The key condition against a key schema (names and types of the partition and sort key
// attributes). Errors as the service gives them: "Query condition missed key schema element: pk",
// "Query key condition not supported", type mismatches, empty key values.
struct KeyAttribute {
  std::string_view name;
  item::Type type;
};
struct ResolvedKeyCondition {
  std::span<const item::Value> partition;   // one value per partition key attribute
  std::span<const item::Value> sort_equal;  // leading sort key attributes compared by equality
  std::optional<KeyComparison>
      sort_range;  // the last sort key comparison, if it is not an equality
};
[[nodiscard]] Result<ResolvedKeyCondition> resolve_key_condition(
    const KeyCondition& condition, std::span<const KeyAttribute> partition_keys,
    std::span<const KeyAttribute> sort_keys, base::Arena& arena);

}  // namespace stator::expr
