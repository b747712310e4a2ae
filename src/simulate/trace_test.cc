#include "simulate/trace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "capacity/place.h"
#include "simulate/run.h"

namespace stator::simulate {
namespace {

using capacity::Direction;

std::optional<capacity::Settings> no_override(const std::string&, const std::string&) { return std::nullopt; }

class Trace : public ::testing::Test {
 protected:
  void SetUp() override { path_ = testing::TempDir() + "trace_test." + std::to_string(getpid()) + ".jsonl"; }
  void TearDown() override { std::remove(path_.c_str()); }

  std::unique_ptr<TraceSource> open(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    auto source = TraceSource::open(path_, no_override);
    EXPECT_TRUE(source);
    return std::move(*source);
  }
  // The error of the first line that has one, without the file's name.
  std::string problem(const std::string& text) {
    const auto source = open(text);
    Request request;
    for (;;) {
      const Result<bool> more = source->next(request);
      if (!more) return more.error().message.substr(path_.size() + 1);
      if (!*more) return "";
    }
  }

  std::string path_;
};

TEST_F(Trace, ReadsRequests) {
  const auto source = open(
      R"({"stator_trace":1,"tables":{"shop":{"read":100,"write":50,"indexes":{"GSI1":{"read":5,"write":6}}}}})"
      "\n"
      R"({"t":1.5,"op":"PutItem","table":"shop","pk":"USER#42","sk":"ORDER#1","bytes":2560,)"
      R"("indexes":[{"index":"GSI1","pk":"OPEN","units":1}]})"
      "\n\n"
      R"({"t":2,"op":"GetItem","table":"shop","pk":"USER#42","sk":"ORDER#1","bytes":3072})"
      "\n"
      R"({"t":2.25,"op":"Query","table":"shop","index":"GSI1","pkh":"00000000000000ff","bytes":20000,)"
      R"("consistent":true})"
      "\n"
      R"({"t":3,"op":"TransactWriteItems","table":"other","pk":"a","bytes":100})");
  Request request;
  ASSERT_TRUE(*source->next(request));
  EXPECT_EQ(1'500'000, request.time_us);
  ASSERT_EQ(2U, request.parts.size());
  EXPECT_EQ(6, request.parts[0].cost) << "2.5 KB are 3 units";
  EXPECT_EQ(Direction::write, request.parts[0].direction);
  EXPECT_EQ(capacity::hash_bytes("USER#42"), request.parts[0].key_hash);
  EXPECT_EQ("ORDER#1", request.parts[0].sort_key);
  EXPECT_EQ("USER#42", source->key_name(request.parts[0]));
  EXPECT_EQ("OPEN", source->key_name(request.parts[1]));
  EXPECT_EQ("GSI1", source->targets()[request.parts[1].target].index);
  EXPECT_EQ(6, source->targets()[request.parts[1].target].settings.provisioned.write);
  ASSERT_TRUE(*source->next(request));
  EXPECT_EQ(1, request.parts[0].cost);
  ASSERT_TRUE(*source->next(request));
  EXPECT_EQ(10, request.parts[0].cost);
  EXPECT_EQ(255U, request.parts[0].key_hash);
  EXPECT_TRUE(request.parts[0].whole_collection);
  EXPECT_EQ("hash 00000000000000ff", source->key_name(request.parts[0]));
  ASSERT_TRUE(*source->next(request));
  EXPECT_EQ(4, request.parts[0].cost);
  EXPECT_EQ(capacity::BillingMode::on_demand, source->targets()[request.parts[0].target].settings.billing);
  EXPECT_FALSE(*source->next(request));
  ASSERT_TRUE(source->rewind());
  EXPECT_TRUE(*source->next(request));
  EXPECT_EQ(1'500'000, request.time_us);
}

TEST_F(Trace, ReadsWhatARecorderWrites) {
  std::string text;
  TraceRecord record{
      .time_s = 12.345678, .operation = "PutItem", .table = "t", .pk = "a\"\\\n\x01", .sk = "s", .cost = 5};
  record.indexes.push_back({.index = "g", .pk = std::nullopt, .pk_hash = 77, .cost = 2});
  record.indexes.push_back({.index = "h", .pk = "x", .cost = 4});
  append_trace_line(text, record);
  append_trace_line(
      text, {.time_s = 13, .operation = "Query", .table = "t", .index = "g", .pk_hash = 78, .sk_hash = 9, .cost = 1});
  const auto source = open(text);
  Request request;
  ASSERT_TRUE(*source->next(request));
  ASSERT_EQ(3U, request.parts.size());
  EXPECT_EQ(12'345'678, request.time_us);
  EXPECT_EQ("a\"\\\n\x01", source->key_name(request.parts[0]));
  EXPECT_EQ(5, request.parts[0].cost);
  EXPECT_EQ(77U, request.parts[1].key_hash);
  EXPECT_EQ(4, request.parts[2].cost);
  ASSERT_TRUE(*source->next(request));
  EXPECT_EQ(78U, request.parts[0].key_hash);
  EXPECT_EQ(9U, request.parts[0].item_hash);
  EXPECT_EQ(1, request.parts[0].cost);
}

TEST_F(Trace, NamesWhatIsWrong) {
  struct Case {
    std::string line, problem;
  };
  const Case kCases[] = {
      {"{", "1: not a JSON object"},
      {"[1]", "1: not a JSON object"},
      {R"({"op":"GetItem","table":"t","pk":"a","units":1})", "1: \"t\" is missing or not a time in seconds"},
      {R"({"t":1,"op":"GetItem","pk":"a","units":1})", "1: \"table\" is missing or not a text"},
      {R"({"t":1,"op":"Fly","table":"t","pk":"a","units":1})",
       "1: \"op\" is \"Fly\", which is no operation on items"},
      {R"({"t":1,"op":"GetItem","table":"t","units":1})", "1: a request needs \"pk\" or \"pkh\""},
      {R"({"t":1,"op":"GetItem","table":"t","pk":5,"units":1})", "1: \"pk\" has to be a text"},
      {R"({"t":1,"op":"GetItem","table":"t","pkh":"12","units":1})",
       "1: \"pkh\" has to be a text of 16 hexadecimal digits"},
      {R"({"t":1,"op":"GetItem","table":"t","pk":"a"})", "1: a request needs \"units\" or \"bytes\""},
      {R"({"t":1,"op":"GetItem","table":"t","pk":"a","units":0.3})", "1: \"units\" has to be a multiple of 0.5"},
      {R"({"t":1,"op":"GetItem","table":"t","pk":"a","bytes":-1})",
       "1: \"bytes\" has to be a number from 0 to 1e+12"},
      {R"({"t":1,"op":"PutItem","table":"t","index":"g","pk":"a","units":1})",
       "1: a write goes to its table; what it changes in indexes belongs into \"indexes\""},
      {R"({"stator_trace":2})", "1: \"stator_trace\" has to be 1, the version of the format that this program reads"},
      {R"({"stator_trace":1,"tables":{"t":{"read":5}}})",
       "1: provisioned capacity needs both \"read\" and \"write\"; leave out both for on-demand"},
      {"{\"t\":9,\"op\":\"read\",\"table\":\"t\",\"pk\":\"a\",\"units\":1}\n{\"t\":1,\"op\":\"read\",\"table\":\"t\","
       "\"pk\":\"a\",\"units\":1}",
       "2: the time goes back by more than a second; sort the trace by \"t\""},
  };
  for (const Case& c : kCases) EXPECT_EQ(c.problem, problem(c.line)) << c.line;
}

TEST_F(Trace, ToleratesALittleDisorder) {
  EXPECT_EQ("", problem("{\"t\":9.5,\"op\":\"read\",\"table\":\"t\",\"pk\":\"a\",\"units\":1}\n"
                        "{\"t\":9.1,\"op\":\"read\",\"table\":\"t\",\"pk\":\"a\",\"units\":1}"));
}

TEST_F(Trace, ReadsLinesAcrossItsBuffer) {
  std::string text;
  constexpr int kLines = 60'000;  // more than one buffer
  for (int i = 0; i < kLines; ++i) {
    const std::string key = "SHIPMENT#" + std::to_string(i) + std::string(static_cast<std::size_t>(i % 50), 'x');
    append_trace_line(text, {.time_s = i / 1000.0, .operation = "PutItem", .table = "t", .pk = key, .cost = 2});
  }
  const auto source = open(text);
  const Result<Outcome> outcome = run(*source, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(static_cast<std::uint64_t>(kLines), outcome->requests);
  EXPECT_EQ(2 * kLines, outcome->targets[0].end.side(Direction::write).consumed);
}

TEST_F(Trace, OfAFileThatIsNotThere) {
  const auto source = TraceSource::open("/nonexistent/trace.jsonl", no_override);
  ASSERT_FALSE(source);
  EXPECT_EQ("cannot open /nonexistent/trace.jsonl: No such file or directory", source.error().message);
}

}  // namespace
}  // namespace stator::simulate
