#include "auth/authorization.h"

#include <gtest/gtest.h>

namespace stator::auth {
namespace {

constexpr std::string_view kDate = "20130609T000000Z";

Result<Credential> authenticate_header(std::string_view header, std::string_view date = kDate) {
  SignedRequest request;
  request.authorization = header;
  request.x_amz_date = date;
  return authenticate(request);
}

void expect_error(const Result<Credential>& result, ErrorCode code, std::string_view text) {
  ASSERT_FALSE(result.has_value()) << text;
  EXPECT_EQ(result.error().code, code) << text;
  EXPECT_EQ(result.error().message, text);
}

TEST(Authorization, GivesThePartsOfTheCredential) {
  const auto credential = authenticate_header(
      "AWS4-HMAC-SHA256 Credential=KEY/20130609/eu-west-1/dynamodb/aws4_request, "
      "SignedHeaders=host;x-amz-date, Signature=00");
  ASSERT_TRUE(credential.has_value()) << credential.error().message;
  EXPECT_EQ(credential->access_key_id, "KEY");
  EXPECT_EQ(credential->date, "20130609");
  EXPECT_EQ(credential->region, "eu-west-1");
  EXPECT_EQ(credential->service, "dynamodb");
}

TEST(Authorization, TakesPartsInAnyOrderBetweenCommasAndBlanks) {
  for (const char* header :
       {"AWS4-HMAC-SHA256 Credential=K/d/r/s/t,SignedHeaders=h,Signature=0",
        "AWS4-HMAC-SHA256 Signature=0, Credential=K/d/r/s/t, SignedHeaders=h",
        "AWS4-HMAC-SHA256   Signature=0 ,  Credential=K/d/r/s/t ,SignedHeaders=h,",
        "AWS4-HMAC-SHA256 Signature=0 Credential=K/d/r/s/t SignedHeaders=h",
        "AWS4-HMAC-SHA256 Other=x, Credential=K/d/r/s/t, SignedHeaders=h, Signature=0"}) {
    const auto credential = authenticate_header(header);
    ASSERT_TRUE(credential.has_value()) << header << ": " << credential.error().message;
    EXPECT_EQ(credential->access_key_id, "K") << header;
  }
}

TEST(Authorization, IsMissingWithoutASignature) {
  for (const char* header : {"", "AWS4", "Basic abc", "aws4-hmac-sha256 x"}) {
    expect_error(authenticate_header(header), ErrorCode::missing_authentication,
                 "Request is missing Authentication Token");
  }
}

TEST(Authorization, ListsThePartsThatAreMissing) {
  const std::string credential = "Authorization header requires 'Credential' parameter. ";
  const std::string signature = "Authorization header requires 'Signature' parameter. ";
  const std::string headers = "Authorization header requires 'SignedHeaders' parameter. ";
  const std::string date =
      "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  const struct {
    std::string header;
    std::string_view date;
    std::string missing;
  } cases[] = {
      {"AWS4-", "", credential + signature + headers + date},
      {"AWS4-", kDate, credential + signature + headers},
      {"AWS4-HMAC-SHA256 Credential=K/d/r/s/t", "", signature + headers + date},
      {"AWS4-HMAC-SHA256 Signature=b, SignedHeaders=host", kDate, credential},
      {"AWS4-HMAC-SHA256 Credential=, Signature=b, SignedHeaders=host", kDate, credential},
  };
  for (const auto& test : cases) {
    expect_error(authenticate_header(test.header, test.date), ErrorCode::incomplete_signature,
                 test.missing + "Authorization=" + test.header);
  }
}

TEST(Authorization, TakesTheDateFromEitherHeader) {
  SignedRequest request;
  request.authorization = "AWS4-HMAC-SHA256 Credential=K/d/r/s/t,SignedHeaders=h,Signature=0";
  EXPECT_FALSE(authenticate(request).has_value());
  request.date = "Sun, 09 Jun 2013 00:00:00 GMT";
  EXPECT_TRUE(authenticate(request).has_value());
}

TEST(Authorization, CannotBeInHeaderAndQuery) {
  SignedRequest request;
  request.authorization = "AWS4-HMAC-SHA256 Signature=b";
  request.query = "a=b&X-Amz-Algorithm=AWS4-HMAC-SHA256";
  expect_error(authenticate(request), ErrorCode::invalid_signature,
               "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
               "header.");
}

TEST(Authorization, KnowsOneAlgorithm) {
  expect_error(authenticate_header("AWS4-OTHER Credential=K/d/r/s/t, SignedHeaders=h, Signature=0"),
               ErrorCode::incomplete_signature,
               "Unsupported AWS 'algorithm': 'AWS4-OTHER' (only AWS4-HMAC-SHA256 for now). ");
}

TEST(Authorization, NeedsFivePartsInTheCredential) {
  for (const std::string credential : {"K", "K/d/r/s", "K/d/r/s/t/u"}) {
    expect_error(authenticate_header("AWS4-HMAC-SHA256 Credential=" + credential +
                                     ", SignedHeaders=h, Signature=0"),
                 ErrorCode::incomplete_signature,
                 "Credential must have exactly 5 slash-delimited elements, e.g. "
                 "keyid/date/region/service/term, got '" +
                     credential + "'");
  }
  EXPECT_TRUE(
      authenticate_header("AWS4-HMAC-SHA256 Credential=////, SignedHeaders=h, Signature=0"));
}

}  // namespace
}  // namespace stator::auth
