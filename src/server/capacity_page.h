#pragma once

#include <span>
#include <string>

#include "capacity/model.h"

namespace stator::server {

// What the capacity model knows of tables and indexes, as text for Prometheus: throttles by reason, those that happened and
// those that would have; partitions; burst.
[[nodiscard]] std::string capacity_text(std::span<const capacity::TableCapacity::Snapshot> tables);

}  // namespace stator::server
