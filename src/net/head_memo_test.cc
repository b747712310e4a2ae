// A head that is known again must be taken as it would be by a parser that has never seen one.
#include "net/head_memo.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "net/http_parser.h"
#include "net/parse_in_pieces.h"

namespace stator::net {
namespace {

const RequestParser::Limits kMemoLimits{.header_bytes_max = 1024, .body_bytes_max = 64};

constexpr std::string_view kCall =
    "POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n"
    "Content-Type: application/x-amz-json-1.0\r\nUser-Agent: Boto3/1.35 md/Botocore#1.35\r\nX-Amz-Date: 20261115T213113Z\r\n"
    "Authorization: AWS4-HMAC-SHA256 Credential=a/20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=host, "
    "Signature=0123456789abcdef0123\r\namz-sdk-invocation-id: 6f9e8bc4-1d2f\r\namz-sdk-request: attempt=1; max=3\r\n"
    "Content-Length: 17\r\n\r\n{\"a\":1,\"b\":12345}";

std::string with(std::string_view before, std::string_view after) {
  std::string text(kCall);
  const std::size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

// The number of a request's head, after it was parsed with the memo.
std::uint64_t number_of(HeadMemo& memo, std::string input) {
  RequestParser parser(kMemoLimits, &memo);
  std::size_t size = input.size();
  EXPECT_EQ(parser.parse(input.data(), size), RequestParser::Progress::complete) << input;
  Request request;
  parser.fill(request, input.data());
  return request.head_number;
}

class HeadMemoTest : public ::testing::Test {
 protected:
  HeadMemoTest() {
    EXPECT_EQ(number_of(memo_, std::string(kCall)), 0u);
    number_ = number_of(memo_, std::string(kCall));
    EXPECT_NE(number_, 0u);
  }
  HeadMemo memo_;
  std::uint64_t number_ = 0;
};

TEST_F(HeadMemoTest, KnowsHeadsThatDifferInWhatEachCallHasOfItsOwn) {
  for (const std::string& same : {with("213113Z", "213114Z"), with("abcdef0123", "0000000000"), with("6f9e", "ffff"),
                                  with("attempt=1", "attempt=2"), with("17\r\n\r\n", "16\r\n\r\n")}) {
    EXPECT_EQ(number_of(memo_, same), number_) << same;
  }
  for (const std::string& other : {with("GetItem", "PutItem"), with("=a/2026", "=b/2026"), with("us-east-1", "us-west-2"),
                                   with("Boto3", "Boto4"), with("8000", "8001"), with("17\r\n\r\n", "7\r\n\r\n"),
                                   with("abcdef0123", "ABCDEF0123"), with("abcdef0123", "abcdef,012")}) {
    EXPECT_NE(number_of(memo_, other), number_) << other;
  }
}

TEST_F(HeadMemoTest, TakesAHeadAsItIsWhereverAByteIsChanged) {
  constexpr std::string_view kBytes("\0\t\n\r :,-/019@AFZ[_`afz{~\x7f\x80\xff", 27);
  for (std::size_t at = 0; at < kCall.size(); ++at) {
    std::string less(kCall);
    less.erase(at, 1);
    EXPECT_EQ(parse_in_pieces(less, {}, kMemoLimits, &memo_), parse_in_pieces(less, {}, kMemoLimits)) << at;
    for (const char byte : kBytes) {
      std::string changed(kCall);
      changed[at] = byte;
      EXPECT_EQ(parse_in_pieces(changed, {}, kMemoLimits, &memo_), parse_in_pieces(changed, {}, kMemoLimits))
          << static_cast<int>(byte) << " at " << at;
      std::string more(kCall);
      more.insert(at, 1, byte);
      EXPECT_EQ(parse_in_pieces(more, {}, kMemoLimits, &memo_), parse_in_pieces(more, {}, kMemoLimits))
          << static_cast<int>(byte) << " put in at " << at;
    }
    EXPECT_EQ(number_of(memo_, std::string(kCall)), number_) << "forgotten at " << at;
  }
}

TEST_F(HeadMemoTest, TakesPipelinedAndCutRequestsAsTheyAre) {
  const std::string several = std::string(kCall) + with("213113Z", "213114Z") + with("GetItem", "PutItem");
  EXPECT_EQ(parse_in_pieces(several, {}, kMemoLimits, &memo_), parse_in_pieces(several, {}, kMemoLimits));
  for (std::size_t at = 1; at < several.size(); ++at) {
    EXPECT_EQ(parse_in_pieces(several, {at}, kMemoLimits, &memo_), parse_in_pieces(several, {at}, kMemoLimits)) << at;
  }
}

TEST_F(HeadMemoTest, LeavesABodyThatIsTooLongToTheParser) {
  const std::string input = with("17\r\n\r\n", "99\r\n\r\n");
  const Outcome outcome = parse_in_pieces(input, {}, kMemoLimits, &memo_);
  EXPECT_EQ(outcome.end, RequestParser::Progress::failed);
  EXPECT_EQ(outcome, parse_in_pieces(input, {}, kMemoLimits));
}

// Many clients, more than there is room for: those that go on are known.
TEST_F(HeadMemoTest, KeepsTheHeadsThatComeAgain) {
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(number_of(memo_, std::string(kCall)), number_);
    number_of(memo_, with("Boto3", "Once" + std::to_string(i)));
  }
  const std::string second = with("GetItem", "PutItem");
  for (int i = 0; i < 16; ++i) number_of(memo_, second);
  EXPECT_NE(number_of(memo_, second), 0u);
  EXPECT_NE(number_of(memo_, second), number_);
}

}  // namespace
}  // namespace stator::net
