// Checks of the load generator's own parts: a measure is worth as much as its instrument.
#include <fmt/format.h>

#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bench/common/http_head.h"
#include "bench/load/digest.h"
#include "bench/load/histogram.h"
#include "bench/load/http_parser.h"
#include "bench/load/item.h"
#include "bench/load/request_source.h"
#include "bench/load/resp_parser.h"
#include "bench/load/signer.h"
#include "bench/load/workload.h"

namespace stator::bench {
namespace {

int failures = 0;

void Check(bool holds, std::string_view what) {
  if (!holds) {
    ++failures;
    fmt::print(stderr, "FAILED: {}\n", what);
  }
}

void TestHistogram() {
  Histogram histogram;
  Check(histogram.Quantile(0.5) == 0, "an empty histogram has no quantile");
  for (std::uint64_t i = 1; i <= 100000; ++i) {
    histogram.Record(i * 10);
  }
  Check(histogram.count() == 100000 && histogram.max() == 1000000, "count and max");
  for (const double fraction : {0.001, 0.5, 0.99, 0.999, 1.0}) {
    const double exact = fraction * 1000000;
    const double error = static_cast<double>(histogram.Quantile(fraction)) / exact;
    Check(error >= 1.0 && error < 1.016, fmt::format("quantile {} is off by {}", fraction, error));
  }
}

// The example "get-vanilla" of the published Signature Version 4 test suite.
void TestSigner() {
  Signer signer({"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"},
                {"us-east-1", "service"}, 1440938160);
  Check(signer.timestamp() == "20150830T123600Z", "timestamp");
  for (int repeat = 0; repeat < 2; ++repeat) {
    const std::string authorization =
        signer.Authorization({"GET", "host:example.amazonaws.com\nx-amz-date:20150830T123600Z\n",
                              "host;x-amz-date", ""});
    Check(authorization ==
              "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
              "SignedHeaders=host;x-amz-date, "
              "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
          "signature of get-vanilla");
  }
}

// Feeds a stream to a parser in pieces of `size` and tells each answer as '.' or 'F'.
std::string Answers(ResponseParser& parser, std::string_view stream, std::size_t size) {
  std::string answers;
  while (!stream.empty()) {
    std::string_view piece = stream.substr(0, size);
    stream.remove_prefix(piece.size());
    while (!piece.empty()) {
      const ResponseParser::Step step = parser.Consume(piece);
      piece.remove_prefix(step.consumed);
      if (step.complete) {
        answers += parser.failed() ? 'F' : '.';
      }
    }
  }
  return answers;
}

template <typename Parser>
void TestStream(std::string_view stream, BodyRange expected, std::string_view answers) {
  for (std::size_t size = 1; size <= stream.size(); ++size) {
    Parser parser(expected);
    const std::string got = Answers(parser, stream, size);
    Check(got == answers, fmt::format("in pieces of {}: {} for {}", size, got, answers));
  }
}

template <typename Parser>
void TestRefused(std::string_view stream) {
  Parser parser(BodyRange{});
  try {
    Answers(parser, stream, stream.size());
    Check(false, fmt::format("accepted: {}", stream));
  } catch (const ProtocolError&) {
  }
}

void TestParsers() {
  TestStream<HttpParser>(
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello"
      "HTTP/1.1 200 OK\r\nX: Content-Length: 7\r\ncontent-LENGTH:   3  \r\n\r\nabc"
      "HTTP/1.1 400 Bad Request\r\nContent-Length:4\r\n\r\noops"
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
      "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\r\n\r\n",
      {1, 10}, "..FF.");
  TestStream<RespParser>("+OK\r\n$3\r\nabc\r\n$-1\r\n-ERR no\r\n$0\r\n\r\n:1\r\n", {1, 10},
                         "..FFF.");
  TestRefused<HttpParser>("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  TestRefused<HttpParser>("HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n");
  TestRefused<RespParser>("*1\r\n");
  TestRefused<RespParser>("hello\r\n");
  Check(StatusCode("HTTP/1.1 503 Slow Down\r\n\r\n") == 503, "status code");
}

void TestItems() {
  Check(ItemJson(7, 0) == ItemJson(7, 0), "an item is a function of its index");
  Check(ItemJson(7, 0) != ItemJson(7, 1), "versions differ");
  Check(ItemJson(7, 0).size() == ItemJson(4999999, 1).size(), "items are of one size");
  Check(RowJson(0).size() == RowJson(9999).size(), "rows are of one size");
  Check(RedisValue(7, 0).size() == kItemBytes, "values are of the items' size");
}

void TestSources() {
  int made = 0;
  PreparedSource prepared(3, [&] { return std::string(++made, 'a'); });
  std::string sizes;
  for (int i = 0; i < 7; ++i) {
    sizes += std::to_string(prepared.Next()->size());
  }
  Check(sizes == "1231231", "prepared requests come in turn: " + sizes);

  FillSource fill(60, 25, [](std::uint64_t first, std::uint64_t last) {
    return fmt::format("{}-{} ", first, last);
  });
  std::string batches;
  while (const auto request = fill.Next()) {
    batches += *request;
  }
  Check(batches == "0-25 25-50 50-60 ", "batches cover all items: " + batches);
}

// The keys in the body of a request, in their order.
std::vector<std::string> Keys(std::string_view request) {
  std::vector<std::string> keys;
  for (std::size_t at = request.find("key-"); at != request.npos;
       at = request.find("key-", at + 1)) {
    keys.emplace_back(request.substr(at, ItemKey(0).size()));
  }
  return keys;
}

void TestWorkloads() {
  Options options;
  options.loop.endpoint = {"127.0.0.1", 8000};
  options.table = kItemTable;
  options.items = 1000;
  options.prepared = 200;

  options.workload = "transact_put";
  Workload transactions = MakeWorkload(options);
  std::set<std::string> used;
  for (int i = 0; i < 200; ++i) {
    for (const std::string& key : Keys(*transactions.source->Next())) {
      used.insert(key);
    }
  }
  Check(used.size() == 400, "transactions under way have no item in common");

  options.workload = "batch_put";
  Workload batches = MakeWorkload(options);
  const std::string first(*batches.source->Next());
  for (int i = 1; i < 40; ++i) {
    batches.source->Next();
  }
  const std::string again(*batches.source->Next());
  Check(Keys(first).size() == 25 && Keys(first) == Keys(again), "batches take the items in turn");
  Check(first.substr(first.find("payload")) != again.substr(again.find("payload")),
        "a second pass changes every item");
  Check(IndexedItemJson(7, 1).size() == IndexedItemJson(7, 2).size() &&
            IndexedItemJson(7, 1) != IndexedItemJson(7, 2),
        "versions of indexed items differ");
}

}  // namespace
}  // namespace stator::bench

int main() {
  using namespace stator::bench;
  TestHistogram();
  TestSigner();
  TestParsers();
  TestItems();
  TestSources();
  TestWorkloads();
  fmt::print("{}\n", failures == 0 ? "all checks passed" : "some checks failed");
  return failures == 0 ? 0 : 1;
}
