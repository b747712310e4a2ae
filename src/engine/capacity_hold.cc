#include "engine/capacity_hold.h"

#include <algorithm>
#include <utility>

namespace stator::engine {

CapacityHold::CapacityHold(CapacityHold&& other) noexcept
    : engine_(other.engine_),
      table_(other.table_),
      arena_(other.arena_),
      accesses_(std::exchange(other.accesses_, std::span<Access>())),
      charges_(std::exchange(other.charges_, std::span<capacity::Charge>())),
      admitted_(other.admitted_),
      overdrawn_(other.overdrawn_) {}

CapacityHold::~CapacityHold() { give_back(); }

Result<void> CapacityHold::take_read(std::string_view row_key, HalfUnits cost) {
  const Access access{&table_, nullptr, AccessKind::get, cost, row_key};
  return take({&access, 1});
}

Result<void> CapacityHold::take_write(std::string_view row_key, HalfUnits table_cost,
                                      std::span<const IndexCost> index_costs) {
  const Access own{&table_, nullptr, AccessKind::write, table_cost, row_key};
  if (index_costs.empty()) return take({&own, 1});
  const std::span<Access> accesses = arena_.array<Access>(index_costs.size() + 1);
  accesses[0] = own;
  std::size_t count = 1;
  for (const IndexCost& cost : index_costs) {
    if (cost.index->kind == IndexKind::global) {
      accesses[count++] = {&table_, cost.index, AccessKind::write, cost.cost, cost.row_key};
    } else {
      accesses[0].cost += cost.cost;
    }
  }
  return take(accesses.first(count));
}

Result<void> CapacityHold::take(std::span<const Access> accesses) {
  const TableMeter& meter = engine_.admission.meter(table_);
  const bool listening = engine_.admission.listening();
  if (meter.mode == CapacityMode::off && !listening) return {};
  give_back();
  if (listening) accesses_ = arena_.copy(accesses);
  if (meter.mode == CapacityMode::off) return {};
  const std::span<capacity::Charge> charges = arena_.array<capacity::Charge>(accesses.size());
  std::size_t count = 0;
  for (const Access& access : accesses) {
    capacity::Resource* resource = meter.resource(table_, access.index);
    if (resource == nullptr) continue;  // of an index that is gone since the request began
    const bool writes = access.kind == AccessKind::write;
    const KeySchema& key = access.index != nullptr ? access.index->key : table_.key;
    charges[count++] = {resource, writes ? capacity::Direction::write : capacity::Direction::read, access.cost,
                        place_of(access.row_key), writes ? sort_part(key, access.row_key) : std::string_view()};
  }
  charges_ = charges.first(count);
  const capacity::Ticks now = engine_.admission.now();
  if (admitted_) {  // the item has changed since: only what it costs is another
    using Outcome = capacity::Resource::Outcome;
    for (const capacity::Charge& charge : charges_) {
      charge.resource->settle(charge.direction, charge.cost, charge.place, charge.sort_key,
                              overdrawn_ ? Outcome::overdrawn : Outcome::admitted, now);
    }
    return {};
  }
  const capacity::Decision decision = capacity::admit(charges_, meter.model_mode(), now);
  admitted_ = decision.allowed;
  overdrawn_ = decision.throttled;
  if (!decision.throttled) [[likely]]
    return {};
  const auto blamed = std::find_if(accesses.begin(), accesses.end(), [&](const Access& access) {
    return meter.resource(table_, access.index) == decision.resource;
  });
  engine_.admission.report(decision, *blamed);
  if (decision.allowed) return {};
  charges_ = {};
  accesses_ = {};
  return tl::unexpected(Admission::error_of(decision, *blamed));
}

void CapacityHold::keep() {
  charges_ = {};
  if (!accesses_.empty() && engine_.admission.listening()) engine_.admission.listener()->accessed(accesses_);
  accesses_ = {};
}

void CapacityHold::give_back() noexcept {
  if (charges_.empty()) return;
  const capacity::Ticks now = engine_.admission.now();
  for (const capacity::Charge& charge : charges_) {
    charge.resource->give_back(charge.direction, charge.cost, charge.place, overdrawn_, now);
  }
  charges_ = {};
}

}  // namespace stator::engine
