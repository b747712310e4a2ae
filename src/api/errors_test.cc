#include "api/errors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/request.h"

namespace stator::api {
namespace {

TEST(Errors, HaveTheirNameAndStatus) {
  using enum ErrorCode;
  constexpr std::string_view kModel = "com.amazonaws.dynamodb.v20120810#";
  constexpr std::string_view kService = "com.amazon.coral.service#";
  const struct {
    ErrorCode code;
    std::string_view prefix;
    std::string_view name;
    int status = 400;
    std::string_view member = "message";
  } cases[] = {
      {validation, "com.amazon.coral.validate#", "ValidationException"},
      {serialization, kService, "SerializationException", 400, "Message"},
      {table_not_found, kModel, "ResourceNotFoundException"},
      {table_in_use, kModel, "ResourceInUseException"},
      {condition_failed, kModel, "ConditionalCheckFailedException"},
      {limit_exceeded, kModel, "LimitExceededException"},
      {collection_too_large, kModel, "ItemCollectionSizeLimitExceededException"},
      {transaction_canceled, kModel, "TransactionCanceledException", 400, "Message"},
      {transaction_conflict, kModel, "TransactionConflictException"},
      {transaction_in_progress, kModel, "TransactionInProgressException"},
      {idempotent_mismatch, kModel, "IdempotentParameterMismatchException"},
      {throughput_exceeded, kModel, "ProvisionedThroughputExceededException"},
      {throttled, "com.amazon.coral.availability#", "ThrottlingException"},
      {access_denied, kService, "AccessDeniedException", 400, "Message"},
      {unknown_operation, kService, "UnknownOperationException"},
      {missing_authentication, kService, "MissingAuthenticationTokenException"},
      {incomplete_signature, kService, "IncompleteSignatureException"},
      {invalid_signature, kService, "InvalidSignatureException"},
      {unrecognized_client, kService, "UnrecognizedClientException"},
      {request_too_large, kService, "RequestEntityTooLargeException", 413},
      {out_of_space, kModel, "ServiceUnavailable", 503},
      {unavailable, kModel, "ServiceUnavailable", 503},
      {conflict, kModel, "InternalServerError", 500},
      {corruption, kModel, "InternalServerError", 500},
      {internal, kModel, "InternalServerError", 500},
  };
  for (const auto& test : cases) {
    base::Buffer out;
    EXPECT_EQ(write_error(out, {test.code, "te\"xt"}), test.status) << test.name;
    EXPECT_EQ(out.view(), fmt::format(R"({{"__type":"{}{}","{}":"te\"xt"}})", test.prefix,
                                      test.name, test.member));
  }
}

TEST(Errors, OfOneOperationHaveItsType) {
  base::Buffer out;
  const Error error{ErrorCode::table_not_found, "text",
                    std::make_shared<TypeDetail>("model#Special")};
  EXPECT_EQ(write_error(out, error), 400);
  EXPECT_EQ(out.view(), R"({"__type":"model#Special","message":"text"})");
  EXPECT_EQ(error_name(error), "Special");
}

TEST(Errors, WithoutATextHaveNoMember) {
  base::Buffer out;
  EXPECT_EQ(write_error(out, {ErrorCode::serialization, ""}), 400);
  EXPECT_EQ(out.view(), R"({"__type":"com.amazon.coral.service#SerializationException"})");
}

TEST(Errors, ShowTheItemThatFailedACondition) {
  auto detail = std::make_shared<engine::ConditionFailedDetail>();
  detail->item_text = R"({"pk":{"S":"a"}})";
  base::Buffer out;
  write_error(out, {ErrorCode::condition_failed, "no", detail});
  EXPECT_EQ(out.view(),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
            R"("Message":"no","Item":{"pk":{"S":"a"}}})");
}

}  // namespace
}  // namespace stator::api
