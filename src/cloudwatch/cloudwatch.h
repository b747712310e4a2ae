#pragma once

#include "cloudwatch/alarms.h"
#include "cloudwatch/context.h"
#include "service/service.h"

namespace stator::cloudwatch {

inline constexpr std::string_view kTargetPrefix = "GraniteServiceVersion20100801";
inline constexpr std::string_view kXmlNamespace = "http://monitoring.amazonaws.com/doc/2010-08-01/";
inline constexpr std::string_view kApiVersion = "2010-08-01";

// The CloudWatch API over the metrics of this server.
class CloudWatch final : public service::Service {
 public:
  CloudWatch(metrics::Collector& collector, metrics::History& history, Alarms& alarms,
             const insights::Insights& insights, const base::Clock& clock)
      : collector_(collector), history_(history), alarms_(alarms), insights_(insights), clock_(clock) {}

  [[nodiscard]] base::Task<Result<service::Value>> call(service::Call call) override;

 private:
  metrics::Collector& collector_;
  metrics::History& history_;
  Alarms& alarms_;
  const insights::Insights& insights_;
  const base::Clock& clock_;
};

}  // namespace stator::cloudwatch
