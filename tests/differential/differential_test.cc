// The same random requests to a database over memory and to one over RocksDB: every answer must be
// the same, and what is stored must be what a plain map says. See README.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "model.h"
#include "place.h"
#include "request_maker.h"

namespace stator::differential {
namespace {

using Items = std::vector<std::string>;

// A page of a Query or Scan.
struct Page {
  Items items;
  std::string last_key;  // empty: the end
};

class Comparison {
 public:
  explicit Comparison(std::uint64_t seed) : maker_(seed) { ask("CreateTable", create_things()); }

  void step() {
    clock_.advance(maker_.number(50));
    const Request request = maker_.next();
    const api::testing::Answer answer = ask(request.operation, request.body);
    ++(answer.status == 200 ? answered_ : refused_)[request.operation];
    note_writes(request, answer.status == 200);
    const bool is_page = request.operation == "Query" || request.operation == "Scan";
    if (is_page && answer.status == 200) check_pages(request, answer.body);
  }

  void restart() {
    for (Place* place : {&memory_, &rocksdb_}) place->restart();
  }

  // A run in which some operation was always refused would prove little.
  void check_that_all_were_answered() {
    for (const auto& [operation, count] : refused_) {
      EXPECT_GT(answered_[operation], 0) << operation << " was refused " << count << " times";
    }
    for (const auto& [operation, count] : answered_) {
      std::printf("%-20s %6d answered %6d refused\n", operation.c_str(), count,
                  refused_[operation]);
    }
  }

  // Table, indexes and statistics against the model.
  void check_contents() {
    EXPECT_EQ(canonical(read_all("Scan", R"("TableName":"things","Limit":7)")), model_.all());
    for (const Model::IndexContent& index : model_.indexes()) {
      const std::string body = R"("TableName":"things","IndexName":")" + index.name + "\"";
      EXPECT_EQ(canonical(read_all("Scan", body)), index.items) << index.name;
    }
    for (int partition = 0; partition < kPartitions; ++partition) check_partition(partition);
    check_statistics();
  }

 private:
  api::testing::Answer ask(std::string_view operation, std::string_view body) {
    const api::testing::Answer expected = memory_.call(operation, body);
    const api::testing::Answer actual = rocksdb_.call(operation, body);
    EXPECT_EQ(actual.status, expected.status) << operation << " " << body;
    EXPECT_EQ(api::testing::without_table_ids(actual.body),
              api::testing::without_table_ids(expected.body))
        << operation << " " << body;
    EXPECT_LT(expected.status, 500) << operation << " " << body << "\n" << expected.body;
    return expected;
  }

  std::string get(const Key& key) {
    const std::string body =
        R"({"TableName":"things","ConsistentRead":true,"Key":)" + key_text(key) + "}";
    const std::string answer = ask("GetItem", body).body;
    simdjson::dom::element document;
    EXPECT_EQ(parser_.parse(simdjson::padded_string(answer)).get(document), simdjson::SUCCESS);
    simdjson::dom::element item;
    return document["Item"].get(item) == simdjson::SUCCESS ? simdjson::minify(item) : std::string();
  }

  // Enters what a request did into the model, and sees that it did that and nothing else.
  void note_writes(const Request& request, bool succeeded) {
    for (const Write& write : request.writes) {
      if (succeeded && write.kind == Write::Kind::put) model_.put(write.key, write.item);
      if (succeeded && write.kind == Write::Kind::remove) model_.remove(write.key);
    }
    for (const Write& write : request.writes) {
      const std::string stored = get(write.key);
      if (succeeded && write.kind == Write::Kind::update) {
        stored.empty() ? model_.remove(write.key) : model_.put(write.key, stored);
      }
      EXPECT_EQ(stored, model_.item(write.key)) << request.operation << " " << request.body;
    }
  }

  Page parse_page(const std::string& body) {
    Page page;
    simdjson::dom::element document;
    EXPECT_EQ(parser_.parse(simdjson::padded_string(body)).get(document), simdjson::SUCCESS);
    simdjson::dom::array items;
    if (document["Items"].get(items) == simdjson::SUCCESS) {
      for (const simdjson::dom::element item : items) page.items.push_back(simdjson::minify(item));
    }
    simdjson::dom::element last;
    if (document["LastEvaluatedKey"].get(last) == simdjson::SUCCESS) {
      page.last_key = simdjson::minify(last);
    }
    return page;
  }

