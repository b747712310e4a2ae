#pragma once

#include <string>

#include "metrics/collector.h"

namespace stator::metrics {

// The totals in the text format of Prometheus (version 0.0.4), piece by piece: they may be many, and nobody needs them all of one
// moment.
class PrometheusText {
 public:
  // The collector must outlive this.
  explicit PrometheusText(const Collector& collector) : collector_(collector) {}

  // Appends some more series; false where there were none left.
  bool append(std::string& to);

 private:
  const Collector& collector_;
  SeriesKey last_operation_;
  SeriesKey last_counter_;
  const Definition* shown_ = nullptr;  // whose head was written last
};

}  // namespace stator::metrics
