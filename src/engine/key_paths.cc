#include "engine/key_paths.h"

#include <fmt/format.h>

#include "expr/bound.h"

namespace stator::engine {
namespace {

Result<void> check_path(const Table& table, expr::Path path) {
  if (path.size() < 2) return {};
  const std::string_view name = path.front().name;
  std::string_view kind;
  if (table.key.contains(name)) {
    kind = "Key";
  } else {
    for (const Index& index : table.indexes) {
      if (index.key.contains(name)) kind = "IndexKey";
    }
  }
  if (kind.empty()) return {};
  return invalid(
      fmt::format("Key attributes must be scalars; list random access '[]' and map lookup '.' are "
                  "not allowed: {}: {}",
                  kind, name));
}

Result<void> check_node(const Table& table, const expr::BoundNode& node) {
  for (const expr::BoundOperand& operand : node.operands) {
    const expr::BoundOperand& inner = operand.inner != nullptr ? *operand.inner : operand;
    if (inner.kind == expr::OperandKind::path) TRY_VOID(check_path(table, inner.path));
  }
  for (const expr::BoundNode& child : node.children) TRY_VOID(check_node(table, child));
  return {};
}

Result<void> check_value(const Table& table, const expr::BoundValue& value) {
  TRY_VOID(check_path(table, value.path));
  for (const expr::BoundValue& operand : value.operands) TRY_VOID(check_value(table, operand));
  return {};
}

}  // namespace

Result<void> check_key_paths(const Table& table, const expr::Condition& condition) {
  return check_node(table, *condition.root());
}

Result<void> check_key_paths(const Table& table, const expr::Projection& projection) {
  for (const expr::Path path : projection.paths()) TRY_VOID(check_path(table, path));
  return {};
}

Result<void> check_key_paths(const Table& table, const expr::Update& update) {
  for (const expr::BoundAction& action : update.bound().actions) {
    TRY_VOID(check_path(table, action.path));
    TRY_VOID(check_value(table, action.value));
  }
  return {};
}

}  // namespace stator::engine
