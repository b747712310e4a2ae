#include "client/signature.h"

#include <gtest/gtest.h>

namespace stator::client {
namespace {

const Credentials kSuite{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", ""};
constexpr std::string_view kTimestamp = "20150830T123600Z";

// The request and the signature are values of the public Signature Version 4 test suite of AWS, under the name given.
struct SignatureCase {
  std::string_view name, method, path, query;
  Headers more;
  std::string_view body, signed_headers, signature;
};

TEST(Signer, SignsAsThePublicTestSuite) {
  const SignatureCase cases[] = {
      {"get-vanilla",
       "GET",
       "/",
       "",
       {},
       "",
       "host;x-amz-date",
       "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
      {"post-vanilla",
       "POST",
       "/",
       "",
       {},
       "",
       "host;x-amz-date",
       "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
      {"get-vanilla-query-order-key-case",
       "GET",
       "/",
       "Param2=value2&Param1=value1",
       {},
       "",
       "host;x-amz-date",
       "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
      {"get-header-value-trim",
       "GET",
       "/",
       "",
       {{"my-header1", "value1"}, {"my-header2", "\"a   b   c\""}},
       "",
       "host;my-header1;my-header2;x-amz-date",
       "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
      {"post-x-www-form-urlencoded",
       "POST",
       "/",
       "",
       {{"content-type", "application/x-www-form-urlencoded"}},
       "Param1=value1",
       "content-type;host;x-amz-date",
       "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
  };
  Signer signer(kSuite, "us-east-1", "service");
  for (const SignatureCase& one : cases) {
    Headers headers = one.more;
    headers.emplace_back("x-amz-date", kTimestamp);
    headers.emplace_back("host", "example.amazonaws.com");
    const std::string found = signer.authorization({one.method, one.path, one.query, headers, one.body}, kTimestamp);
    EXPECT_EQ("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=" +
                  std::string(one.signed_headers) + ", Signature=" + std::string(one.signature),
              found)
        << one.name;
  }
}

// What botocore's signer makes of this call with temporary credentials.
TEST(Signer, SignsTheSessionTokenToo) {
  const Headers headers = {{"content-type", "application/x-amz-json-1.0"},
                           {"host", "127.0.0.1:8000"},
                           {"x-amz-date", std::string(kTimestamp)},
                           {"x-amz-target", "DynamoDB_20120810.DescribeTable"},
                           {"x-amz-security-token", "a/session+token=="}};
  Signer signer(kSuite, "eu-west-1", "dynamodb");
  const std::string found =
      signer.authorization({"POST", "/", "", headers, "{\"TableName\":\"caf\xc3\xa9\"}"}, kTimestamp);
  EXPECT_EQ(
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-west-1/dynamodb/aws4_request, "
      "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "
      "Signature=328910e83100d4fdb4545831f6efe66095c8ad9f67c84c976ee2c1a4aaa6529d",
      found);
}

TEST(Signer, TakesANewKeyWithANewDay) {
  const Headers headers = {{"host", "example.amazonaws.com"}, {"x-amz-date", "20150831T000000Z"}};
  Signer kept(kSuite, "us-east-1", "service");
  const std::string first = kept.authorization({"GET", "/", "", headers, ""}, kTimestamp);
  Signer fresh(kSuite, "us-east-1", "service");
  EXPECT_EQ(fresh.authorization({"GET", "/", "", headers, ""}, "20150831T000000Z"),
            kept.authorization({"GET", "/", "", headers, ""}, "20150831T000000Z"));
  EXPECT_EQ(first, kept.authorization({"GET", "/", "", headers, ""}, kTimestamp));
}

TEST(SignatureTimestamp, IsInUtc) {
  EXPECT_EQ("20150830T123600Z", signature_timestamp(1440938160999));
  EXPECT_EQ("20240229T235959Z", signature_timestamp(1709251199000));
}

}  // namespace
}  // namespace stator::client
