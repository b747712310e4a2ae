#include <algorithm>
#include <iterator>

#include "partiql/parser.h"

namespace stator::partiql {
namespace {

// Words of the grammar. Sorted.
constexpr std::string_view kClauseWords[] = {
    "all",    "and",   "as",    "asc",    "between", "by",     "case",      "create", "cross",  "delete", "desc",
    "distinct", "drop", "else", "end",    "except",  "exists", "false",     "from",   "group",  "having", "in",
    "inner",  "insert", "intersect", "into", "is",   "join",   "left",      "like",   "limit",  "missing", "not",
    "null",   "on",    "or",    "order",  "outer",   "pivot",  "remove",    "returning", "right", "select", "set",
    "table",  "then",  "true",  "union",  "unpivot", "update", "value",     "values", "when",   "where"};

// Words that SQL reserves beyond these, but for ONLY, which the service takes as a name: as a name each wants quotes, before
// a parenthesis it is a function. Sorted.
constexpr std::string_view kReservedWords[] = {
    "absolute",       "action",     "add",           "allocate",     "alter",        "any",          "are",
    "assertion",      "at",         "authorization", "avg",          "begin",        "bit",          "bit_length",
    "cascade",        "cascaded",   "cast",          "catalog",      "char",         "char_length",  "character",
    "character_length", "check",    "close",         "coalesce",     "collate",      "collation",    "column",
    "commit",         "connect",    "connection",    "constraint",   "constraints",  "continue",     "convert",
    "corresponding",  "count",      "current",       "current_date", "current_time", "current_timestamp",
    "current_user",   "cursor",     "date",          "deallocate",   "dec",          "decimal",      "declare",
    "default",        "deferrable", "deferred",      "describe",     "descriptor",   "diagnostics",  "disconnect",
    "domain",         "double",     "escape",        "exception",    "exec",         "execute",      "external",
    "extract",        "fetch",      "first",         "float",        "for",          "foreign",      "found",
    "full",           "get",        "global",        "go",           "goto",         "grant",        "identity",
    "immediate",      "indicator",  "initially",     "input",        "insensitive",  "int",          "integer",
    "interval",       "isolation",  "key",           "language",     "last",         "level",        "local",
    "lower",          "match",      "max",           "min",          "module",       "names",        "national",
    "natural",        "nchar",      "next",          "no",           "nullif",       "numeric",      "octet_length",
    "of",             "open",       "option",        "output",       "overlaps",     "pad",
    "partial",        "position",   "precision",     "prepare",      "preserve",     "primary",      "prior",
    "privileges",     "procedure",  "public",        "read",         "real",         "references",   "relative",
    "restrict",       "revoke",     "rollback",      "rows",         "schema",       "scroll",       "section",
    "session",        "session_user", "size",        "smallint",     "some",         "space",        "sql",
    "sqlcode",        "sqlerror",   "sqlstate",      "substring",    "sum",          "system_user",  "temporary",
    "time",           "timestamp",  "to",            "transaction",  "translate",    "translation",  "trim",
    "unique",         "unknown",    "upper",         "usage",        "user",         "using",        "varchar",
    "varying",        "view",       "whenever",      "with",         "work",         "write",        "zone"};

static_assert(std::is_sorted(std::begin(kClauseWords), std::end(kClauseWords)));
static_assert(std::is_sorted(std::begin(kReservedWords), std::end(kReservedWords)));

constexpr std::size_t kLongest = 17;

template <std::size_t size>
bool is_sorted_into(std::string_view word, const std::string_view (&words)[size]) noexcept {
  if (word.size() > kLongest) return false;
  char lower[kLongest] = {};
  std::transform(word.begin(), word.end(), lower,
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  return std::binary_search(std::begin(words), std::end(words), std::string_view(lower, word.size()));
}

}  // namespace

bool is_clause_word(std::string_view word) noexcept { return is_sorted_into(word, kClauseWords); }

bool is_keyword(std::string_view word) noexcept { return is_clause_word(word) || is_sorted_into(word, kReservedWords); }

}  // namespace stator::partiql
