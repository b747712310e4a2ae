#include "api/call.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/test_support.h"
#include "engine/test_support.h"

namespace stator::api {
namespace {

using testing::Answer;
using testing::Client;

class CallTest : public ::testing::Test {
 protected:
  CallTest() { database_.create(engine::testing::simple_request("orders")); }
  Answer call(std::string_view operation, std::string_view body) {
    return client_.call(operation, body);
  }
  std::string body(std::string_view operation, std::string_view text) {
    return call(operation, text).body;
  }

  engine::testing::Database database_;
  Client client_{database_.engine};
};

TEST_F(CallTest, AnswersWithTheItemThatWasPut) {
  EXPECT_EQ(body("PutItem", R"({"TableName":"orders","Item":{"pk":{"S":"a"},"n":{"N":"01"}}})"),
            "{}");
  const Answer found = call("GetItem", R"({"TableName":"orders","Key":{"pk":{"S":"a"}}})");
  EXPECT_EQ(found.status, 200);
  EXPECT_EQ(found.body, R"({"Item":{"pk":{"S":"a"},"n":{"N":"1"}}})");
  EXPECT_EQ(body("GetItem", R"({"TableName":"orders","Key":{"pk":{"S":"b"}}})"), "{}");
}

TEST_F(CallTest, AnswersWithTheErrorAndItsStatus) {
  const Answer answer = call("GetItem", R"({"TableName":"absent","Key":{"pk":{"S":"a"}}})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
            R"("message":"Requested resource not found"})");
  EXPECT_EQ(body("NoSuchOperation", "{}"),
            R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
}

TEST_F(CallTest, TakesATableByItsArn) {
  const auto get = [&](std::string_view name) {
    return body("GetItem", fmt::format(R"({{"TableName":"{}","Key":{{"pk":{{"S":"a"}}}}}})", name));
  };
  EXPECT_EQ(get("orders"), "{}");
  EXPECT_EQ(get("arn:aws:dynamodb:us-east-1:000000000000:table/orders"), "{}");
  EXPECT_NE(
      get("arn:aws:dynamodb:us-east-1:000000000000:table/absent").find("ResourceNotFoundException"),
      std::string::npos);
  EXPECT_NE(
      get("arn:aws:dynamodb:us-east-1:111111111111:table/orders").find("AccessDeniedException"),
      std::string::npos);
  for (const char* bad : {"arn:aws:dynamodb:us-east-1:000000000000",
                          "arn:", "arn:::::", "arn:aws:s3:us-east-1:000000000000:table/orders",
                          "arn:aws:dynamodb:us-east-1:000000000000:table/",
                          "arn:aws:dynamodb:us-east-1:000000000000:table/or/ders"}) {
    EXPECT_NE(get(bad).find("ValidationException"), std::string::npos) << bad;
  }
}

// Each body has one mistake less than the one before it.
TEST_F(CallTest, ChecksInTheServicesOrder) {
  const std::pair<std::string_view, std::string_view> steps[] = {
      {R"({"TableName":1,"ReturnValues":"X","Item":{"pk":{}},"ConditionExpression":"a =="})",
       "NUMBER_VALUE cannot be converted to String"},
      {R"({"TableName":"absent","ReturnValues":"X","Item":{"pk":{}},"ConditionExpression":"a =="})",
       "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD,"},
      {R"({"TableName":"absent","Item":{"pk":{}},"Expected":{},"ConditionExpression":"a =="})",
       "Can not use both expression and non-expression parameters"},
      {R"({"TableName":"absent","Item":{"pk":{}},"ReturnValues":"ALL_NEW",)"
       R"("ConditionExpression":"a =="})",
       "Supplied AttributeValue is empty"},
      {R"({"TableName":"absent","Item":{"x":{"S":""}},"ReturnValues":"ALL_NEW",)"
       R"("ConditionExpression":"a =="})",
       "ReturnValues can only be ALL_OLD or NONE"},
      {R"({"TableName":"absent","Item":{"x":{"S":""}},"ConditionExpression":"a =="})",
       "Invalid ConditionExpression: Syntax error"},
      {R"({"TableName":"absent","Item":{"x":{"S":""}},"ConditionExpression":"a = b"})",
       "Requested resource not found"},
      {R"({"TableName":"orders","Item":{"x":{"S":""}},"ConditionExpression":"a = b"})",
       "Missing the key pk in the item"},
      {R"({"TableName":"orders","Item":{"pk":{"S":""}},"ConditionExpression":"a = b"})",
       "cannot contain an empty string value. Key: pk"},
      {R"({"TableName":"orders","Item":{"pk":{"S":"a"}},"ConditionExpression":"a = b"})",
       "The conditional request failed"},
      {R"({"TableName":"orders","Item":{"pk":{"S":"a"}}})", "{}"},
  };
  for (const auto& [request, expected] : steps) {
    const std::string answer = body("PutItem", request);
    EXPECT_NE(answer.find(expected), std::string::npos) << request << "\n" << answer;
  }
}

TEST_F(CallTest, AnErrorTakesBackWhatWasWritten) {
  const Answer answer = call("Query", R"({"TableName":"orders","KeyConditionExpression":"x = :v",)"
                                      R"("ExpressionAttributeValues":{":v":{"S":"a"}}})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body, R"({"__type":"com.amazon.coral.validate#ValidationException",)"
                         R"("message":"Query condition missed key schema element: pk"})");
}

TEST_F(CallTest, EveryOperationRefusesAnEmptyBodyOrAnswers) {
  for (const char* operation :
       {"BatchGetItem", "BatchWriteItem", "CreateTable", "DeleteItem", "DeleteTable",
        "DescribeTable", "GetItem", "PutItem", "Query", "Scan", "UpdateItem", "UpdateTable"}) {
    const Answer answer = call(operation, "{}");
    EXPECT_EQ(answer.status, 400) << operation;
    EXPECT_NE(answer.body.find("ValidationException"), std::string::npos) << operation;
  }
  for (const char* operation : {"ListTables", "DescribeLimits", "DescribeEndpoints"}) {
    EXPECT_EQ(call(operation, "{}").status, 200) << operation;
  }
}

}  // namespace
}  // namespace stator::api
