#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "item/value.h"
#include "partiql/ast.h"

namespace stator::partiql {

// Makes attribute values of literals and parameters. They live in the arena, or where the parameters do.
class LiteralReader {
 public:
  LiteralReader(std::string_view statement, std::span<const item::Value> parameters, base::Arena& arena)
      : statement_(statement), parameters_(parameters), arena_(arena) {}

  // `where` names the value in error texts: root, root.a, root[1]. It is empty for the item of an INSERT, each of whose
  // attributes is a root.
  [[nodiscard]] Result<item::Value> read(const Expr& expr, const std::string& where = "root") const;
  // Whether it is a literal or parameter at all.
  [[nodiscard]] static bool is_literal(const Expr& expr) noexcept;

  [[nodiscard]] base::Arena& arena() const { return arena_; }
  [[nodiscard]] std::string_view statement() const { return statement_; }

 private:
  [[nodiscard]] Result<item::Value> read_number(const Expr& expr, const std::string& where) const;
  // `depth`: lists and maps around the value. A parameter is none of its own inside of one.
  [[nodiscard]] Result<item::Value> read(const Expr& expr, const std::string& where, int depth) const;
  [[nodiscard]] Result<item::Value> read_inner(const Expr& expr, const std::string& where, int depth) const;
  [[nodiscard]] Result<item::Value> read_list(const Expr& expr, const std::string& where, int depth) const;
  [[nodiscard]] Result<item::Value> read_tuple(const Expr& expr, const std::string& where, int depth) const;
  [[nodiscard]] Result<item::Value> read_bag(const Expr& expr, const std::string& where, int depth) const;

  std::string_view statement_;
  std::span<const item::Value> parameters_;
  base::Arena& arena_;
};

// Levels of maps and lists in a value.
[[nodiscard]] int nesting_levels(const item::Value& value) noexcept;

}  // namespace stator::partiql
