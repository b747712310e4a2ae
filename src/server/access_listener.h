#pragma once

#include "engine/admission.h"
#include "insights/insights.h"
#include "metrics/recorder.h"
#include "server/trace_recorder.h"

namespace stator::server {

// What requests do to tables, told to those who count it: throttles to the metrics, keys to Contributor Insights and to the
// recorded trace. Called by every reactor at once.
class AccessListener final : public engine::AccessListener {
 public:
  // `recorder` null: nothing is recorded.
  AccessListener(metrics::Hub& hub, insights::Insights& insights, TraceRecorder* recorder)
      : hub_(hub), insights_(insights), recorder_(recorder) {}

  [[nodiscard]] bool wants_accesses() const noexcept override { return recorder_ != nullptr || insights_.any(); }
  void accessed(std::span<const engine::Access> accesses) override;
  void throttled(const engine::Access& access, capacity::Limit limit, bool refused) override;

 private:
  void rank(const engine::Access& access, bool throttled);

  metrics::Hub& hub_;
  insights::Insights& insights_;
  TraceRecorder* recorder_;
};

}  // namespace stator::server
