#include "client/failure.h"

#include <gtest/gtest.h>

#include "client/client.h"

namespace stator::client {
namespace {

TEST(FailedCall, CarriesWhatTheServerSaid) {
  const Error error =
      failed_call({400, {}, R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
      "Message":"canceled","CancellationReasons":[{"Code":"None"}]})"});
  EXPECT_EQ(ErrorCode::transaction_canceled, error.code);
  EXPECT_EQ("TransactionCanceledException: canceled", error.message);
  ASSERT_NE(nullptr, failure_of(error));
  EXPECT_EQ(400, failure_of(error)->status);
  EXPECT_EQ("TransactionCanceledException", wire_code(error));
  EXPECT_EQ("canceled", failure_of(error)->message);
  EXPECT_EQ("None", failure_of(error)->body["CancellationReasons"][0]["Code"]);
}

TEST(FailedCall, TakesAnyBody) {
  for (const std::string body : {"", "<html>", "[1]", "\"x\"", R"({"__type":5,"message":[]})"}) {
    const Error error = failed_call({502, {}, body});
    EXPECT_EQ("HTTP status 502", error.message) << body;
    EXPECT_EQ("", wire_code(error));
  }
}

TEST(FailedCall, IsTriedAgainWhereThatCanHelp) {
  struct Case {
    int status;
    std::string_view code;
    bool again;
  };
  constexpr Case kCases[] = {
      {400, "ProvisionedThroughputExceededException", true},
      {400, "ThrottlingException", true},
      {400, "RequestLimitExceeded", true},
      {400, "TransactionInProgressException", true},
      {500, "InternalServerError", true},
      {503, "", true},
      {429, "", true},
      {501, "", false},
      {400, "ValidationException", false},
      {400, "ConditionalCheckFailedException", false},
      {400, "TransactionCanceledException", false},
      {413, "", false},
  };
  for (const Case& one : kCases) {
    const Error error = failed_call({one.status, {}, Json({{"__type", one.code}}).dump()});
    EXPECT_EQ(one.again, worth_another_attempt(error)) << one.status << " " << one.code;
  }
  EXPECT_TRUE(worth_another_attempt({ErrorCode::unavailable, "lost"}));
  EXPECT_FALSE(worth_another_attempt({ErrorCode::validation, "ours"}));
}

}  // namespace
}  // namespace stator::client
