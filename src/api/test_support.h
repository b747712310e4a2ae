#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "api/call.h"
#include "api/errors.h"
#include "api/operations.h"
#include "base/sync_wait.h"
#include "engine/engine.h"

// Operations from JSON text to JSON text, without HTTP.
namespace stator::api::testing {

struct Answer {
  int status = 200;
  std::string body;
};

class Client {
 public:
  static constexpr std::string_view kRegion = "us-east-1";
  static constexpr std::string_view kAccount = "000000000000";

  explicit Client(engine::Engine& engine) : engine_(engine) {}

  // `operation` as in PutItem; `body` must be a JSON object.
  Answer call(std::string_view operation, std::string_view body) {
    const Operation run = find_operation(std::string("DynamoDB_20120810.").append(operation));
    if (run == nullptr) return answer_of({ErrorCode::unknown_operation, ""});
    const simdjson::padded_string padded(body);
    const auto parsed = parser_.parse(padded);
    if (parsed.error() != simdjson::SUCCESS) return answer_of({ErrorCode::serialization, ""});
    EXPECT_TRUE(parsed.value_unsafe().is_object()) << body;

    base::Arena arena;
    base::Buffer out;
    Call call{engine_, parsed.value_unsafe(), out, arena, kRegion, kAccount, "localhost:8000"};
    const Result<void> done = base::sync_wait(run(call));
    if (!done) return answer_of(done.error());
    return {200, std::string(out.view())};
  }

 private:
  static Answer answer_of(const Error& error) {
    base::Buffer out;
    const int status = write_error(out, error);
    return {status, std::string(out.view())};
  }

  engine::Engine& engine_;
  simdjson::dom::parser parser_;
};

// The text with the value of each TableId, which is random, replaced.
inline std::string without_table_ids(std::string text) {
  constexpr std::string_view kMember = R"("TableId":")";
  std::size_t at = text.find(kMember);
  for (; at != std::string::npos; at = text.find(kMember, at)) {
    at += kMember.size();
    text.replace(at, text.find('"', at) - at, "(id)");
  }
  return text;
}

}  // namespace stator::api::testing
