#include "engine/query.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/test_support.h"

namespace stator::engine {
namespace {

using testing::Database;
using testing::error_of;
using testing::Item;
using testing::N;
using testing::S;

// Partition "a" holds the sort keys of each test, "b" one item that must never be seen.
class Query : public ::testing::Test {
 protected:
  void fill(const char* table, std::initializer_list<item::Value> sort_keys) {
    for (const item::Value& sort : sort_keys) put(table, "a", sort);
    put(table, "b", *sort_keys.begin());
  }
  void put(const char* table, std::string_view partition, const item::Value& sort) {
    const auto done = database_.put(table, {{"pk", S(partition)}, {"sk", sort}});
    ASSERT_TRUE(done.has_value()) << error_of(done);
  }
  void create(const char* table, item::Type sort) {
    database_.create(
        testing::table_request(table, {{"pk", item::Type::string}, {"sk", sort}}, {"pk", "sk"}));
  }

  struct Question {
    std::string_view table;
    std::string_view condition;
    Item values;
    bool forward = true;
    std::optional<std::int64_t> limit = std::nullopt;
    std::optional<Item> start = std::nullopt;
  };
  Result<testing::PageText> ask(const Question& question) {
    Item values = question.values;
    values.insert(values.begin(), {":pk", S("a")});
    QueryRequest request;
    request.page.table_name = question.table;
    request.page.parameters.values = values;
    request.page.limit = question.limit;
    if (question.start) request.page.start_key = *question.start;
    const std::string condition =
        fmt::format("pk = :pk{}{}", question.condition.empty() ? "" : " AND ", question.condition);
    request.key_condition = condition;
    request.forward = question.forward;
    return database_.query(request);
  }
  // The sort keys that were found: "1 2 3", or the error.
  std::string sort_keys(const Question& question) {
    const auto answer = ask(question);
    return answer ? sort_keys(answer->items) : error_of(answer);
  }
  std::string sort_keys(std::string_view items) {
    std::vector<std::string> keys;
    for (const std::string_view item : testing::split_items(items)) {
      const Item attributes = database_.attributes(item);
      const item::Value sort = *item::find(attributes, "sk");
      const bool is_binary = sort.is(item::Type::binary);
      keys.push_back(is_binary ? testing::hex(sort.text()) : std::string(sort.text()));
    }
    return fmt::format("{}", fmt::join(keys, " "));
  }

