#pragma once

#include "engine/read_page.h"

namespace stator::engine {

struct ScanRequest {
  PageRequest page;
  std::int64_t segment = 0;
  std::int64_t total_segments = 1;
};

[[nodiscard]] base::Task<Result<Page>> scan(Engine& engine, const ScanRequest& request, base::Buffer& items,
                                            base::Arena& arena);

}  // namespace stator::engine
