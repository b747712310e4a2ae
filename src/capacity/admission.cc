#include "capacity/admission.h"

namespace stator::capacity {

Decision admit(std::span<const Charge> charges, Mode mode, Ticks now) noexcept {
  Decision decision;
  for (const Charge& charge : charges) {
    charge.resource->tick(now);
    const std::optional<Limit> limit = charge.resource->refusal(charge.direction, charge.place, now);
    if (!limit) [[likely]]
      continue;
    decision.throttled = true;
    decision.allowed = mode == Mode::observe;
    decision.reason = {.kind = charge.resource->kind(), .direction = charge.direction, .limit = *limit};
    decision.resource = charge.resource;
    charge.resource->note_throttle(charge.direction, *limit, mode, charge.place);
    break;
  }
  using Outcome = Resource::Outcome;
  const Outcome outcome =
      !decision.throttled ? Outcome::admitted : (decision.allowed ? Outcome::overdrawn : Outcome::refused);
  for (const Charge& charge : charges)
    charge.resource->settle(charge.direction, charge.cost, charge.place, charge.sort_key, outcome, now);
  return decision;
}

bool would_admit(const Charge& charge, Ticks now) noexcept {
  return !charge.resource->refusal(charge.direction, charge.place, now);
}

Error throttle_error(const Decision& decision, std::string_view table_arn, std::string_view index_name) {
  const BillingMode billing = decision.resource->billing();
  auto detail = std::make_shared<ThrottleDetail>();
  detail->reasons.push_back(
      {.reason = reason_name(decision.reason), .resource = resource_arn(table_arn, index_name)});
  detail->account_limit = billing == BillingMode::on_demand && decision.reason.limit == Limit::account;
  const ErrorCode code = billing == BillingMode::provisioned ? ErrorCode::throughput_exceeded : ErrorCode::throttled;
  return Error{code, std::string(throttle_message(decision.reason, billing)), std::move(detail)};
}

}  // namespace stator::capacity
