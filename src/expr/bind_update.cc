#include <fmt/core.h>

#include "expr/binder.h"
#include "expr/cache.h"

namespace stator::expr {
namespace {

std::string_view long_type_name(item::Type type) {
  constexpr std::string_view kNames[] = {"STRING",     "NUMBER",    "BINARY", "BOOL",
                                         "NULL",       "MAP",       "LIST",   "STRING_SET",
                                         "NUMBER_SET", "BINARY_SET"};
  return kNames[static_cast<std::size_t>(type)];
}

ValueKind update_value_kind(const Node& node) {
  switch (node.kind) {
    case NodeKind::path:
      return ValueKind::path;
    case NodeKind::value:
      return ValueKind::value;
    case NodeKind::plus:
      return ValueKind::plus;
    case NodeKind::minus:
      return ValueKind::minus;
    default:
      return node.function == Function::list_append ? ValueKind::list_append
                                                    : ValueKind::if_not_exists;
  }
}

// Operands are kept as written until check_value has seen them; then if_not_exists gives its first
// one to `path`.
BoundValue bind_value(const Node& node, Binder& binder) {
  BoundValue value;
  value.kind = update_value_kind(node);
  if (value.kind == ValueKind::path) value.path = binder.bind_path(node.path);
  if (value.kind == ValueKind::value) value.value = binder.bind_value(node.text);
  const auto operands = make_array<BoundValue>(binder.arena(), node.children.size());
  for (std::size_t i = 0; i < operands.size(); ++i)
    operands[i] = bind_value(node.children[i], binder);
  value.operands = operands;
  return value;
}

// A literal operand of another type than `wanted`.
std::string literal_problem(std::string_view name, std::span<const BoundValue> operands,
                            item::Type wanted) {
  for (const BoundValue& operand : operands) {
    if (operand.kind != ValueKind::value || operand.value.is(wanted)) continue;
    return operand_type_problem(name, item::type_name(operand.value.type()));
  }
  return {};
}

std::string check_value(const Node& node, BoundValue& value) {
  const std::span<BoundValue> operands(const_cast<BoundValue*>(value.operands.data()),
                                       value.operands.size());  // our own array, still being made
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (std::string problem = check_value(node.children[i], operands[i]); !problem.empty())
      return problem;
  }
  switch (value.kind) {
    case ValueKind::path:
    case ValueKind::value:
      return {};
    case ValueKind::plus:
      return literal_problem("+", operands, item::Type::number);
    case ValueKind::minus:
      return literal_problem("-", operands, item::Type::number);
    default:
      break;
  }
  if (operands.size() != 2) return operand_count_problem(node.text, operands.size());
  if (value.kind == ValueKind::list_append) {
    return literal_problem(node.text, operands, item::Type::list);
  }
  if (operands[0].kind != ValueKind::path) return requires_path_problem(node.text);
  value.path = operands[0].path;
  value.operands = value.operands.subspan(1);
  return {};
}

// ADD takes numbers and sets, DELETE sets. The service names the set of types of ADD for both.
std::string section_problem(const BoundAction& action) {
  if (action.kind != UpdateKind::add && action.kind != UpdateKind::erase) return {};
  const item::Type type = action.value.value.type();
  const bool adds = action.kind == UpdateKind::add;
  if (item::is_set(type) || (adds && type == item::Type::number)) return {};
  return fmt::format(
      "Incorrect operand type for operator or function; operator: {}, operand type: {}, typeSet: "
      "ALLOWED_FOR_ADD_OPERAND",
      adds ? "ADD" : "DELETE", long_type_name(type));
}

std::span<const Path> target_paths(std::span<const BoundAction> actions, base::Arena& arena) {
  const auto paths = make_array<Path>(arena, actions.size());
  for (std::size_t i = 0; i < paths.size(); ++i) paths[i] = actions[i].path;
  return paths;
}

}  // namespace

Update Update::from_bound(const BoundUpdate* bound, base::Arena& arena) {
  Update update;
  update.bound_ = bound;
  update.targets_ = Projection(target_paths(bound->actions, arena), arena);
  return update;
}

// Each check goes over the whole update before the next one begins: names, values, overlapping
// paths, operands of ADD and DELETE, operands of functions.
Result<Update> bind_update(std::string_view text, Placeholders& placeholders) {
  Update update;
  TRY(update.parsed_, cached_update(text));
  const std::vector<Action>& trees = update.parsed_->actions;
  base::Arena& arena = placeholders.arena();
  Binder binder(placeholders);
  const auto actions = make_array<BoundAction>(arena, trees.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    actions[i].kind = static_cast<UpdateKind>(trees[i].kind);
    actions[i].path = binder.bind_path(trees[i].path);
    if (!trees[i].value.empty()) actions[i].value = bind_value(trees[i].value.front(), binder);
  }
  std::string problem = binder.name_problem();
  if (problem.empty()) problem = binder.value_problem();
  const std::span<const Path> targets = target_paths(actions, arena);
  if (problem.empty()) problem = overlap_problem(targets);
  for (std::size_t i = 0; problem.empty() && i < actions.size(); ++i)
    problem = section_problem(actions[i]);
  for (std::size_t i = 0; problem.empty() && i < actions.size(); ++i) {
    if (!trees[i].value.empty()) problem = check_value(trees[i].value.front(), actions[i].value);
  }
  if (!problem.empty()) return invalid_expression(Parameter::update, problem);
  update.bound_ = arena.make<BoundUpdate>(actions);
  update.targets_ = Projection(targets, arena);
  return update;
}

static_assert(static_cast<int>(UpdateKind::erase) == static_cast<int>(ActionKind::erase) &&
              static_cast<int>(UpdateKind::add) == static_cast<int>(ActionKind::add) &&
              static_cast<int>(UpdateKind::remove) == static_cast<int>(ActionKind::remove));

}  // namespace stator::expr
