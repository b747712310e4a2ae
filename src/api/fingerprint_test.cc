#include "api/fingerprint.h"

#include <gtest/gtest.h>

#include <set>

namespace stator::api {
namespace {

std::string of(std::string_view text) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(text);
  return fingerprint(parser.parse(padded).value(), "Items");
}

TEST(Fingerprint, IgnoresHowARequestIsWritten) {
  const std::string first = of(R"({"Items":[{"Put":{"Item":{"pk":{"S":"a"},"x":{"SS":["b","c"]}}}}],"Token":"1"})");
  EXPECT_EQ(of(R"( {"Token" : "2", "Items":[ {"Put":{"Item":{"x":{"SS":["c","b"]},"pk":{"S":"\u0061"}}}}]})"), first);
}

TEST(Fingerprint, TellsContentsApart) {
  const std::string first = of(R"({"Items":[{"a":{"S":"1"}},{"b":{"L":[{"S":"x"},{"S":"y"}]}}]})");
  for (const char* other : {
           R"({"Items":[{"a":{"N":"1"}},{"b":{"L":[{"S":"x"},{"S":"y"}]}}]})",
           R"({"Items":[{"a":{"S":"1"}},{"b":{"L":[{"S":"y"},{"S":"x"}]}}]})",
           R"({"Items":[{"b":{"L":[{"S":"x"},{"S":"y"}]}},{"a":{"S":"1"}}]})",
           R"({"Items":[{"a":{"S":"1"},"b":{"L":[{"S":"x"},{"S":"y"}]}}]})",
           R"({"Items":[{"a":{"S":"1"}},{"b":{"L":[{"S":"xy"}]}}]})",
           R"({})",
       }) {
    EXPECT_NE(of(other), first) << other;
  }
}

TEST(Fingerprint, TellsTruthValuesApart) {
  std::set<std::string> seen;
  for (const char* value : {R"({"BOOL":true})", R"({"BOOL":false})", R"({"NULL":true})", R"({"NULL":false})", R"({"S":"true"})",
                            R"({"L":[{"BOOL":true}]})", R"({"L":[{"BOOL":false}]})", R"({"M":{"x":{"NULL":true}}})",
                            R"({"M":{"x":{"BOOL":true}}})"}) {
    EXPECT_TRUE(seen.insert(of(std::string(R"({"Items":[{"Put":{"Item":{"a":)") + value + "}}}]}")).second) << value;
  }
}

}  // namespace
}  // namespace stator::api
