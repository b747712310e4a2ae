#include "partiql/parser.h"

#include <fmt/format.h>

namespace stator::partiql {
namespace {

constexpr std::string_view kLeftOver = "Unexpected token after expression";
constexpr std::string_view kNoSimplePath = "Expected identifier for simple path";
constexpr std::string_view kNoManipulation = "Expected data manipulation";

}  // namespace

Result<Statement> Parser::statement() {
  Statement statement;
  statement.text = text_;
  if (take_word("select")) {
    TRY_VOID(select(statement));
  } else if (take_word("insert")) {
    TRY_VOID(insert(statement));
  } else if (take_word("update")) {
    TRY_VOID(update(statement));
  } else if (take_word("delete")) {
    TRY_VOID(remove(statement));
  } else if (take_word("from")) {
    TRY_VOID(update_from(statement));
  } else if (at_word("exists") && at_symbol("(", 1)) {
    advance();
    advance();
    if (!take_word("select")) return not_well_formed("Unexpected term");
    TRY_VOID(select(statement));
    statement.kind = StatementKind::exists;
    if (!take_symbol(")")) return not_well_formed(kLeftOver);
  } else {
    return bare_expression();
  }
  take_symbol(";");
  if (!at_end()) return not_well_formed(kLeftOver);
  statement.parameters = parameters_;
  return statement;
}

// A statement that is an expression is never one that can run; of one that tests a type the service says so.
tl::unexpected<Error> Parser::bare_expression() {
  const bool is_name = at_name();
  const Result<Expr> parsed = is_name ? expression() : Result<Expr>(not_well_formed(kNoManipulation));
  if (parsed && parsed->kind == ExprKind::is && at_end()) return invalid("Unsupported operation: IsType");
  return not_well_formed(kNoManipulation);
}

Result<void> Parser::check_alias() const {
  for (const std::string_view clause : {"set", "remove", "where", "returning"}) {
    if (at_word(clause)) return {};
  }
  if (at_word("as") || at_name()) return invalid("Aliasing is not supported");
  return {};
}

Result<void> Parser::select_list(Statement& statement) {
  if (take_symbol("*")) return {};
  do {
    TRY(Expr column, expression());
    TRY_VOID(check_alias());
    statement.projection.push_back(std::move(column));
  } while (take_symbol(","));
  return {};
}

Result<void> Parser::select(Statement& statement) {
  statement.kind = StatementKind::select;
  TRY_VOID(select_list(statement));
  if (!take_word("from")) return not_well_formed(at_end() ? "Unexpected term" : kLeftOver);
  TRY_VOID(source(statement, "Unexpected term"));
  TRY_VOID(check_alias());
  TRY_VOID(where(statement));
  for (const std::string_view clause : {"group", "having", "limit", "offset"}) {
    if (!at_word(clause)) continue;
    std::string upper(clause == "group" ? "GROUP BY" : clause);
    for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return invalid(fmt::format("Unsupported clause: {}", upper));
  }
  TRY_VOID(order_by(statement));
  if (at_word("limit")) return invalid("Unsupported clause: LIMIT");
  return {};
}

Result<void> Parser::insert(Statement& statement) {
  statement.kind = StatementKind::insert;
  if (!take_word("into")) return not_well_formed(kNoManipulation);
  TRY_VOID(source(statement, kNoSimplePath));
  if (!take_word("value")) return not_well_formed(kLeftOver);
  TRY(statement.value, sum());
  return {};
}

Result<void> Parser::update(Statement& statement) {
  statement.kind = StatementKind::update;
  TRY_VOID(source(statement, kNoSimplePath));
  TRY_VOID(check_alias());
  TRY_VOID(changes(statement));
  TRY_VOID(where(statement));
  return returning(statement);
}

// FROM t WHERE .. SET .. and FROM t WHERE .. REMOVE ..: UPDATE in another order.
Result<void> Parser::update_from(Statement& statement) {
  statement.kind = StatementKind::update;
  TRY_VOID(source(statement, "Unexpected term"));
  TRY_VOID(check_alias());
  TRY_VOID(where(statement));
  TRY_VOID(changes(statement));
  return returning(statement);
}

Result<void> Parser::remove(Statement& statement) {
  statement.kind = StatementKind::remove;
  if (!take_word("from")) return not_well_formed(kNoManipulation);
  TRY_VOID(source(statement, kNoSimplePath));
  TRY_VOID(check_alias());
  TRY_VOID(where(statement));
  return returning(statement);
}

Result<void> Parser::source(Statement& statement, std::string_view problem) {
  do {
    if (token().kind == TokenKind::quoted || at_name()) {
      if (token().text.empty()) return invalid("Path component cannot be an empty string");
      statement.source.push_back(token().text);
      advance();
    } else if (!statement.source.empty()) {
      return not_well_formed("Invalid path dot component");
    } else {
      const bool keyword = token().kind == TokenKind::word && problem == "Unexpected term";
      return not_well_formed(keyword ? "Unexpected keyword" : problem);
    }
  } while (take_symbol("."));
  return {};
}

Result<void> Parser::where(Statement& statement) {
  if (!take_word("where")) return {};
  TRY(statement.where, expression());
  return {};
}

Result<void> Parser::order_by(Statement& statement) {
  if (!take_word("order")) return {};
  if (!take_word("by")) return not_well_formed(at_end() ? "Unexpected term" : kLeftOver);
  do {
    OrderTerm term;
    TRY(term.target, sum());
    if (take_word("desc")) {
      term.descending = true;
    } else {
      take_word("asc");
    }
    statement.order.push_back(std::move(term));
  } while (take_symbol(","));
  return {};
}

Result<void> Parser::changes(Statement& statement) {
  if (!at_word("set") && !at_word("remove")) {
    return not_well_formed(at_end() || at_word("where") ? kNoManipulation : kLeftOver);
  }
  for (;;) {
    if (take_word("set")) {
      do {
        SetClause clause;
        TRY(clause.target, simple_path());
        if (!take_symbol("=")) return not_well_formed(at_end() ? "Unexpected term" : kLeftOver);
        TRY(clause.value, right_side(&Parser::sum));
        statement.sets.push_back(std::move(clause));
      } while (take_symbol(","));
    } else if (take_word("remove")) {
      do {
        TRY(Expr target, simple_path());
        statement.removes.push_back(std::move(target));
      } while (take_symbol(","));
    } else {
      return {};
    }
  }
}

Result<void> Parser::returning(Statement& statement) {
  if (!take_word("returning")) return {};
  const bool modified = at_word("modified");
  if (!modified && !at_word("all")) return not_well_formed("Unexpected term");
  advance();
  const bool before = at_word("old");
  if (!before && !at_word("new")) return not_well_formed("Unexpected term");
  advance();
  if (!take_symbol("*")) return not_well_formed("Unexpected term");
  statement.returning = modified ? (before ? Returning::modified_old : Returning::modified_new)
                                 : (before ? Returning::all_old : Returning::all_new);
  if (statement.kind == StatementKind::remove && statement.returning != Returning::all_old) {
    return invalid(
        fmt::format("Invalid returning clause: RETURNING {} {} *. Only RETURNING ALL OLD * is allowed in DELETE "
                    "statements.",
                    modified ? "MODIFIED" : "ALL", before ? "OLD" : "NEW"));
  }
  return {};
}

Result<Statement> parse(std::string_view text, base::Arena& arena) {
  TRY(std::vector<Token> tokens, tokenize(text, arena));
  return Parser(text, std::move(tokens)).statement();
}

}  // namespace stator::partiql
