// A head that is there as a whole may take the short way; one that comes in two pieces is Beast's. Both must find the same.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "net/http_parser.h"
#include "net/parse_in_pieces.h"

namespace stator::net {
namespace {

const RequestParser::Limits kLimits{.header_bytes_max = 1024, .body_bytes_max = 64};

constexpr std::string_view kRequest =
    "POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nAccept-Encoding: identity\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n"
    "Content-Type: application/x-amz-json-1.0\r\nUser-Agent: Boto3/1.35 md/Botocore#1.35 ua/2.0\r\nX-Amz-Date: 20261115T213113Z\r\n"
    "Authorization: AWS4-HMAC-SHA256 Credential=a/20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=b2\r\n"
    "Connection: Keep-Alive\r\norigin: null\r\nContent-Length: 7\r\n\r\n{\"a\":1}";

Outcome at_once(const std::string& input) { return parse_in_pieces(input, {}, kLimits); }
Outcome by_beast(const std::string& input) { return parse_in_pieces(input, {1}, kLimits); }

TEST(PlainHead, IsTakenAsAWhole) {
  const Outcome outcome = at_once(std::string(kRequest));
  ASSERT_EQ(outcome.requests.size(), 1U);
  EXPECT_TRUE(outcome.requests[0].starts_with("POST|/||{\"a\":1}|DynamoDB_20120810.GetItem|application/x-amz-json-1.0|AWS4-"));
  EXPECT_EQ(outcome, by_beast(std::string(kRequest)));
}

TEST(PlainHead, IsTheSameToBeastWhereverAByteIsChanged) {
  constexpr std::string_view kBytes("\0\t\n\r :,-/09@AZ[_`az{~\x7f\x80\xff", 24);
  for (std::size_t at = 0; at < kRequest.size(); ++at) {
    std::string less(kRequest);
    less.erase(at, 1);
    EXPECT_EQ(at_once(less), by_beast(less)) << "without the byte at " << at;
    for (const char byte : kBytes) {
      std::string changed(kRequest);
      changed[at] = byte;
      EXPECT_EQ(at_once(changed), by_beast(changed)) << "byte " << static_cast<int>(byte) << " at " << at;
      std::string more(kRequest);
      more.insert(at, 1, byte);
      EXPECT_EQ(at_once(more), by_beast(more)) << "byte " << static_cast<int>(byte) << " put in at " << at;
    }
  }
}

TEST(PlainHead, IsTheSameToBeastWithAnyHeaderMoreOrLess) {
  const std::string lines[] = {
      "Host: other",           "Host:h",                       "X-Amz-Target: second",  "Content-Length: 7",
      "Content-Length: 8",     "Content-Length: 007",          "Content-Length: 65",    "Content-Length: 99999999999999999999",
      "Content-Length: 7, 7",  "Content-Length: +7",           "Content-Length:",       "Connection: close",
      "Connection: upgrade",   "Connection: keep-alive, close", "Proxy-Connection: close", "Upgrade: h2c",
      "Expect: 100-continue",  "Expect: more",                 "Content-Encoding: gzip", "Content-Encoding: identity",
      "Transfer-Encoding: chunked", "Transfer-Encoding: identity", "X-Empty:",          "X-Empty: ",
      "X-Spaces:  two",        "X-Behind: end ",               "X-Tab:\tvalue",         "X_Under: score",
      "X Space: name",         ": no name",                    "no colon",              " folded",
      "X-Long: " + std::string(1024, 'x'),
  };
  const std::string input(kRequest);
  for (const std::string& line : lines) {
    for (std::size_t at = input.find("\r\n") + 2; at <= input.find("\r\n\r\n") + 2; at = input.find("\r\n", at) + 2) {
      const std::string more = input.substr(0, at) + line + "\r\n" + input.substr(at);
      EXPECT_EQ(at_once(more), by_beast(more)) << line << " at " << at;
      if (at > input.find("\r\n\r\n")) break;
    }
  }
  for (std::size_t at = input.find("\r\n") + 2; at < input.find("\r\n\r\n"); at = input.find("\r\n", at) + 2) {
    const std::string less = input.substr(0, at) + input.substr(input.find("\r\n", at) + 2);
    EXPECT_EQ(at_once(less), by_beast(less)) << "without the line at " << at;
  }
}

TEST(PlainHead, IsTheSameToBeastAtTheLimits) {
  const std::string input(kRequest);
  const std::size_t head_bytes = input.find("\r\n\r\n") + 4;
  for (const std::size_t most : {head_bytes - 1, head_bytes, head_bytes + 1}) {
    for (const std::size_t body : {6U, 7U, 8U}) {
      const RequestParser::Limits limits{.header_bytes_max = most, .body_bytes_max = body};
      EXPECT_EQ(parse_in_pieces(input, {}, limits), parse_in_pieces(input, {1}, limits)) << most << " " << body;
    }
  }
}

}  // namespace
}  // namespace stator::net
