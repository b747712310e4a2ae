#include "trigger/filter.h"

#include <gtest/gtest.h>

namespace stator::trigger {
namespace {

const Json kRecord = Json::parse(R"({
  "eventName": "MODIFY",
  "dynamodb": {
    "Keys": {"PK": {"S": "SHIPMENT#1"}, "SK": {"S": "EVENT#2026"}},
    "NewImage": {"status": {"S": "Delivered"}, "weight": {"N": "12.5"}, "fragile": {"BOOL": true}, "note": {"S": ""},
                 "tags": {"SS": ["a", "b"]}, "places": {"L": [{"S": "Bern"}, {"M": {"zip": {"S": "8001"}}}]},
                 "none": {"NULL": true}, "empty": {"L": []}},
    "SizeBytes": 26, "ApproximateCreationDateTime": 1678831218.0, "gap": null
  }
})");

struct FilterCase {
  std::string_view name, pattern;
  bool matches;
};

constexpr FilterCase kCases[] = {
    {"one value", R"({"eventName": ["MODIFY"]})", true},
    {"another value", R"({"eventName": ["INSERT"]})", false},
    {"one of several", R"({"eventName": ["INSERT", "MODIFY"]})", true},
    {"case counts", R"({"eventName": ["modify"]})", false},
    {"a missing field", R"({"eventVersion": ["1.1"]})", false},
    {"all fields must match", R"({"eventName": ["MODIFY"], "dynamodb": {"SizeBytes": [27]}})", false},
    {"deep", R"({"dynamodb": {"NewImage": {"status": {"S": ["Delivered"]}}}})", true},
    {"boolean", R"({"dynamodb": {"NewImage": {"fragile": {"BOOL": [true]}}}})", true},
    {"boolean is not its text", R"({"dynamodb": {"NewImage": {"fragile": {"BOOL": ["true"]}}}})", false},
    {"null", R"({"dynamodb": {"gap": [null]}})", true},
    {"null is not absence", R"({"dynamodb": {"other": [null]}})", false},
    {"empty string", R"({"dynamodb": {"NewImage": {"note": {"S": [""]}}}})", true},
    {"number", R"({"dynamodb": {"SizeBytes": [26]}})", true},
    {"number in another notation", R"({"dynamodb": {"SizeBytes": [26.0]}})", true},
    {"a number attribute is a string", R"({"dynamodb": {"NewImage": {"weight": {"N": ["12.5"]}}}})", true},
    {"prefix", R"({"dynamodb": {"Keys": {"PK": {"S": [{"prefix": "SHIPMENT#"}]}}}})", true},
    {"another prefix", R"({"dynamodb": {"Keys": {"PK": {"S": [{"prefix": "ORDER#"}]}}}})", false},
    {"prefix of a number", R"({"dynamodb": {"SizeBytes": [{"prefix": "2"}]}})", false},
    {"prefix in any case", R"({"eventName": [{"prefix": {"equals-ignore-case": "mod"}}]})", true},
    {"suffix", R"({"dynamodb": {"Keys": {"SK": {"S": [{"suffix": "2026"}]}}}})", true},
    {"another suffix", R"({"dynamodb": {"Keys": {"SK": {"S": [{"suffix": "2025"}]}}}})", false},
    {"suffix in any case", R"({"eventName": [{"suffix": {"equals-ignore-case": "ify"}}]})", true},
    {"equals in any case", R"({"eventName": [{"equals-ignore-case": "mOdIfY"}]})", true},
    {"equals in any case is not prefix", R"({"eventName": [{"equals-ignore-case": "modif"}]})", false},
    {"anything but another", R"({"eventName": [{"anything-but": "INSERT"}]})", true},
    {"anything but this", R"({"eventName": [{"anything-but": ["INSERT", "MODIFY"]}]})", false},
    {"anything but needs a value", R"({"eventVersion": [{"anything-but": "1.0"}]})", false},
    {"anything but a number", R"({"dynamodb": {"SizeBytes": [{"anything-but": [1, 2]}]}})", true},
    {"anything but a prefix", R"({"eventName": [{"anything-but": {"prefix": "MOD"}}]})", false},
    {"anything but a suffix", R"({"eventName": [{"anything-but": {"suffix": "RT"}}]})", true},
    {"numeric", R"({"dynamodb": {"SizeBytes": [{"numeric": [">", 25]}]}})", true},
    {"numeric range", R"({"dynamodb": {"SizeBytes": [{"numeric": [">=", 26, "<", 27]}]}})", true},
    {"outside of a range", R"({"dynamodb": {"SizeBytes": [{"numeric": [">", 0, "<=", 25.9]}]}})", false},
    {"numeric equality", R"({"dynamodb": {"SizeBytes": [{"numeric": ["=", 26]}]}})", true},
    {"numeric of a string never holds", R"({"dynamodb": {"NewImage": {"weight": {"N": [{"numeric": [">", 1]}]}}}})",
     false},
    {"exists", R"({"dynamodb": {"NewImage": {"status": {"S": [{"exists": true}]}}}})", true},
    {"exists not", R"({"dynamodb": {"NewImage": {"other": {"S": [{"exists": true}]}}}})", false},
    {"does not exist", R"({"dynamodb": {"OldImage": {"status": {"S": [{"exists": false}]}}}})", true},
    {"does not exist, but does", R"({"dynamodb": {"NewImage": {"status": {"S": [{"exists": false}]}}}})", false},
    {"exists sees leaves alone", R"({"dynamodb": {"NewImage": {"status": [{"exists": true}]}}})", false},
    {"an empty list has no leaf", R"({"dynamodb": {"NewImage": {"empty": {"L": [{"exists": true}]}}}})", false},
    {"null exists", R"({"dynamodb": {"gap": [{"exists": true}]}})", true},
    {"a member of a set", R"({"dynamodb": {"NewImage": {"tags": {"SS": ["b"]}}}})", true},
    {"no member of a set", R"({"dynamodb": {"NewImage": {"tags": {"SS": ["c"]}}}})", false},
    {"an element of a list", R"({"dynamodb": {"NewImage": {"places": {"L": {"S": ["Bern"]}}}}})", true},
    {"deep in a list", R"({"dynamodb": {"NewImage": {"places": {"L": {"M": {"zip": {"S": ["8001"]}}}}}}})", true},
    {"not in a list", R"({"dynamodb": {"NewImage": {"places": {"L": {"S": ["Basel"]}}}}})", false},
    {"or, first", R"({"$or": [{"eventName": ["MODIFY"]}, {"dynamodb": {"SizeBytes": [1]}}]})", true},
    {"or, second", R"({"$or": [{"eventName": ["REMOVE"]}, {"dynamodb": {"SizeBytes": [26]}}]})", true},
    {"or, none", R"({"$or": [{"eventName": ["REMOVE"]}, {"dynamodb": {"SizeBytes": [1]}}]})", false},
    {"or beside a field", R"({"eventName": ["INSERT"], "$or": [{"dynamodb": {"SizeBytes": [26]}}, {"a": [1]}]})",
     false},
    {"or inside", R"({"dynamodb": {"$or": [{"SizeBytes": [1]}, {"Keys": {"PK": {"S": ["SHIPMENT#1"]}}}]}})", true},
    {"an object where the record has a value", R"({"eventName": {"x": ["MODIFY"]}})", false},
};

TEST(FilterPattern, MatchesAsLambda) {
  for (const FilterCase& one : kCases) {
    const Result<FilterPattern> pattern = FilterPattern::parse(one.pattern);
    ASSERT_TRUE(pattern) << one.name << ": " << pattern.error().message;
    EXPECT_EQ(one.matches, pattern->matches(kRecord)) << one.name;
  }
}

TEST(FilterPattern, SaysWhatIsWrong) {
  struct Wrong {
    std::string_view pattern, part_of_error;
  };
  constexpr Wrong kWrong[] = {
      {"", "not JSON"},
      {"{", "not JSON"},
      {"[]", "it must be an object"},
      {"{}", "at least one field"},
      {R"({"a": "x"})", "a must be an object, or a list"},
      {R"({"a": {"b": 5}})", "a.b must be an object, or a list"},
      {R"({"a": []})", "at least one value"},
      {R"({"a": {}})", "a must have at least one field"},
      {R"({"a": [["x"]]})", "list in its list"},
      {R"({"a": [{}]})", "one operator"},
      {R"({"a": [{"prefix": "x", "suffix": "y"}]})", "one operator"},
      {R"({"a": [{"prefix": 5}]})", "needs a string for prefix"},
      {R"({"a": [{"equals-ignore-case": {"equals-ignore-case": "x"}}]})", "needs a string"},
      {R"({"a": [{"wildcard": "*"}]})", "'wildcard'; there are prefix"},
      {R"({"a": [{"exists": "yes"}]})", "true or false"},
      {R"({"a": [{"anything-but": []}]})", "at least one value for anything-but"},
      {R"({"a": [{"anything-but": [["x"]]}]})", "list of anything-but"},
      {R"({"a": [{"anything-but": {"numeric": ["=", 1]}}]})", "'numeric'"},
      {R"({"a": [{"numeric": []}]})", "one or two comparisons"},
      {R"({"a": [{"numeric": ["~", 1]}]})", "one or two comparisons"},
      {R"({"a": [{"numeric": [">", "1"]}]})", "one or two comparisons"},
      {R"({"a": [{"numeric": [">", 1, "<"]}]})", "one or two comparisons"},
      {R"({"$or": [{"a": [1]}]})", "at least two patterns"},
      {R"({"$or": {"a": [1]}})", "at least two patterns"},
      {R"({"$or": [{"a": [1]}, 5]})", "$or must be an object"},
  };
  for (const Wrong& one : kWrong) {
    const Result<FilterPattern> pattern = FilterPattern::parse(one.pattern);
    ASSERT_FALSE(pattern) << one.pattern;
    EXPECT_NE(std::string::npos, pattern.error().message.find(one.part_of_error)) << pattern.error().message;
  }
}

TEST(FilterPattern, HasABoundedDepth) {
  std::string pattern = "[1]";
  for (int i = 0; i < 100'000; ++i) pattern.insert(0, "{\"a\":").append("}");
  EXPECT_FALSE(FilterPattern::parse(pattern));
}

TEST(FilterPattern, KnowsNumericComparisonsThatCannotHold) {
  EXPECT_TRUE(FilterPattern::parse(R"({"dynamodb":{"NewImage":{"a":{"N":[{"numeric":[">",1]}]}}}})")
                  ->compares_number_attributes());
  EXPECT_FALSE(
      FilterPattern::parse(R"({"dynamodb":{"SizeBytes":[{"numeric":[">",1]}]}})")->compares_number_attributes());
}

TEST(Filters, MatchWhereOneDoes) {
  Filters filters;
  EXPECT_TRUE(filters.matches(kRecord));
  ASSERT_TRUE(filters.add(R"({"eventName": ["INSERT"]})"));
  EXPECT_FALSE(filters.matches(kRecord));
  ASSERT_TRUE(filters.add(R"({"eventName": ["MODIFY"]})"));
  EXPECT_TRUE(filters.matches(kRecord));
}

TEST(Filters, TakeFilterCriteria) {
  Filters filters;
  ASSERT_TRUE(filters.add(R"({"Filters": [{"Pattern": "{\"eventName\": [\"INSERT\"]}"},
                                          {"Pattern": "{\"dynamodb\": {\"SizeBytes\": [26]}}"}]})"));
  EXPECT_TRUE(filters.matches(kRecord));
  EXPECT_FALSE(filters.add(R"({"Filters": [{"Pattern": 5}]})"));
  EXPECT_FALSE(filters.add(R"({"Filters": [{"Pattern": "{"}]})"));
}

}  // namespace
}  // namespace stator::trigger
