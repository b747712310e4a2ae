#include "trigger/response.h"

#include <gtest/gtest.h>

namespace stator::trigger {
namespace {

TEST(BatchResponse, IsReadAsLambdaReadsIt) {
  const std::vector<Record> batch = {{.sequence_number = "1"}, {.sequence_number = "2"}, {.sequence_number = "3"}};
  struct Case {
    std::string_view response;
    std::optional<std::size_t> first_failed;
  };
  const Case cases[] = {
      {"", std::nullopt},
      {" \n", std::nullopt},
      {"null", std::nullopt},
      {"{}", std::nullopt},
      {R"({"batchItemFailures": []})", std::nullopt},
      {R"({"batchItemFailures": null})", std::nullopt},
      {R"({"other": 1})", std::nullopt},
      {R"({"batchItemFailures": [{"itemIdentifier": "2"}]})", 1},
      {R"({"batchItemFailures": [{"itemIdentifier": "3"}, {"itemIdentifier": "2"}]})", 1},
      {R"({"batchItemFailures": [{"itemIdentifier": "1"}]})", 0},
      {R"({"batchItemFailures": [{"itemIdentifier": ""}]})", 0},
      {R"({"batchItemFailures": [{"itemIdentifier": null}]})", 0},
      {R"({"batchItemFailures": [{"identifier": "3"}]})", 0},
      {R"({"batchItemFailures": [{"itemIdentifier": "9"}]})", 0},
      {R"({"batchItemFailures": ["3"]})", 0},
      {R"({"batchItemFailures": {"itemIdentifier": "3"}})", 0},
      {"started\nworking\n{\"batchItemFailures\": [{\"itemIdentifier\": \"3\"}]}\n", 2},
      {"started\n{}", std::nullopt},
      {"just talk", 0},
      {"[]", 0},
      {"5", 0},
  };
  for (const Case& one : cases) {
    const BatchResponse response = read_response(one.response, batch);
    EXPECT_EQ(one.first_failed, response.first_failed) << one.response;
    EXPECT_EQ(one.first_failed.has_value(), !response.message.empty()) << one.response;
  }
}

}  // namespace
}  // namespace stator::trigger
