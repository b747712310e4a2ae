#pragma once

#include <functional>
#include <string>

#include "metrics/prometheus.h"
#include "net/exchange.h"
#include "server/capacity_page.h"

namespace stator::server {

// The page /metrics. Made while its client takes it, so that its size, which grows with tables and indexes, does not matter.
class MetricsPage final : public net::BodySource {
 public:
  // `rest` is what stands at the end. What is given must outlive the page.
  MetricsPage(const metrics::Collector& collector, engine::Admission& admission, std::function<std::string()> rest)
      : totals_(collector), capacity_(admission), rest_(std::move(rest)) {}

  [[nodiscard]] bool append_piece(base::Buffer& to) override;

 private:
  enum class Part : std::uint8_t { totals, capacity, rest, none };
  bool append(std::string& to);

  metrics::PrometheusText totals_;
  CapacityPage capacity_;
  std::function<std::string()> rest_;
  Part part_ = Part::totals;
};

}  // namespace stator::server
