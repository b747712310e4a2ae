#pragma once

#include <memory>
#include <vector>

#include "api/json.h"
#include "base/arena.h"
#include "metrics/usage.h"

namespace stator::server {

// Memory of one request that is worth reusing: the arena and the JSON parser with its tape. Taken from a list of the
// reactor's thread and given back at the end, so that the steady state allocates nothing.
class RequestScope {
 public:
  static std::unique_ptr<RequestScope> take() {
    auto& list = free_list();
    if (list.empty()) return std::make_unique<RequestScope>();
    std::unique_ptr<RequestScope> scope = std::move(list.back());
    list.pop_back();
    return scope;
  }
  static void give_back(std::unique_ptr<RequestScope> scope) {
    auto& list = free_list();
    scope->arena.reset();
    if (list.size() < kFreeMax && scope->parser.capacity() <= kParserBytesMax) list.push_back(std::move(scope));
  }

  base::Arena arena;
  simdjson::dom::parser parser;
  metrics::RequestUsage usage;

 private:
  static constexpr std::size_t kFreeMax = 256;
  static constexpr std::size_t kParserBytesMax = 64 * 1024;  // one large request must not pin its memory for ever
  static std::vector<std::unique_ptr<RequestScope>>& free_list() {
    thread_local std::vector<std::unique_ptr<RequestScope>> list;
    return list;
  }
};

}  // namespace stator::server
