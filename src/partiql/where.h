#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "expr/bound.h"

// Looking into bound WHERE clauses, and making them. Private to binders and planners.
namespace stator::partiql {

// The parts of a condition that must all hold; none for a null condition.
[[nodiscard]] std::vector<expr::BoundNode> conjuncts(const expr::BoundNode* where);

// All of the nodes as one condition; null where there are none.
[[nodiscard]] const expr::BoundNode* join_all(std::span<const expr::BoundNode> nodes, base::Arena& arena);

// The comparison of one attribute with literals that a range of keys can serve; nothing for any other condition.
[[nodiscard]] std::optional<expr::KeyComparison> key_comparison(const expr::BoundNode& node,
                                                                std::string_view attribute);
// The only value that an attribute can have; null for any other condition.
[[nodiscard]] const item::Value* equal_value(const expr::BoundNode& node, std::string_view attribute);

// Whether it is an IN of an attribute among values.
[[nodiscard]] bool lists_values(const expr::BoundNode& node, std::string_view attribute);
// Of an IN with one value; null for any other condition.
[[nodiscard]] const item::Value* only_value(const expr::BoundNode& node, std::string_view attribute);

[[nodiscard]] expr::BoundNode attribute_test(expr::ConditionKind kind, std::string_view attribute,
                                             base::Arena& arena);

// Puts names as the service lists them: by the low bits of a hash, and as they come where these are the same.
void order_names(std::vector<std::string_view>& names);

// Conditions made of others.
[[nodiscard]] expr::BoundNode negation(const expr::BoundNode& node, base::Arena& arena);
[[nodiscard]] expr::BoundNode joined(expr::ConditionKind kind, const expr::BoundNode& first,
                                     const expr::BoundNode& second, base::Arena& arena);
// That the condition holds and the second too, or that it does not and the third does.
[[nodiscard]] expr::BoundNode choice(const expr::BoundNode& condition, const expr::BoundNode& if_true,
                                     const expr::BoundNode& if_false, base::Arena& arena);
// That both hold, or neither.
[[nodiscard]] expr::BoundNode agreement(const expr::BoundNode& first, const expr::BoundNode& second,
                                        base::Arena& arena);
[[nodiscard]] expr::BoundNode equality(const expr::BoundOperand& operand, const item::Value& value,
                                       base::Arena& arena);

// Whether the condition, written out as a tree, has more than so many nodes. Parts of it may be shared.
[[nodiscard]] bool has_more_nodes(const expr::BoundNode& condition, std::size_t count);

}  // namespace stator::partiql
