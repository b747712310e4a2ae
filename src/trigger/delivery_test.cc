#include "trigger/delivery.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/temporary_directory.h"

namespace stator::trigger {
namespace {

constexpr std::int64_t kNowMs = 1'700'000'000'000;

class FixedClock final : public base::Clock {
 public:
  [[nodiscard]] std::int64_t now_ms() const override { return kNowMs; }
};

// A function that fails for given records. It keeps what it was given, as texts such as "123".
class ScriptedHandler final : public Handler {
 public:
  Outcome invoke(const std::string& event) override {
    const Json document = Json::parse(event);
    std::string numbers;
    for (const Json& record : document["Records"]) numbers += record["n"].get<std::string>();
    invocations.push_back(numbers);
    if (unreachable > 0) {
      --unreachable;
      return {Outcome::Kind::unreachable, "not there", ""};
    }
    for (const char number : numbers) {
      if (failures[number] == 0) continue;
      if (failures[number] > 0) --failures[number];
      if (!reports) return {Outcome::Kind::failed, "failed", ""};
      return {Outcome::Kind::success, "",
              R"({"batchItemFailures":[{"itemIdentifier":")" + std::string(1, number) + R"("}]})"};
    }
    return {Outcome::Kind::success, "", ""};
  }

  std::map<char, int> failures;  // how often the record fails; -1: always
  bool reports = false;          // failures in the response, not as an error
  int unreachable = 0;
  std::vector<std::string> invocations;
};

class DeliveryTest : public testing::Test {
 protected:
  // Delivers records "1", "2", ... and gives back those that were reported as dealt with.
  std::string deliver(std::size_t count) {
    std::vector<Record> batch;
    for (std::size_t i = 1; i <= count; ++i) {
      const std::string number = std::to_string(i);
      const bool old = old_.find(number) != std::string::npos;
      batch.push_back({.sequence_number = number,
                       .created_ms = old ? kNowMs - 100'000 : kNowMs,
                       .text = "{\"n\":\"" + number + "\"}"});
    }
    std::string done;
    Delivery delivery(handler_, policy_, failures_, clock_, stop_, progress_, "shard", "arn");
    const Result<bool> result = delivery.deliver(batch, [&](std::span<const Record> records) -> Result<void> {
      for (const Record& record : records) done += record.sequence_number;
      return {};
    });
    EXPECT_TRUE(result);
    complete_ = result && *result;
    return done;
  }
  std::vector<Json> given_up() const {
    std::vector<Json> lines;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) lines.push_back(Json::parse(line));
    return lines;
  }

