#include "net/http_parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "net/parse_in_pieces.h"

namespace stator::net {
namespace {

using Progress = RequestParser::Progress;

const RequestParser::Limits kSmallLimits{.header_bytes_max = 256, .body_bytes_max = 64};

Outcome parse_whole(std::string_view input) { return parse_in_pieces(input, {}, kSmallLimits); }

constexpr std::string_view kPost =
    "POST /a/b?c=d HTTP/1.1\r\nHost: h:1\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n"
    "content-TYPE:  application/x-amz-json-1.0 \r\nContent-Length: 7\r\n\r\n{\"a\":1}";
constexpr std::string_view kChunked =
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3;ext=1\r\nabc\r\nA\r\n0123456789\r\n0\r\nHost: trailer\r\n\r\n";

TEST(RequestParser, FindsPartsAndHeadersOfARequest) {
  std::string input(kPost);
  std::size_t size = input.size();
  RequestParser parser(kSmallLimits);
  ASSERT_EQ(parser.parse(input.data(), size), Progress::complete);
  Request request;
  parser.fill(request, input.data());
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/a/b");
  EXPECT_EQ(request.query, "c=d");
  EXPECT_EQ(request.body, "{\"a\":1}");
  EXPECT_EQ(request.x_amz_target, "DynamoDB_20120810.GetItem");
  EXPECT_EQ(request.content_type, "application/x-amz-json-1.0");
  EXPECT_EQ(request.header("content-length"), "7");
  EXPECT_EQ(request.header("content-type"), "application/x-amz-json-1.0");
  EXPECT_EQ(request.header("host"), "h:1");
  EXPECT_EQ(request.header("content"), "");
  EXPECT_EQ(request.authorization, "");
  EXPECT_EQ(parser.request_bytes(), input.size());
}

TEST(RequestParser, PutsChunksTogetherAndIgnoresTrailers) {
  std::string input(kChunked);
  std::size_t size = input.size();
  RequestParser parser(kSmallLimits);
  ASSERT_EQ(parser.parse(input.data(), size), Progress::complete);
  Request request;
  parser.fill(request, input.data());
  EXPECT_EQ(request.body, "abc0123456789");
  EXPECT_EQ(request.host, "h");
  EXPECT_EQ(parser.request_bytes(), size);
}

TEST(RequestParser, TakesTheFirstOfRepeatedHeaders) {
  std::string input = "GET / HTTP/1.1\r\nHost: h\r\nOrigin: a\r\nOrigin: b\r\n\r\n";
  std::size_t size = input.size();
  RequestParser parser(kSmallLimits);
  ASSERT_EQ(parser.parse(input.data(), size), Progress::complete);
  Request request;
  parser.fill(request, input.data());
  EXPECT_EQ(request.origin, "a");
  EXPECT_EQ(request.header("origin"), "a");
}

TEST(RequestParser, DecidesTheSameHoweverTheInputIsSplit) {
  const std::string inputs[] = {
      std::string(kPost),
      std::string(kChunked),
      std::string(kPost) + std::string(kChunked) + std::string(kPost),
      "\r\n\r\n" + std::string(kPost) + "GET",
      "GET / HTTP/1.1\r\nHost: h\r\nBroken\r\n\r\n",
      "GET / HTTP/1.1\nHost: h\n\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcdeXX\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nFFFF\r\nabcde",
      "GET /" + std::string(300, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n",
      "\x16\x03\x01\x02",
  };
  for (const std::string& input : inputs) {
    const Outcome whole = parse_whole(input);
    std::vector<std::size_t> each_byte;
    for (std::size_t i = 1; i < input.size(); ++i) {
      each_byte.push_back(i);
      for (const std::size_t next : {i, std::min(i + 3, input.size())}) {
        ASSERT_EQ(parse_in_pieces(input, {i, next}, kSmallLimits), whole)
            << "split at " << i << " of " << input;
      }
    }
    EXPECT_EQ(parse_in_pieces(input, each_byte, kSmallLimits), whole) << input;
  }
}

TEST(RequestParser, FindsPipelinedRequests) {
  std::string input;
  for (int i = 0; i < 10; ++i) input += i % 2 == 0 ? kPost : kChunked;
  EXPECT_EQ(parse_whole(input).requests.size(), 10U);
}

struct StatusCase {
  const char* name;
  std::string input;
  int status;  // 0: not refused
};

class RequestParserStatus : public testing::TestWithParam<StatusCase> {};

TEST_P(RequestParserStatus, IsGivenForWhatIsRefused) {
  EXPECT_EQ(parse_whole(GetParam().input).status, GetParam().status);
}

const std::string kGet = "GET / HTTP/1.1\r\nHost: h\r\n";

INSTANTIATE_TEST_SUITE_P(
    Table, RequestParserStatus,
    testing::ValuesIn(std::vector<StatusCase>{
        {"Plain", kGet + "\r\n", 0},
        {"AbsoluteTarget", "GET http://h/x HTTP/1.1\r\nHost: h\r\n\r\n", 0},
        {"Asterisk", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", 0},
        {"Http10WithoutHost", "GET / HTTP/1.0\r\n\r\n", 0},
        {"SameLengthTwice", kGet + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx", 0},
        {"IdentityEncoding", kGet + "Content-Encoding: identity\r\n\r\n", 0},
        {"BodyAtLimit", kGet + "Content-Length: 64\r\n\r\n", 0},
        {"BodyAboveLimit", kGet + "Content-Length: 65\r\n\r\n", 413},
        {"ChunkAboveLimit", kGet + "Transfer-Encoding: chunked\r\n\r\n41\r\n", 413},
        {"ChunksAboveLimit", kGet + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n40\r\n", 413},
        {"HeadAboveLimit", kGet + "A: " + std::string(256, 'x'), 400},
        {"NoHost", "GET / HTTP/1.1\r\n\r\n", 400},
        {"TwoHosts", kGet + "Host: i\r\n\r\n", 400},
        {"NegativeLength", kGet + "Content-Length: -1\r\n\r\n", 400},
        {"WordAsLength", kGet + "Content-Length: ten\r\n\r\n", 400},
        {"OverflowingLength", kGet + "Content-Length: 99999999999999999999\r\n\r\n", 400},
        {"DifferentLengths", kGet + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
        {"LengthAndChunked", kGet + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"ChunkedAndLength", kGet + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", 400},
        {"OtherTransferEncoding", kGet + "Transfer-Encoding: gzip\r\n\r\n", 501},
        {"GzipThenChunked", kGet + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501},
        {"Http10Chunked", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"UnknownContentEncoding", kGet + "Content-Encoding: br\r\n\r\n", 500},
        {"TwoContentEncodings", kGet + "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n\r\n",
         500},
        {"UnknownExpectation", kGet + "Expect: more\r\n\r\n", 417},
        {"Http2Preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
        {"Folded", kGet + "A: b\r\n c\r\n\r\n", 400},
        {"FoldedAtOnce", kGet + "A:\r\n c\r\n\r\n", 400},
        {"BlankBeforeColon", kGet + "A : b\r\n\r\n", 400},
        {"BareLineFeed", "GET / HTTP/1.1\nHost: h\n\n", 400},
        {"ControlCharacter", kGet + "A: \x01\r\n\r\n", 400},
        {"RelativeTarget", "GET x HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        {"BadChunkSize", kGet + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", 400},
        {"QuotedChunkExtension",
         kGet + "Transfer-Encoding: chunked\r\n\r\n1;a=\"b\"\r\nx\r\n0\r\n\r\n", 0},
        {"UnclosedQuoteInChunkExtension", kGet + "Transfer-Encoding: chunked\r\n\r\n1;a=\"b\r\nx",
         400},
        {"BareLineFeedAfterChunkSize", kGet + "Transfer-Encoding: chunked\r\n\r\n1\nx\r\n", 400},
        {"LongChunkExtension",
         kGet + "Transfer-Encoding: chunked\r\n\r\n1;" + std::string(9000, 'x'), 400},
    }),
    [](const auto& row) { return row.param.name; });

TEST(RequestParser, ClosesAfterHttp10AndOnRequest) {
  const auto ends_with = [](const char* input, std::string_view end) {
    const Outcome outcome = parse_whole(input);
    return outcome.requests.size() == 1 && outcome.requests[0].ends_with(end);
  };
  EXPECT_TRUE(ends_with("GET / HTTP/1.1\r\nHost: h\r\n\r\n", "keep"));
  EXPECT_TRUE(ends_with("GET / HTTP/1.1\r\nHost: h\r\nConnection: Close\r\n\r\n", "close"));
  EXPECT_TRUE(ends_with("GET / HTTP/1.0\r\n\r\n", "close"));
  EXPECT_TRUE(ends_with("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "keep"));
}

TEST(RequestParser, TellsThatTheClientAwaitsContinue) {
  std::string input =
      "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n";
  std::size_t size = input.size();
  RequestParser parser(kSmallLimits);
  ASSERT_EQ(parser.parse(input.data(), size), Progress::in_body);
  EXPECT_TRUE(parser.expects_continue());
  EXPECT_EQ(parser.missing_bytes(size), 3U);
}

TEST(RequestParser, KeepsNoFramingOfManySmallChunks) {
  RequestParser parser({.header_bytes_max = 256, .body_bytes_max = 1000});
  std::string input = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::size_t head = input.size();
  for (int i = 0; i < 1000; ++i) {
    input += "1\r\nx\r\n";
    std::size_t size = input.size();
    ASSERT_EQ(parser.parse(input.data(), size), Progress::in_body);
    input.resize(size);
    ASSERT_LE(size, head + static_cast<std::size_t>(i) + 3);
  }
}

}  // namespace
}  // namespace stator::net
