#include "partiql/bind.h"

#include <gtest/gtest.h>

#include "base/buffer.h"
#include "item/stored_item.h"
#include "partiql/parser.h"

namespace stator::partiql {
namespace {

class Bound {
 public:
  explicit Bound(std::string_view text, std::initializer_list<std::string_view> parameters = {}) {
    std::vector<item::Value> values;
    for (const std::string_view parameter : parameters) values.push_back(*item::decode_value(parameter, arena_));
    const Result<Statement> statement = parse(arena_.copy(text), arena_);
    if (!statement) {
      error_ = statement.error().message;
      return;
    }
    Result<BoundStatement> bound = partiql::bind(*statement, values, arena_);
    if (bound) {
      bound_ = *std::move(bound);
    } else {
      error_ = bound.error().message;
    }
  }
  [[nodiscard]] const std::string& error() const { return error_; }
  const BoundStatement& operator*() const { return bound_; }

  [[nodiscard]] item::StoredItem item(std::string_view text) {
    const std::string map_text = "{\"M\":" + std::string(text) + "}";
    const auto map = item::decode_value(arena_.copy(std::string_view(map_text)), arena_);
    return *item::StoredItem::open(item::encode_item(map->attributes(), arena_));
  }
  [[nodiscard]] bool matches(std::string_view text) {
    const item::StoredItem stored = item(text);
    return expr::Condition::from_bound(bound_.where, arena_).matches(&stored, arena_);
  }

 private:
  base::Arena arena_;
  BoundStatement bound_;
  std::string error_;
};

TEST(Bind, ConditionsMeanWhatTheyDoInExpressions) {
  constexpr std::string_view kItem =
      R"({"n":{"N":"5"},"s":{"S":"text"},"z":{"NULL":true},"m":{"M":{"k":{"L":[{"N":"1"}]}}},"t":{"SS":["a","b"]}})";
  const struct {
    std::string_view condition;
    bool holds;
  } cases[] = {
      {"n = 5", true},
      {"n <> 5", false},
      {"n != 4 AND NOT s = 'x'", true},
      {"5 < n OR n BETWEEN 1 AND 6", true},
      {"n IN [1, 5]", true},
      {"n NOT IN (1, 5)", false},
      {"begins_with(s, 'te')", true},
      {"contains(t, 'b')", true},
      {"size(t) = 2", true},
      {"m.k[0] = 1", true},
      {"m.k[1] IS MISSING", true},
      {"z IS NULL AND s IS NOT NULL", true},
      {"s IS STRING", true},
      {"attribute_type(n, 'N')", true},
      {"attribute_exists(n) = false", false},
      {"attribute_not_exists(q) = true", true},
  };
  for (const auto& each : cases) {
    Bound bound("SELECT * FROM t WHERE " + std::string(each.condition));
    ASSERT_EQ(bound.error(), "") << each.condition;
    EXPECT_EQ(bound.matches(kItem), each.holds) << each.condition;
  }
}

TEST(Bind, PutsParametersInTheirPlaces) {
  Bound bound("SELECT * FROM t WHERE a = ? AND b IN ?", {R"({"S":"x"})", R"({"L":[{"N":"1"},{"N":"2"}]})"});
  ASSERT_EQ(bound.error(), "");
  EXPECT_TRUE(bound.matches(R"({"a":{"S":"x"},"b":{"N":"2"}})"));
  EXPECT_FALSE(bound.matches(R"({"a":{"S":"x"},"b":{"N":"3"}})"));
}

TEST(Bind, ProjectsUnderTheLastName) {
  Bound bound("SELECT a.b, tags, absent FROM t");
  ASSERT_EQ(bound.error(), "");
  base::Arena arena;
  base::Buffer out;
  const item::StoredItem item =
      bound.item(R"({"a":{"M":{"b":{"N":"1"},"c":{"N":"2"}}},"tags":{"L":[{"S":"x"},{"S":"y"}]}})");
  EXPECT_EQ((*bound).projection->append(out, item, arena), 2U);
  EXPECT_EQ(out.view(), R"({"b":{"N":"1"},"tags":{"L":[{"S":"x"},{"S":"y"}]}})");
}

TEST(Bind, RefusesWithTheServicesTexts) {
  const struct {
    std::string_view text;
    std::string_view error;
  } cases[] = {
      {"SELECT * FROM t WHERE a = ?", "Number of parameters in request and statement don't match."},
      {"SELECT COUNT(*) FROM t", "Unexpected path component at 1:8:5"},
      {"SELECT * FROM a.b.c", "A path may contain at most 2 components in the FROM clause"},
      {"INSERT INTO a.b VALUE {'a': 1}", "FROM clause may only contain a single table name"},
      {"DELETE FROM a.b WHERE c = 1", "This operation is not supported on an index"},
      {"SELECT * FROM t WHERE foo(a)", "Unrecognized function: foo at 1:23:3"},
      {"SELECT * FROM t WHERE a < true",
       "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"},
      {"SELECT * FROM t WHERE attribute_exists('a')",
       "Operator or function requires a document path; operator or function: attribute_exists"},
      {"SELECT * FROM t WHERE attribute_exists()",
       "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of "
       "operands: 0"},
      {"SELECT * FROM t WHERE attribute_type(a, 'X')",
       "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"},
      {"SELECT * FROM t WHERE a IS INT4", "Unsupported operation: IsType"},
      {"SELECT * FROM t ORDER BY a", "Must have WHERE clause in the statement when using ORDER BY clause."},
      {"INSERT INTO t VALUE {'a': <<>>}", "Empty bags are not supported"},
      {"INSERT INTO t VALUE {'a': <<1, 'x'>>}",
       "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
      {"INSERT INTO t VALUE {'x': 1e126}",
       "Number overflow. Attempting to store a number with magnitude larger than supported range under root"},
      {"UPDATE t SET a = set_add(b, <<1>>) WHERE pk = 1",
       "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
      {"UPDATE t SET a = set_add(a, 1) WHERE pk = 1",
       "The second argument to SET_ADD must be a value with type SET at 1:26:1"},
      {"UPDATE t SET a = set_delete(a) WHERE pk = 1", "SET_DELETE must have exactly two arguments at 1:18:10"},
  };
  for (const auto& each : cases) EXPECT_EQ(Bound(each.text).error(), each.error) << each.text;
}

}  // namespace
}  // namespace stator::partiql
