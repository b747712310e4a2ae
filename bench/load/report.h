// The outcome of a run, as one line of JSON.
#pragma once

#include <string>
#include <string_view>

#include "bench/load/load_loop.h"

namespace stator::bench {

// A run counts only if every request had a right answer.
bool IsValid(const LoopResult& result);

std::string ReportJson(std::string_view workload, const LoopResult& result);

}  // namespace stator::bench