  // Every page; `members` is a request body without its braces.
  Items read_all(std::string_view operation, const std::string& members) {
    Items all;
    std::string start;
    for (int pages = 0; pages < 1000; ++pages) {
      const Page page = parse_page(ask(operation, "{" + members + start + "}").body);
      all.insert(all.end(), page.items.begin(), page.items.end());
      if (page.last_key.empty()) return all;
      start = R"(,"ExclusiveStartKey":)" + page.last_key;
    }
    ADD_FAILURE() << "pages without end: " << members;
    return all;
  }

  // Pages put together are what one page without Limit holds.
  void check_pages(const Request& request, const std::string& body) {
    if (parse_page(body).last_key.empty()) return;
    const std::string members = request.body.substr(1, request.body.size() - 2);
    const std::size_t at = members.find(",\"Limit\":");
    if (at == std::string::npos) return;
    std::string unlimited = members;
    const std::size_t end = std::min(members.find(',', at + 1), members.size());
    unlimited.erase(at, end - at);
    EXPECT_EQ(read_all(request.operation, members), read_all(request.operation, unlimited))
        << request.body;
  }

  void check_partition(int partition) {
    const std::string members = R"("TableName":"things","KeyConditionExpression":"pk = :p",)"
                                R"("ExpressionAttributeValues":{":p":{"S":"p)" +
                                std::to_string(partition) + R"("}},"Limit":3,"ScanIndexForward":)";
    Items expected = model_.partition(partition);
    EXPECT_EQ(read_all("Query", members + "true"), expected);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(read_all("Query", members + "false"), expected);
  }

  void check_statistics() {
    const std::string body = ask("DescribeTable", R"({"TableName":"things"})").body;
    simdjson::dom::element table;
    ASSERT_EQ(parser_.parse(simdjson::padded_string(body))["Table"].get(table), simdjson::SUCCESS);
    EXPECT_EQ(std::int64_t(table["ItemCount"]), static_cast<std::int64_t>(model_.size()));
    EXPECT_EQ(std::int64_t(table["TableSizeBytes"]), model_.bytes());
    for (const Model::IndexContent& index : model_.indexes()) {
      const bool local = index.name.starts_with("local");
      for (const simdjson::dom::element entry : simdjson::dom::array(
               table[local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes"])) {
        if (std::string_view(entry["IndexName"]) != index.name) continue;
        EXPECT_EQ(std::int64_t(entry["ItemCount"]), static_cast<std::int64_t>(index.items.size()));
        EXPECT_EQ(std::int64_t(entry["IndexSizeBytes"]), index.bytes) << index.name;
      }
    }
  }

  static Items canonical(Items items) {
    for (std::string& item : items) item = canonical_item(item);
    std::sort(items.begin(), items.end());
    return items;
  }

  engine::testing::ManualClock clock_;
  Place memory_{Place::Kind::memory, clock_};
  Place rocksdb_{Place::Kind::rocksdb, clock_};
  RequestMaker maker_;
  Model model_;
  std::map<std::string, int> answered_;
  std::map<std::string, int> refused_;
  simdjson::dom::parser parser_;
};

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* given = std::getenv(name);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

TEST(Differential, BothStoresGiveTheSameAnswersAndKeepWhatWasWritten) {
  const std::uint64_t seed = number_from_environment("STATOR_SEED", std::random_device()());
  const std::uint64_t steps = number_from_environment("STATOR_DIFFERENTIAL_STEPS", 10'000);
  std::printf("seed %llu (STATOR_SEED=%llu replays this run)\n",
              static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seed));
  Comparison comparison(seed);
  for (std::uint64_t i = 1; i <= steps; ++i) {
    comparison.step();
    if (i % 1000 == 0) comparison.restart();
    if (i % 250 == 0 || i == steps) comparison.check_contents();
    ASSERT_FALSE(::testing::Test::HasFailure()) << "step " << i << " of seed " << seed;
  }
  if (steps >= 1000) comparison.check_that_all_were_answered();
}

}  // namespace
}  // namespace stator::differential