  Database database_;
};

TEST_F(Query, ComparesNumbersByValue) {
  create("t", item::Type::number);
  fill("t", {N("-10"), N("-1"), N("0"), N("1.5"), N("2"), N("10"), N("100")});
  const std::tuple<std::string_view, Item, std::string_view> cases[] = {
      {"", {}, "-10 -1 0 1.5 2 10 100"},
      {"sk = :v", {{":v", N("2")}}, "2"},
      {"sk = :v", {{":v", N("3")}}, ""},
      {"sk < :v", {{":v", N("2")}}, "-10 -1 0 1.5"},
      {"sk <= :v", {{":v", N("2")}}, "-10 -1 0 1.5 2"},
      {"sk > :v", {{":v", N("1.5")}}, "2 10 100"},
      {"sk >= :v", {{":v", N("1.5")}}, "1.5 2 10 100"},
      {"sk > :v", {{":v", N("1.4")}}, "1.5 2 10 100"},
      {"sk < :v", {{":v", N("-10")}}, ""},
      {"sk > :v", {{":v", N("100")}}, ""},
      {"sk BETWEEN :v AND :w", {{":v", N("-1")}, {":w", N("2")}}, "-1 0 1.5 2"},
      {"sk BETWEEN :v AND :w", {{":v", N("2")}, {":w", N("2")}}, "2"},
  };
  for (const auto& [condition, values, expected] : cases) {
    EXPECT_EQ(sort_keys({"t", condition, values}), expected) << condition;
  }
}

TEST_F(Query, ComparesStringsByBytes) {
  create("t", item::Type::string);
  fill("t", {S("A"), S("a"), S("a!"), S("ab"), S("abc"), S("b"), S("\u00e4"), S("\U0001F600")});
  const std::tuple<std::string_view, Item, std::string_view> cases[] = {
      {"", {}, "A a a! ab abc b \u00e4 \U0001F600"},
      {"sk = :v", {{":v", S("a")}}, "a"},
      {"sk < :v", {{":v", S("ab")}}, "A a a!"},
      {"sk <= :v", {{":v", S("ab")}}, "A a a! ab"},
      {"sk > :v", {{":v", S("ab")}}, "abc b \u00e4 \U0001F600"},
      {"sk >= :v", {{":v", S("ab")}}, "ab abc b \u00e4 \U0001F600"},
      {"sk BETWEEN :v AND :w", {{":v", S("a!")}, {":w", S("abb")}}, "a! ab"},
      {"begins_with(sk, :v)", {{":v", S("a")}}, "a a! ab abc"},
      {"begins_with(sk, :v)", {{":v", S("abc")}}, "abc"},
      {"begins_with(sk, :v)", {{":v", S("\xf0\x9f")}}, "\U0001F600"},
      {"begins_with(sk, :v)", {{":v", S("x")}}, ""},
  };
  for (const auto& [condition, values, expected] : cases) {
    EXPECT_EQ(sort_keys({"t", condition, values}), expected) << condition;
  }
}

TEST_F(Query, ComparesBinariesByUnsignedBytes) {
  using testing::B;
  create("t", item::Type::binary);
  fill("t", {B(std::string_view("\0", 1)), B(std::string_view("\0\0", 2)), B("\x01"), B("\x7f"),
             B("\xff"), B("\xff\xff"), B("\xff\xff\x01")});
  const std::tuple<std::string_view, Item, std::string_view> cases[] = {
      {"", {}, "00 0000 01 7f ff ffff ffff01"},
      {"sk > :v", {{":v", B("\x7f")}}, "ff ffff ffff01"},
      {"sk < :v", {{":v", B("\x01")}}, "00 0000"},
      {"begins_with(sk, :v)", {{":v", B(std::string_view("\0", 1))}}, "00 0000"},
      {"begins_with(sk, :v)", {{":v", B("\xff\xff")}}, "ffff ffff01"},
  };
  for (const auto& [condition, values, expected] : cases) {
    EXPECT_EQ(sort_keys({"t", condition, values}), expected) << condition;
  }
}

TEST_F(Query, GoesBackwards) {
  create("t", item::Type::number);
  fill("t", {N("1"), N("2"), N("3"), N("4")});
  EXPECT_EQ(sort_keys({"t", "", {}, false}), "4 3 2 1");
  EXPECT_EQ(sort_keys({"t", "sk < :v", {{":v", N("3")}}, false}), "2 1");
  EXPECT_EQ(sort_keys({"t", "", {}, false, 2}), "4 3");
}

TEST_F(Query, PagesByLimitInBothDirections) {
  create("t", item::Type::number);
  fill("t", {N("1"), N("2"), N("3"), N("4"), N("5")});
  for (const bool forward : {true, false}) {
    for (const std::int64_t limit : {1, 2, 3, 5, 6}) {
      std::string all;
      Question question = {"t", "sk <= :v", {{":v", N("4")}}, forward, limit};
      for (int pages = 0;; ++pages) {
        ASSERT_LT(pages, 10);
        const auto answer = ask(question);
        ASSERT_TRUE(answer.has_value()) << error_of(answer);
        EXPECT_LE(answer->page.count, limit);
        EXPECT_EQ(answer->page.count, answer->page.scanned_count);
        if (!answer->items.empty()) all += sort_keys(answer->items) + " ";
        if (answer->page.last_key_text.empty()) break;
        question.start = database_.attributes(answer->page.last_key_text);
      }
      EXPECT_EQ(all, forward ? "1 2 3 4 " : "4 3 2 1 ") << limit;
    }
  }
}

TEST_F(Query, GivesTheKeyOfTheLastItemWhenThePageIsFull) {
  create("t", item::Type::number);
  fill("t", {N("1"), N("2")});
  EXPECT_EQ(ask({"t", "", {}, true, 1})->page.last_key_text, R"({"pk":{"S":"a"},"sk":{"N":"1"}})");
  // A page that is full with the last item does not know that it is the last.
  EXPECT_EQ(ask({"t", "", {}, true, 2})->page.last_key_text, R"({"pk":{"S":"a"},"sk":{"N":"2"}})");
  EXPECT_EQ(ask({"t", "", {}, true, 3})->page.last_key_text, "");
}

TEST_F(Query, StartsBehindAKeyThatNeedNotExist) {
  create("t", item::Type::number);
  fill("t", {N("1"), N("3"), N("5")});
  const Item two = {{"pk", S("a")}, {"sk", N("2")}};
  EXPECT_EQ(sort_keys({"t", "", {}, true, std::nullopt, two}), "3 5");
  EXPECT_EQ(sort_keys({"t", "", {}, false, std::nullopt, two}), "1");
}

TEST_F(Query, RefusesAStartKeyOutsideOfWhatIsAskedFor) {
  create("t", item::Type::number);
  fill("t", {N("1"), N("2"), N("3")});
  const std::tuple<std::string_view, Item, Item, std::string_view> cases[] = {
      {"",
       {},
       {{"pk", S("b")}, {"sk", N("1")}},
       "The provided starting key is outside query boundaries based on provided conditions"},
      {"sk > :v",
       {{":v", N("2")}},
       {{"pk", S("a")}, {"sk", N("1")}},
       "The provided starting key does not match the range key predicate"},
      {"sk BETWEEN :v AND :w",
       {{":v", N("1")}, {":w", N("2")}},
       {{"pk", S("a")}, {"sk", N("3")}},
       "The provided starting key does not match the range key predicate"},
      {"", {}, {{"pk", S("a")}}, "The provided starting key is invalid"},
      {"",
       {},
       {{"pk", S("a")}, {"sk", N("1")}, {"x", N("1")}},
       "The provided starting key is invalid"},
  };
  for (const auto& [condition, values, start, error] : cases) {
    EXPECT_EQ(sort_keys({"t", condition, values, true, std::nullopt, start}), error);
  }
}

TEST_F(Query, EndsAPageThatPassesOneMegabyte) {
  create("t", item::Type::number);
  const std::string large(300'000, 'x');
  for (const char* sort : {"1", "2", "3", "4", "5", "6", "7"}) {
    ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"sk", N(sort)}, {"v", S(large)}}).has_value());
  }
  const auto first = ask({"t", "", {}});
  ASSERT_TRUE(first.has_value()) << error_of(first);
  EXPECT_EQ(sort_keys(first->items), "1 2 3 4");
  EXPECT_EQ(first->page.consumed.total(), read_cost(4 * 300'008, false));
  ASSERT_EQ(first->page.last_key_text, R"({"pk":{"S":"a"},"sk":{"N":"4"}})");
  const Item start = database_.attributes(first->page.last_key_text);
  const auto second = ask({"t", "", {}, true, std::nullopt, start});
  EXPECT_EQ(sort_keys(second->items), "5 6 7");
  EXPECT_EQ(second->page.last_key_text, "");
}

TEST_F(Query, CostsTheSumOfWhatItReadRoundedOnce) {
  create("t", item::Type::number);
  EXPECT_EQ(ask({"t", "", {}})->page.consumed.total(), 1);
  const std::string large(3000, 'x');
  for (const char* sort : {"1", "2", "3"}) {
    ASSERT_TRUE(database_.put("t", {{"pk", S("a")}, {"sk", N(sort)}, {"v", S(large)}}).has_value());
  }
  EXPECT_EQ(ask({"t", "", {}})->page.consumed.total(), read_cost(3 * 3008, false));
  EXPECT_EQ(ask({"t", "", {}, true, 1})->page.consumed.total(), 1);
}

}  // namespace
}  // namespace stator::engine
