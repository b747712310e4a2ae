#pragma once

#include <string>

#include "base/result.h"

namespace stator::store {

// What is missing of the commits that were acknowledged: logs that are gone or end too early (ENDS), and damaged ones. Empty if
// all is there. Call it while nobody else has the directory open.
[[nodiscard]] std::string find_lost_commits(const std::string& directory);

}  // namespace stator::store
