#include "engine/page_charge.h"

#include "engine/row_key.h"

namespace stator::engine {

PageCharge::PageCharge(Engine& engine, const Table& table, const Index* index, AccessKind kind, bool consistent,
                       store::Range range)
    : engine_(engine),
      table_(table),
      index_(index != nullptr && index->kind == IndexKind::global ? index : nullptr),
      kind_(kind),
      consistent_(consistent),
      range_(range),
      meter_(engine.admission.meter(table)) {
  if (meter_.mode != CapacityMode::off) resource_ = meter_.resource(table, index_);
  active_ = resource_ != nullptr || engine.admission.listening();
  if (kind != AccessKind::scan) return;
  partition_end_ = end_of_partition(row_hash(range.from));
  // Without a hash it is the end of the table or index.
  if (range.to.size() >= kHashEnd) range_end_ = row_hash(range.to) - 1;
}

// The last hash of the partition that holds one.
std::uint32_t PageCharge::end_of_partition(std::uint32_t hash) const {
  if (resource_ != nullptr) {
    const capacity::Place place = capacity::make_place(std::uint64_t{hash} << 32, 0);
    return static_cast<std::uint32_t>(capacity::key_hash(resource_->partition_of(place).last) >> 32);
  }
  // Nobody counts what partitions do: they are as many as there were at first, all alike.
  const auto count = static_cast<std::uint64_t>(Admission::partitions_at_birth(table_, index_));
  const std::uint64_t next = (hash * count >> 32) + 1;
  return static_cast<std::uint32_t>(((next << 32) + count - 1) / count - 1);
}

void PageCharge::leave_partition() {
  behind_ += read_cost(bytes_, consistent_);
  bytes_ = 0;
  partition_end_ = end_of_partition(partition_end_ + 1);
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

bool PageCharge::whole(std::string_view row_key, std::size_t bytes) {
  const HalfUnits cost = read_cost(bytes, consistent_);
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
  bytes_ = bytes;
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

Result<void> PageCharge::finish(bool complete) {
  if (complete) go_to(range_end_);
  if (!active_) return {};
  if (!refusal_ && charged_ < cost()) static_cast<void>(charge(range_.from, cost()));
  if (refusal_) return tl::unexpected(*refusal_);
  if (engine_.admission.listening()) {
    const Access access{&table_, index_, kind_, cost(), first_row_};
    engine_.admission.listener()->accessed({&access, 1});
  }
  return {};
}

void PageCharge::fetched(std::string_view row_key, HalfUnits cost) {
  if (resource_ != nullptr) settle(row_key, cost, engine_.admission.now());
}

}  // namespace stator::engine
