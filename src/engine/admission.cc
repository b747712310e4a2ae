#include "engine/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/catalog.h"
#include "engine/row_key.h"
#include "item/key_encoding.h"

namespace stator::engine {
namespace {

capacity::Throughput units_of(const UnitPair& pair) {
  // -1 takes a maximum away.
  return {.read = std::max<std::int64_t>(pair.read_units.value_or(0), 0),
          .write = std::max<std::int64_t>(pair.write_units.value_or(0), 0)};
}

capacity::Settings settings_of(const Table& table, const Throughput& throughput, const UnitPair& on_demand,
                               const UnitPair& warm) {
  return {.billing = table.billing == BillingMode::on_demand ? capacity::BillingMode::on_demand
                                                             : capacity::BillingMode::provisioned,
          .provisioned = {.read = throughput.read_units, .write = throughput.write_units},
          .max_on_demand = units_of(on_demand),
          .warm = units_of(warm),
          .has_local_indexes = table.has_local_indexes()};
}

capacity::Settings settings_of(const Table& table) {
  return settings_of(table, table.throughput, table.on_demand, table.warm);
}

capacity::Settings settings_of(const Table& table, const Index& index) {
  capacity::Settings settings = settings_of(table, index.throughput, index.on_demand, index.warm);
  settings.has_local_indexes = false;
  return settings;
}

}  // namespace

std::optional<CapacityMode> find_capacity_mode(std::string_view name) {
  if (name == "off") return CapacityMode::off;
  if (name == "observe") return CapacityMode::observe;
  if (name == "enforce") return CapacityMode::enforce;
  return std::nullopt;
}

std::uint32_t row_hash(std::string_view row_key) noexcept {
  std::uint32_t hash = 0;
  for (std::size_t i = kSpaceBytes; i < kHashEnd; ++i) hash = hash << 8 | static_cast<unsigned char>(row_key[i]);
  return hash;
}

capacity::Place place_of(std::string_view row_key) noexcept {
  if (row_key.size() < kHashEnd) return 0;
  // 32 bits tell keys apart well enough: two that share them count as one key among the hot ones.
  const std::uint64_t item = item::partition_hash(row_key.substr(kHashEnd));
  return capacity::make_place(std::uint64_t{row_hash(row_key)} << 32, item << 32);
}

std::string_view sort_part(const KeySchema& key, std::string_view row_key) noexcept {
  if (key.sort.empty() || row_key.size() < kHashEnd) return {};
  std::string_view rest = row_key.substr(kHashEnd);
  for (const KeyAttribute& attribute : key.partition) item::skip_key_part(rest, attribute.type);
  return rest;
}

CapacityMode Admission::mode(const Table& table) const {
  for (const auto& [name, value] : table.tags) {
    if (name == kCapacityTag) return find_capacity_mode(value).value_or(options_.mode);
  }
  return options_.mode;
}

capacity::Throughput Admission::warm(const Table& table, const Index* index) const {
  const std::shared_ptr<capacity::TableCapacity> metered = model_.find(table.id);
  if (metered && index == nullptr) return metered->table().warm();
  if (const std::shared_ptr<capacity::Resource> of_index = metered ? metered->index(index->name) : nullptr) {
    return of_index->warm();
  }
  const capacity::Settings settings = index == nullptr ? settings_of(table) : settings_of(table, *index);
  const bool on_demand = settings.billing == capacity::BillingMode::on_demand;
  const capacity::Throughput own = on_demand ? capacity::kOnDemandAtBirth : settings.provisioned;
  return {.read = std::max(own.read, settings.warm.read), .write = std::max(own.write, settings.warm.write)};
}

int Admission::partitions_at_birth(const Table& table, const Index* index) {
  return capacity::partitions_at_birth(index == nullptr ? settings_of(table) : settings_of(table, *index), {});
}

const TableMeter& Admission::make_meter(const Table& table) {
  const std::scoped_lock lock(mutex_);
  if (const TableMeter* made = table.meter.get()) return *made;
  auto meter = std::make_shared<TableMeter>();
  meter->mode = mode(table);
  if (meter->mode != CapacityMode::off) {
    meter->capacity = model_.open(table.id, table.name, settings_of(table), now_us());
    apply(table, *meter->capacity);
    for (const Index& index : table.indexes) {
      meter->indexes.push_back(index.kind == IndexKind::global ? meter->capacity->index(index.name) : nullptr);
    }
  }
  table.meter.set(meter);
  return *meter;
}

void Admission::apply(const Table& table, capacity::TableCapacity& capacity) {
  Applied& applied = applied_[table.id];
  // A request may still be under way with an older version of the table.
  if (table.revision <= applied.revision) return;
  const capacity::Ticks time = now();
  if (applied.revision >= 0) capacity.table().apply(settings_of(table), time);
  for (const std::string& name : applied.indexes) {
    if (table.find_index(name) == nullptr) capacity.remove_index(name);
  }
  applied.indexes.clear();
  for (const Index& index : table.indexes) {
    if (index.kind != IndexKind::global) continue;
    const capacity::Settings settings = settings_of(table, index);
    capacity.add_index(index.name, settings, time)->apply(settings, time);
    applied.indexes.push_back(index.name);
  }
  applied.revision = table.revision;
}

void Admission::forget_dropped(const Catalog& catalog) {
  const std::scoped_lock lock(mutex_);
  // Read under the lock: whatever was metered before is in it, if it is still there.
  const std::shared_ptr<const Catalog::Tables> tables = catalog.tables();
  std::set<TableId> there;
  for (const auto& [name, table] : *tables) there.insert(table->id);
  std::erase_if(applied_, [&](const auto& entry) {
    if (there.contains(entry.first)) return false;
    model_.drop(entry.first);
    return true;
  });
}

Result<void> Admission::admit_metered(const TableMeter& meter, const Access& access) {
  if (meter.mode != CapacityMode::off) {
    const capacity::Charge charge{&meter.capacity->table(), capacity::Direction::read, access.cost,
                                  place_of(access.row_key), {}};
    const capacity::Decision decision = capacity::admit({&charge, 1}, meter.model_mode(), now());
    if (decision.throttled) [[unlikely]] {
      report(decision, access);
      if (!decision.allowed) return tl::unexpected(error_of(decision, access));
    }
  }
  if (listening()) listener_->accessed({&access, 1});
  return {};
}

void Admission::report(const capacity::Decision& decision, const Access& access) {
  if (listener_ != nullptr) listener_->throttled(access, decision.reason.limit, !decision.allowed);
}

Error Admission::error_of(const capacity::Decision& decision, const Access& access) {
  const std::string_view index = access.index != nullptr ? std::string_view(access.index->name) : std::string_view();
  return capacity::throttle_error(decision, fmt::format("table/{}", access.table->name), index);
}

}  // namespace stator::engine
