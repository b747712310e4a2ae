#pragma once

#include <string>

#include "engine/engine.h"

namespace stator::server {

// How far this node's global indexes are behind, for /metrics. Empty where they are written together with their items and the store
// is not shared.
[[nodiscard]] std::string index_lag_text(const engine::Engine& engine);

}  // namespace stator::server
