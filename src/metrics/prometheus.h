#pragma once

#include <string>

#include "metrics/collector.h"

namespace stator::metrics {

// The totals in the text format of Prometheus (version 0.0.4).
[[nodiscard]] std::string prometheus_text(const Totals& totals);

}  // namespace stator::metrics
