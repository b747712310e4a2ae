#include "metrics/recorder.h"

#include <algorithm>

namespace stator::metrics {
namespace {

struct Remembered {
  std::uint64_t hub = 0;
  Recorder* recorder = nullptr;
};
thread_local Remembered remembered;

}  // namespace

Recorder& Hub::local() {
  if (remembered.hub == identity_) return *remembered.recorder;
  return add_local();
}

Recorder& Hub::add_local() {
  const std::lock_guard lock(mutex_);
  recorders_.push_back(std::make_unique<Recorder>());
  remembered = {identity_, recorders_.back().get()};
  return *recorders_.back();
}

TableCounters& Recorder::table(TableRef table) {
  const auto found = tables_.find(table.id);
  if (found != tables_.end()) return *found->second;
  const std::lock_guard lock(shape_);
  if (sweep_) free_idle();
  auto counters = std::make_unique<TableCounters>();
  counters->table_id = table.id;
  counters->name = table.name;
  return *tables_.emplace(table.id, std::move(counters)).first->second;
}

// Tables that were dropped, or that nobody uses. One that is used again, or that a request under way holds, stays until the next time.
void Recorder::free_idle() {
  std::erase_if(tables_, [](const auto& entry) {
    const TableCounters& table = *entry.second;
    return table.idle && table.holders == 0 && !table.pending();
  });
  sweep_ = false;
}

CapacityCounters& Recorder::index_of(TableCounters& table, IndexRef index) {
  for (const auto& known : table.indexes) {
    if (known->id == index.id) return known->counters;
  }
  auto added = std::make_unique<TableCounters::OfIndex>();
  added->id = index.id;
  added->name = index.name;
  const std::lock_guard lock(shape_);
  table.indexes.push_back(std::move(added));
  return table.indexes.back()->counters;
}

OperationCounters& Recorder::operation(TableCounters& table, Operation operation) {
  std::unique_ptr<OperationCounters>& slot = table.operations[static_cast<std::size_t>(operation)];
  if (!slot) {
    auto made = std::make_unique<OperationCounters>();
    const std::lock_guard lock(shape_);
    slot = std::move(made);
  }
  return *slot;
}

StreamCounters& Recorder::stream(TableCounters& table, std::string_view label) {
  for (const auto& known : table.streams) {
    if (known->label == label) return *known;
  }
  auto added = std::make_unique<StreamCounters>();
  added->label = label;
  const std::lock_guard lock(shape_);
  table.streams.push_back(std::move(added));
  return *table.streams.back();
}

}  // namespace stator::metrics
