#include "trigger/event.h"

#include <gtest/gtest.h>

namespace stator::trigger {
namespace {

const std::string kArn = "arn:aws:dynamodb:us-east-1:418273906451:table/t/stream/2026-11-15T08:00:00.000";

Json stream_record() {
  return Json::parse(R"({"eventID":"0123","eventName":"REMOVE","eventVersion":"1.1","eventSource":"aws:dynamodb",
    "awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1678831218,"Keys":{"b":{"S":"1"},"a":{"N":"2"}},
    "OldImage":{"b":{"S":"1"},"a":{"N":"2"}},"SequenceNumber":"100000000000000000005","SizeBytes":26,
    "StreamViewType":"NEW_AND_OLD_IMAGES"},"userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}})");
}

TEST(LambdaEvent, HasTheFormThatFunctionsKnow) {
  Json record = stream_record();
  ASSERT_TRUE(to_lambda_record(record, kArn));
  EXPECT_EQ(
      R"({"Records":[{"awsRegion":"us-east-1","dynamodb":{"ApproximateCreationDateTime":1678831218.0,)"
      R"("Keys":{"a":{"N":"2"},"b":{"S":"1"}},"OldImage":{"a":{"N":"2"},"b":{"S":"1"}},)"
      R"("SequenceNumber":"100000000000000000005","SizeBytes":26,"StreamViewType":"NEW_AND_OLD_IMAGES"},)"
      R"("eventID":"0123","eventName":"REMOVE","eventSource":"aws:dynamodb","eventSourceARN":")" +
          kArn +
          R"(","eventVersion":"1.1","userIdentity":{"principalId":"dynamodb.amazonaws.com","type":"Service"}}]})",
      lambda_event(std::vector<Record>{make_record(record)}));
}

TEST(LambdaEvent, RecordsKnowTheirPlace) {
  Json record = stream_record();
  ASSERT_TRUE(to_lambda_record(record, kArn));
  const Record made = make_record(record);
  EXPECT_EQ("100000000000000000005", made.sequence_number);
  EXPECT_EQ(1678831218000, made.created_ms);
  Json other = record;
  other["dynamodb"]["OldImage"]["c"] = {{"S", "more"}};
  EXPECT_EQ(made.key_hash, make_record(other).key_hash);
  other["dynamodb"]["Keys"]["b"]["S"] = "2";
  EXPECT_NE(made.key_hash, make_record(other).key_hash);
}

TEST(LambdaEvent, IsNotMadeOfJustAnything) {
  for (const char* text : {"5", "{}", R"({"dynamodb":5})", R"({"dynamodb":{"Keys":{}}})",
                           R"({"dynamodb":{"Keys":{},"SequenceNumber":5}})"}) {
    Json record = Json::parse(text);
    EXPECT_FALSE(to_lambda_record(record, kArn)) << text;
  }
}

}  // namespace
}  // namespace stator::trigger
