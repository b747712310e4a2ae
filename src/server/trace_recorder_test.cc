#include "server/trace_recorder.h"

#include <fstream>
#include <sstream>

#include "base/temporary_directory.h"
#include "engine/query.h"
#include "engine/test_support.h"
#include "server/access_listener.h"
#include "simulate/trace.h"

namespace stator::server {
namespace {

using engine::testing::Database;
using engine::testing::Item;
using engine::testing::N;
using engine::testing::S;

class TraceFile : public ::testing::Test {
 protected:
  TraceFile() : insights_(*database_.store, database_.clock) {
    engine::CreateTableRequest request = engine::testing::table_request(
        "shop", {{"pk", item::Type::string}, {"sk", item::Type::number}, {"g", item::Type::string}}, {"pk", "sk"});
    request.billing = engine::BillingMode::provisioned;
    request.throughput = engine::ThroughputInput{10, 20};
    request.global_indexes = {engine::testing::index_input("GSI1", {"g"})};
    request.global_indexes->front().throughput = engine::ThroughputInput{5, 6};
    database_.create(request);
  }

  // Some requests; gives what was recorded.
  std::string record(bool hash_keys) {
    {
      auto recorder = TraceRecorder::open({path_, hash_keys}, database_.clock, database_.engine.catalog);
      EXPECT_TRUE(recorder.has_value());
      AccessListener listener(hub_, insights_, recorder->get());
      database_.engine.admission.set_listener(&listener);
      EXPECT_TRUE(database_.put("shop", {{"pk", S("USER#1")}, {"sk", N("7")}, {"g", S("OPEN")}}).has_value());
      database_.get("shop", {{"pk", S("USER#1")}, {"sk", N("7")}});
      engine::QueryRequest request;
      const Item values = {{":g", S("OPEN")}};
      request.page.table_name = "shop";
      request.page.index_name = "GSI1";
      request.key_condition = "g = :g";
      request.page.parameters.values = values;
      EXPECT_TRUE(database_.query(request).has_value());
      database_.engine.admission.set_listener(nullptr);
    }
    std::ifstream file(path_);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  const base::TemporaryDirectory folder_;
  const std::string path_ = folder_.path() / "trace.jsonl";
  Database database_;
  metrics::Hub hub_;
  insights::Insights insights_;
};

TEST_F(TraceFile, HasWhatRequestsConsumed) {
  EXPECT_EQ(record(false),
            R"({"stator_trace":1,"tables":{"shop":{"read":10,"write":20,"indexes":{"GSI1":{"read":5,"write":6}}}}})"
            "\n"
            R"({"t":1700000000.000000,"op":"write","table":"shop","pk":"USER#1","sk":"7","units":1,)"
            R"("indexes":[{"index":"GSI1","pk":"OPEN","units":1}]})"
            "\n"
            R"({"t":1700000000.000000,"op":"read","table":"shop","pk":"USER#1","sk":"7","units":0.5})"
            "\n"
            R"({"t":1700000000.000000,"op":"Query","table":"shop","index":"GSI1","pk":"OPEN","units":0.5})"
            "\n");
}

TEST_F(TraceFile, HidesKeysWhereItShall) {
  const std::string text = record(true);
  EXPECT_EQ(text.find("USER"), std::string::npos) << text;
  EXPECT_EQ(text.find("OPEN"), std::string::npos) << text;
  EXPECT_NE(text.find("\"pkh\""), std::string::npos) << text;
}

TEST_F(TraceFile, IsReadBackByTheSimulator) {
  record(true);
  auto source = simulate::TraceSource::open(
      path_, [](const std::string&, const std::string&) { return std::optional<capacity::Settings>(); });
  ASSERT_TRUE(source.has_value()) << source.error().message;
  simulate::Request request;
  std::vector<std::size_t> parts;
  for (;;) {
    const Result<bool> more = (*source)->next(request);
    ASSERT_TRUE(more.has_value()) << more.error().message;
    if (!*more) break;
    parts.push_back(request.parts.size());
  }
  EXPECT_EQ(parts, (std::vector<std::size_t>{2, 1, 1}));
  EXPECT_EQ((*source)->targets().front().settings.provisioned.write, 20);
}

TEST(TraceRecorder, SaysThatItCannotMakeTheFile) {
  Database database;
  const auto recorder =
      TraceRecorder::open({"/nonexistent/trace", false}, database.clock, database.engine.catalog);
  ASSERT_FALSE(recorder.has_value());
  EXPECT_NE(recorder.error().message.find("/nonexistent/trace"), std::string::npos);
}

}  // namespace
}  // namespace stator::server
