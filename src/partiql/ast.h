#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "expr/expression.h"

// Syntax trees of PartiQL statements. They know no table and no parameter values. Views point into the text of the
// statement or into the arena that the parser was given.
namespace stator::partiql {

enum class ExprKind : std::uint8_t {
  path,
  string,
  number,
  boolean,
  null,
  missing,
  parameter,  // ?
  list,       // [..], and the (..) of IN
  tuple,      // {..}: children are name, value, name, value
  bag,        // <<..>>
  call,
  star,  // the argument of COUNT(*)
  comparison,
  between,  // children: operand, low, high
  in,       // children: operand, then the list, or one parameter that is a list
  is,       // children: operand; `text` is the word behind IS
  logical_and,
  logical_or,
  logical_not,
  plus,
  minus,
};

enum class Comparator : std::uint8_t { equal, not_equal, less, less_or_equal, greater, greater_or_equal };

struct Expr {
  ExprKind kind = ExprKind::null;
  Comparator comparator = Comparator::equal;
  bool flag = false;          // a boolean's value; IN with a single parameter
  std::string_view text;      // contents of a string or number, name of a function, type of IS
  std::uint32_t position = 0;  // where it begins in the statement
  std::uint32_t length = 0;    // of its first word
  std::uint32_t parameter = 0;  // which one, from 0
  std::vector<expr::PathStep> path;
  std::vector<Expr> children;
};

enum class StatementKind : std::uint8_t { select, insert, update, remove, exists };
enum class Returning : std::uint8_t { none, all_old, all_new, modified_old, modified_new };

struct SetClause {
  Expr target;
  Expr value;
};
struct OrderTerm {
  Expr target;
  bool descending = false;
};

struct Statement {
  StatementKind kind = StatementKind::select;
  std::string_view text;                 // the whole statement
  std::vector<std::string_view> source;  // the table, and its index
  std::vector<Expr> projection;          // nothing: *
  std::optional<Expr> value;             // of INSERT
  std::vector<SetClause> sets;
  std::vector<Expr> removes;
  std::optional<Expr> where;
  std::vector<OrderTerm> order;
  Returning returning = Returning::none;
  std::uint32_t parameters = 0;  // how many ? there are

  [[nodiscard]] bool reads() const noexcept { return kind == StatementKind::select; }
};

}  // namespace stator::partiql
