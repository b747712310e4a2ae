#include "engine/page_charge.h"

namespace stator::engine {

PageCharge::PageCharge(Engine& engine, const Table& table, const Index* index, AccessKind kind)
    : engine_(engine),
      table_(table),
      index_(index != nullptr && index->kind == IndexKind::global ? index : nullptr),
      kind_(kind),
      meter_(engine.admission.meter(table)) {
  if (meter_.mode != CapacityMode::off) resource_ = meter_.resource(table, index_);
  active_ = resource_ != nullptr || engine.admission.listening();
}

bool PageCharge::charge(std::string_view row_key, HalfUnits cost) {
  const bool first = charged_ == 0;
  const HalfUnits added = cost - charged_;
  if (first && engine_.admission.listening()) first_row_ = row_key;
  if (resource_ == nullptr) {
    charged_ = cost;
    return true;
  }
  const capacity::Charge charge{resource_, capacity::Direction::read, added, place_of(row_key), {}};
  const Access access{&table_, index_, kind_, added, row_key};
  const capacity::Ticks now = engine_.admission.now();
  if (first) {
    const capacity::Decision decision = capacity::admit({&charge, 1}, meter_.model_mode(), now);
    if (decision.throttled) {
      engine_.admission.report(decision, access);
      if (!decision.allowed) {
        refusal_ = Admission::error_of(decision, access);
        return false;
      }
      overdrawn_ = true;
    }
  } else {
    settle(row_key, added, now);
  }
  charged_ = cost;
  if (overdrawn_ || capacity::would_admit(charge, now)) return true;
  if (meter_.mode == CapacityMode::enforce) return false;
  // The next page would have been refused: this is where it begins.
  const std::optional<capacity::Limit> limit = resource_->refusal(charge.direction, charge.place, now);
  if (limit) overdraw(access, *limit);
  return true;
}

bool PageCharge::whole(std::string_view row_key, HalfUnits cost) {
  if (!active_) return true;
  if (resource_ != nullptr) {
    constexpr capacity::Direction kRead = capacity::Direction::read;
    const capacity::Ticks now = engine_.admission.now();
    const capacity::Place place = place_of(row_key);
    resource_->tick(now);
    const bool enforce = meter_.mode == CapacityMode::enforce;
    const Access access{&table_, index_, kind_, cost, row_key};
    if (const std::optional<capacity::Limit> limit = resource_->refusal(kRead, place, now)) {
      if (enforce) return false;
      overdraw(access, *limit);
    }
    settle(row_key, cost, now);
    const std::optional<capacity::Limit> reached =
        overdrawn_ ? std::nullopt : resource_->refusal(kRead, place, now);
    if (reached && enforce) {
      resource_->give_back(kRead, cost, place, false, now);
      return false;
    }
    if (reached) overdraw(access, *reached);
  }
  if (engine_.admission.listening()) first_row_ = row_key;
  charged_ = cost;
  return true;
}

// What goes beyond the limit is metered from here on, and charged to nobody.
void PageCharge::overdraw(const Access& access, capacity::Limit limit) {
  overdrawn_ = true;
  resource_->note_throttle(capacity::Direction::read, limit, capacity::Mode::observe, place_of(access.row_key));
  if (engine_.admission.listener() != nullptr) engine_.admission.listener()->throttled(access, limit, false);
}

void PageCharge::settle(std::string_view row_key, HalfUnits cost, capacity::Ticks now) {
  using Outcome = capacity::Resource::Outcome;
  resource_->settle(capacity::Direction::read, cost, place_of(row_key), {},
                    overdrawn_ ? Outcome::overdrawn : Outcome::admitted, now);
}

Result<void> PageCharge::finish(std::string_view start_key, HalfUnits cost) {
  if (!active_) return {};
  if (!refusal_ && charged_ < cost) static_cast<void>(charge(start_key, cost));
  if (refusal_) return tl::unexpected(*refusal_);
  if (engine_.admission.listening()) {
    const Access access{&table_, index_, kind_, cost, first_row_};
    engine_.admission.listener()->accessed({&access, 1});
  }
  return {};
}

void PageCharge::fetched(std::string_view row_key, HalfUnits cost) {
  if (resource_ != nullptr) settle(row_key, cost, engine_.admission.now());
}

}  // namespace stator::engine
