#include "server/request_shape.h"

#include <gtest/gtest.h>

namespace stator::server {
namespace {

std::string shape_of(std::string_view json) {
  simdjson::dom::parser parser;
  base::Buffer out;
  append_shape(out, parser.parse(simdjson::padded_string(json)).value());
  return std::string(out.view());
}

TEST(RequestShape, ShowsExpressionsAndTypesButNoValues) {
  EXPECT_EQ(shape_of(R"({"TableName":"orders","IndexName":"GSI1","KeyConditionExpression":"#p = :p AND sk > :s",
                         "ExpressionAttributeNames":{"#p":"pk"},
                         "ExpressionAttributeValues":{":p":{"S":"secret"},":s":{"N":"42"}},"Limit":10,"ConsistentRead":false,
                         "ClientRequestToken":"secret"})"),
            R"({"TableName":"orders","IndexName":"GSI1","KeyConditionExpression":"#p = :p AND sk > :s",)"
            R"("ExpressionAttributeNames":{"#p":"pk"},"ExpressionAttributeValues":{":p":"S",":s":"N"},"Limit":10,)"
            R"("ConsistentRead":false,"ClientRequestToken":"?"})");
}

TEST(RequestShape, ItemsAreNamesAndTypes) {
  EXPECT_EQ(shape_of(R"({"TableName":"t","Item":{"pk":{"S":"secret"},"list":{"L":[{"S":"secret"}]},"map":{"M":{"a":{"N":"1"}}},
                         "flag":{"BOOL":true},"tags":{"SS":["secret"]}}})"),
            R"({"TableName":"t","Item":{"pk":"S","list":"L","map":"M","flag":"BOOL","tags":"SS"}})");
}

TEST(RequestShape, NothingBelowValuesIsShownWhateverItsNameIs) {
  // None of these is a valid request; each is shown without what it holds.
  for (const std::string_view body : {R"({"Item":{"TableName":"secret"}})", R"({"Key":{"pk":{"Select":"secret"}}})",
                                      R"({"ExpressionAttributeValues":{":v":{"IndexName":["secret"]}}})",
                                      R"({"Item":["secret",{"TableName":"secret"}]})"}) {
    EXPECT_EQ(shape_of(body).find("secret"), std::string::npos) << shape_of(body);
  }
}

TEST(RequestShape, ListsAreCut) {
  EXPECT_EQ(shape_of(R"({"RequestItems":{"t":{"Keys":[{"pk":{"S":"1"}},{"pk":{"S":"2"}},{"pk":{"S":"3"}},{"pk":{"S":"4"}},
                         {"pk":{"S":"5"}}]}}})"),
            R"({"RequestItems":{"t":{"Keys":[{"pk":"S"},{"pk":"S"},{"pk":"S"},"+2"]}}})");
}

TEST(RequestShape, StatementsLoseTheirLiterals) {
  EXPECT_EQ(statement_shape(R"(SELECT * FROM "my-table1" WHERE pk = 'it''s secret' AND n1 > 12.5e3 AND x = ?)"),
            R"(SELECT * FROM "my-table1" WHERE pk = ? AND n1 > ? AND x = ?)");
  EXPECT_EQ(statement_shape("x = 'open"), "x = ?");
  EXPECT_EQ(statement_shape("SELECT \"open"), "SELECT \"open");
  EXPECT_EQ(shape_of(R"({"Statement":"DELETE FROM t WHERE pk = 'secret'","Parameters":[{"S":"secret"}]})"),
            R"({"Statement":"DELETE FROM t WHERE pk = ?","Parameters":["S"]})");
}

}  // namespace
}  // namespace stator::server
