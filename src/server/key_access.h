#pragma once

#include "api/json.h"
#include "engine/engine.h"
#include "insights/insights.h"

namespace stator::server {

// Tells insights which keys a request named, read from its body. Called only while insights are enabled for something, so
// that operations need not know of it. `half_units` is what the request consumed in all: it is shared out evenly.
void record_keys(insights::Insights& insights, const engine::Engine& engine, api::Json body, std::int64_t half_units,
                 bool throttled);

}  // namespace stator::server
