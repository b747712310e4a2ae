#pragma once

#include <string>
#include <string_view>

#include "api/json.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/result.h"
#include "base/task.h"
#include "engine/engine.h"
#include "expr/expression.h"
#include "insights/insights.h"
#include "metrics/usage.h"

namespace stator::api {

// One call of an operation, from the parsed body to the answer's body. Lives until the answer is written.
struct Call {
  engine::Engine& engine;
  Json body;                    // an object
  base::Buffer& out;            // gets the answer's JSON; what an operation wrote before an error is thrown away
  base::Arena& arena;           // memory of this request
  std::string_view region;      // from the credentials of the request
  std::string_view account_id;  // twelve digits
  std::string_view host;        // the address that the client used
  metrics::RequestUsage* usage = nullptr;  // what the request used, for the meters; null: nobody counts
  insights::Insights* insights = nullptr;  // null: there are none
  // The layer of the operations that differ from region to region; all others are read by the classic one everywhere.
  expr::Layer layer = expr::Layer::current;
};

// The name in a TableName parameter, which may be an ARN. A bad one is reported alone, after the constraints on other
// members.
[[nodiscard]] Result<std::string_view> table_name_of(const Call& call, std::string_view name_or_arn);

// The table of a request that has nothing but a TableName.
[[nodiscard]] Result<std::string_view> read_table_name(const Call& call);

// The ARN of the key that encrypts a table for which no other key was named.
[[nodiscard]] std::string default_key_arn(const Call& call);

[[nodiscard]] std::string table_arn(const Call& call, std::string_view table_name);

}  // namespace stator::api
