#pragma once

#include <cstdint>
#include <string>

#include "engine/admission.h"

namespace stator::server {

// What the capacity model has metered, as a part of the page /metrics (text for Prometheus), piece by piece. Tables and indexes
// that nothing was metered of are left out.
class CapacityPage {
 public:
  // The admission must outlive this.
  explicit CapacityPage(engine::Admission& admission) : admission_(admission) {}

  // Appends one metric of the next table; false where there was none left.
  bool append(std::string& to);

 private:
  engine::Admission& admission_;
  std::size_t metric_ = 0;
  std::uint64_t table_id_ = 0;  // of the next table, or below
  bool has_head_ = false;       // of the metric
};

}  // namespace stator::server