  const base::TemporaryDirectory folder_;
  const std::filesystem::path path_ = folder_.path() / "failures";
  ScriptedHandler handler_;
  RetryPolicy policy_;
  std::string old_;
  FailureFile failures_{path_};
  FixedClock clock_;
  Stop stop_;
  Progress progress_{"test", true};
  bool complete_ = false;
};

using Texts = std::vector<std::string>;

TEST_F(DeliveryTest, TakesABatchAtOnce) {
  EXPECT_EQ("123", deliver(3));
  EXPECT_EQ(Texts{"123"}, handler_.invocations);
  EXPECT_TRUE(given_up().empty());
}

TEST_F(DeliveryTest, TriesAFailedBatchAgain) {
  handler_.failures['2'] = 2;
  EXPECT_EQ("123", deliver(3));
  EXPECT_EQ((Texts{"123", "123", "123"}), handler_.invocations);
}

TEST_F(DeliveryTest, GivesUpAfterTheLastRetry) {
  policy_.retries_max = 1;
  handler_.failures['2'] = -1;
  EXPECT_EQ("123", deliver(3));
  EXPECT_EQ((Texts{"123", "123"}), handler_.invocations);
  ASSERT_EQ(1u, given_up().size());
  const Json line = given_up()[0];
  EXPECT_EQ("RetryAttemptsExhausted", line["requestContext"]["condition"]);
  EXPECT_EQ(2, line["requestContext"]["approximateInvokeCount"]);
  EXPECT_EQ(3, line["DDBStreamBatchInfo"]["batchSize"]);
  EXPECT_EQ("1", line["DDBStreamBatchInfo"]["startSequenceNumber"]);
  EXPECT_EQ("3", line["DDBStreamBatchInfo"]["endSequenceNumber"]);
  EXPECT_EQ("shard", line["DDBStreamBatchInfo"]["shardId"]);
  EXPECT_EQ("2023-11-14T22:13:20Z", line["DDBStreamBatchInfo"]["approximateArrivalOfFirstRecord"]);
  EXPECT_EQ("2023-11-14T22:13:20.000Z", line["timestamp"]);
  EXPECT_EQ(R"({"Records":[{"n":"1"},{"n":"2"},{"n":"3"}]})", line["payload"]);
}

TEST_F(DeliveryTest, NoRetriesMeansNone) {
  policy_.retries_max = 0;
  handler_.failures['1'] = -1;
  EXPECT_EQ("12", deliver(2));
  EXPECT_EQ(Texts{"12"}, handler_.invocations);
  EXPECT_EQ(1u, given_up().size());
}

TEST_F(DeliveryTest, BisectsDownToTheRecordThatFails) {
  policy_.bisect = true;
  policy_.retries_max = 1;
  handler_.failures['3'] = -1;
  EXPECT_EQ("12345", deliver(5));
  EXPECT_EQ((Texts{"12345", "12", "345", "3", "3", "45"}), handler_.invocations);
  ASSERT_EQ(1u, given_up().size());
  EXPECT_EQ(1, given_up()[0]["DDBStreamBatchInfo"]["batchSize"]);
  EXPECT_EQ("3", given_up()[0]["DDBStreamBatchInfo"]["startSequenceNumber"]);
}

TEST_F(DeliveryTest, GoesOnAtTheReportedRecord) {
  policy_.report_failures = true;
  handler_.reports = true;
  handler_.failures['3'] = 2;
  EXPECT_EQ("1234", deliver(4));
  EXPECT_EQ((Texts{"1234", "34", "34"}), handler_.invocations);
}

TEST_F(DeliveryTest, CountsRetriesAnewAfterProgress) {
  policy_.report_failures = true;
  policy_.retries_max = 1;
  handler_.reports = true;
  handler_.failures['2'] = 1;
  handler_.failures['4'] = 1;
  EXPECT_EQ("1234", deliver(4));
  EXPECT_EQ((Texts{"1234", "234", "4"}), handler_.invocations);
  EXPECT_TRUE(given_up().empty());
}

TEST_F(DeliveryTest, GivesUpWhatIsLeftBehindTheReportedRecord) {
  policy_.report_failures = true;
  policy_.retries_max = 1;
  handler_.reports = true;
  handler_.failures['2'] = -1;
  EXPECT_EQ("123", deliver(3));
  EXPECT_EQ((Texts{"123", "23"}), handler_.invocations);
  ASSERT_EQ(1u, given_up().size());
  EXPECT_EQ(2, given_up()[0]["DDBStreamBatchInfo"]["batchSize"]);
}

TEST_F(DeliveryTest, SplitsAtTheReportedRecordWhenBisecting) {
  policy_.report_failures = true;
  policy_.bisect = true;
  policy_.retries_max = 0;
  handler_.reports = true;
  handler_.failures['3'] = -1;
  EXPECT_EQ("12345", deliver(5));
  EXPECT_EQ((Texts{"12345", "345", "3", "45"}), handler_.invocations);
  ASSERT_EQ(1u, given_up().size());
  EXPECT_EQ(1, given_up()[0]["DDBStreamBatchInfo"]["batchSize"]);
}

TEST_F(DeliveryTest, IgnoresResponsesWhereNobodyAskedForThem) {
  handler_.reports = true;
  handler_.failures['1'] = -1;
  EXPECT_EQ("12", deliver(2));
  EXPECT_EQ(Texts{"12"}, handler_.invocations);
}

TEST_F(DeliveryTest, WaitsForAFunctionThatIsNotThere) {
  policy_.retries_max = 0;
  policy_.bisect = true;
  handler_.unreachable = 2;
  EXPECT_EQ("12", deliver(2));
  EXPECT_EQ((Texts{"12", "12", "12"}), handler_.invocations);
  EXPECT_TRUE(given_up().empty());
}

TEST_F(DeliveryTest, GivesUpRecordsThatAreTooOld) {
  policy_.record_age_max_s = 60;
  old_ = "12";
  EXPECT_EQ("123", deliver(3));
  EXPECT_EQ(Texts{"3"}, handler_.invocations);
  ASSERT_EQ(1u, given_up().size());
  EXPECT_EQ("RecordAgeExceeded", given_up()[0]["requestContext"]["condition"]);
  EXPECT_EQ(2, given_up()[0]["DDBStreamBatchInfo"]["batchSize"]);
  EXPECT_FALSE(given_up()[0].contains("responseContext"));
}

TEST_F(DeliveryTest, LeavesTheRestWhenTheEndIsWishedFor) {
  handler_.failures['1'] = -1;
  stop_.request();
  EXPECT_EQ("", deliver(2));
  EXPECT_FALSE(complete_);
  EXPECT_TRUE(handler_.invocations.empty());
}

TEST_F(DeliveryTest, EndsWhereFailuresCannotBeKept) {
  FailureFile nowhere("/nonexistent/file");
  policy_.retries_max = 0;
  handler_.failures['1'] = -1;
  Delivery delivery(handler_, policy_, nowhere, clock_, stop_, progress_, "shard", "arn");
  const std::vector<Record> batch = {{.sequence_number = "1", .created_ms = kNowMs, .text = "{\"n\":\"1\"}"}};
  bool done = false;
  const Result<bool> result = delivery.deliver(batch, [&](std::span<const Record>) -> Result<void> {
    done = true;
    return {};
  });
  EXPECT_FALSE(result);
  EXPECT_FALSE(done);
}

}  // namespace
}  // namespace stator::trigger
