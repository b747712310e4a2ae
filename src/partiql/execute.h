#pragma once

#include <optional>
#include <string>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/task.h"
#include "engine/engine.h"
#include "engine/request.h"
#include "partiql/bind.h"
#include "partiql/next_token.h"

namespace stator::partiql {

struct ExecuteOptions {
  bool consistent = false;
  std::optional<std::int64_t> limit;  // of rows that a SELECT looks at
  std::optional<NextPage> page;       // where a SELECT goes on
  bool return_item_on_failure = false;
  bool single_item_only = false;  // refuses a SELECT that is not by the whole key
};

struct ExecuteResult {
  std::string last_key_text;          // wire text of the last key that was looked at, if the page ended there
  std::optional<std::uint32_t> next_part;  // there is more; it begins in this part, behind that key
  engine::ConsumedCapacity consumed;
};

// Runs one statement by itself. Items of the answer are appended to `items` as wire text with commas between. Errors are
// those of the operations it compiles to, and duplicate_item for an INSERT over an item.
[[nodiscard]] base::Task<Result<ExecuteResult>> execute(engine::Engine& engine, const BoundStatement& statement,
                                                        const ExecuteOptions& options, base::Buffer& items,
                                                        base::Arena& arena);

// The halves of it.
[[nodiscard]] base::Task<Result<ExecuteResult>> execute_select(engine::Engine& engine,
                                                               const BoundStatement& statement,
                                                               const ExecuteOptions& options, base::Buffer& items,
                                                               base::Arena& arena);
[[nodiscard]] base::Task<Result<ExecuteResult>> execute_write(engine::Engine& engine, const BoundStatement& statement,
                                                              const ExecuteOptions& options, base::Buffer& items,
                                                              base::Arena& arena);

[[nodiscard]] Error duplicate_item();

}  // namespace stator::partiql
