#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "engine/create_table.h"
#include "engine/table.h"

namespace stator::engine {

// When a change is made, and whether the service's limits on how often hold (mode enforce).
struct ChangeTime {
  std::int64_t now_ms = 0;
  bool limited = false;
};

// Refuses what would not change anything. `what` is "the table" or "index x"; the beginning of the text has one word more for
// an index.
[[nodiscard]] Result<void> check_throughput_changes(const Throughput& now, const ThroughputInput& wanted,
                                                    std::string_view what);

// Sets provisioned units and keeps account of increases and decreases.
[[nodiscard]] Result<void> set_throughput(Throughput& throughput, const ThroughputInput& wanted, const ChangeTime& at);

// The billing mode of a table and its own units. A switch takes those of its indexes away, and limits on demand.
[[nodiscard]] Result<void> change_billing(Table& table, std::optional<BillingMode> wanted,
                                          const std::optional<ThroughputInput>& throughput, const ChangeTime& at);

}  // namespace stator::engine
