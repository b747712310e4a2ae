#include "partiql/literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/table.h"
#include "expr/bound.h"
#include "item/number.h"
#include "partiql/lexer.h"

namespace stator::partiql {
namespace {

using item::Type;
using item::Value;

Result<void> check_distinct(const Expr& bag, Type set, std::span<const Value> members, std::string_view where) {
  std::vector<std::string_view> sorted;
  for (const Value& member : members) sorted.push_back(member.text());
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) return {};
  std::vector<std::string> written;
  for (const Expr& member : bag.children) written.push_back(fmt::format("{}{}", member.flag ? "-" : "", member.text));
  return invalid(fmt::format("One or more parameter values were invalid: Input collection [{}] contains duplicates{}",
                             fmt::join(written, ", "),
                             set == Type::string_set ? "." : fmt::format("! under {}", where)));
}

}  // namespace

bool LiteralReader::is_literal(const Expr& expr) noexcept {
  switch (expr.kind) {
    case ExprKind::string:
    case ExprKind::number:
    case ExprKind::boolean:
    case ExprKind::null:
    case ExprKind::missing:
    case ExprKind::parameter:
    case ExprKind::list:
    case ExprKind::tuple:
    case ExprKind::bag:
      return true;
    default:
      return false;
  }
}

Result<Value> LiteralReader::read(const Expr& expr, const std::string& where) const { return read(expr, where, 0); }

Result<Value> LiteralReader::read_inner(const Expr& expr, const std::string& where, int depth) const {
  if (depth >= engine::kNestingLevelsMax) {
    return invalid(fmt::format("Nesting Levels have exceeded supported limits under {}", where));
  }
  if (expr.kind != ExprKind::parameter) return read(expr, where, depth);
  return invalid(fmt::format("Unsupported data type: Parameter under key {} at {}", where,
                             place_text(statement_, expr.position, expr.length)));
}

Result<Value> LiteralReader::read(const Expr& expr, const std::string& where, int depth) const {
  switch (expr.kind) {
    case ExprKind::string:
      return Value::string(expr.text);
    case ExprKind::number:
      return read_number(expr, where);
    case ExprKind::boolean:
      return Value::boolean(expr.flag);
    case ExprKind::null:
      return Value::null();
    case ExprKind::parameter:
      if (expr.parameter >= parameters_.size()) {
        return invalid("Number of parameters in request and statement don't match.");
      }
      return parameters_[expr.parameter];
    case ExprKind::list:
      return read_list(expr, where, depth);
    case ExprKind::tuple:
      return read_tuple(expr, where, depth);
    case ExprKind::bag:
      return read_bag(expr, where, depth);
    default: {
      const std::string_view what = expr.kind == ExprKind::call      ? expr.text
                                    : expr.kind == ExprKind::missing ? "MISSING"
                                    : expr.kind == ExprKind::path    ? "PATH"
                                                                     : "EXPRESSION";
      return invalid(fmt::format("Unsupported data type: {} under key {} at {}", what, where,
                                 place_text(statement_, expr.position, expr.length)));
    }
  }
}

Result<Value> LiteralReader::read_number(const Expr& expr, const std::string& where) const {
  std::string_view text = expr.text;
  if (expr.flag) text = arena_.copy(std::string_view(fmt::format("-{}", text)));
  const Result<std::string_view> number = item::canonical_number(text, arena_);
  if (!number) return invalid(fmt::format("{} under {}", number.error().message, where));
  return Value::number(*number);
}

Result<Value> LiteralReader::read_list(const Expr& expr, const std::string& where, int depth) const {
  const auto elements = expr::make_array<Value>(arena_, expr.children.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    TRY(elements[i], read_inner(expr.children[i], fmt::format("{}[{}]", where, i), depth + 1));
  }
  return Value::list(elements);
}

// Of several values of one name the last one counts.
Result<Value> LiteralReader::read_tuple(const Expr& expr, const std::string& where, int depth) const {
  const auto attributes = expr::make_array<item::Attribute>(arena_, expr.children.size() / 2);
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < expr.children.size(); i += 2) {
    const std::string_view name = expr.children[i].text;
    TRY(const Value value, where.empty()
                               ? read(expr.children[i + 1], "root", 0)
                               : read_inner(expr.children[i + 1], fmt::format("{}.{}", where, name), depth + 1));
    const auto end = attributes.begin() + static_cast<std::ptrdiff_t>(count);
    const auto same =
        std::find_if(attributes.begin(), end, [&](const item::Attribute& each) { return each.name == name; });
    if (same == end) ++count;
    *same = {name, value};
  }
  return Value::map(attributes.first(count));
}

Result<Value> LiteralReader::read_bag(const Expr& expr, const std::string& where, int depth) const {
  if (expr.children.empty()) return invalid("Empty bags are not supported");
  const auto members = expr::make_array<Value>(arena_, expr.children.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    TRY(members[i], read_inner(expr.children[i], fmt::format("{}[{}]", where, i), depth));
    if (members[i].type() > Type::binary || members[i].type() != members[0].type()) {
      return invalid("Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags");
    }
  }
  const Type set = members[0].is(Type::string)   ? Type::string_set
                   : members[0].is(Type::number) ? Type::number_set
                                                 : Type::binary_set;
  TRY_VOID(check_distinct(expr, set, members, where));
  return Value::set(set, members);
}

int nesting_levels(const Value& value) noexcept {
  int inner = 0;
  if (value.is(Type::map)) {
    for (const item::Attribute& attribute : value.attributes()) inner = std::max(inner, nesting_levels(attribute.value));
  } else if (value.is(Type::list)) {
    for (const Value& element : value.elements()) inner = std::max(inner, nesting_levels(element));
  } else {
    return 0;
  }
  return inner + 1;
}

}  // namespace stator::partiql
