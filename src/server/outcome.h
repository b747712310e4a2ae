#pragma once

#include "api/json.h"
#include "base/result.h"
#include "engine/engine.h"
#include "metrics/usage.h"

namespace stator::server {

// How metrics tell an error apart. `status` is that of the answer.
[[nodiscard]] metrics::Outcome outcome_of(const Error& error, int status);

// The tables that a request names, for errors that are counted per table. Read from the body again: errors are rare.
void touch_tables(metrics::RequestUsage& usage, const engine::Engine& engine, api::Json body);

// A canceled transaction counts for each of its items by that item's reason.
void count_cancellation(metrics::RequestUsage& usage, const engine::Engine& engine, api::Json body, const Error& error);

}  // namespace stator::server
