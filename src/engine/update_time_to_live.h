#pragma once

#include <string_view>

#include "base/task.h"
#include "engine/engine.h"

namespace stator::engine {

// Switches time to live on or off. Items that are there already are taken in by the background thread.
[[nodiscard]] base::Task<Result<TablePtr>> update_time_to_live(Engine& engine, std::string_view table,
                                                               std::string_view attribute, bool enabled);

}  // namespace stator::engine
