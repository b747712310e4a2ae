#include "capacity/model.h"

namespace stator::capacity {

TableCapacity::TableCapacity(std::string name, const Settings& settings, const Tuning& tuning, Ticks now)
    : name_(std::move(name)), tuning_(tuning), table_(ResourceKind::table, settings, tuning, now) {}

std::shared_ptr<Resource> TableCapacity::index(std::string_view index_name) const {
  const std::scoped_lock lock(mutex_);
  const auto found = indexes_.find(index_name);
  return found == indexes_.end() ? nullptr : found->second;
}

std::shared_ptr<Resource> TableCapacity::add_index(std::string_view index_name, const Settings& settings, Ticks now) {
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<Resource>& index = indexes_[std::string(index_name)];
  if (!index) index = std::make_shared<Resource>(ResourceKind::index, settings, tuning_, now);
  return index;
}

void TableCapacity::remove_index(std::string_view index_name) {
  const std::scoped_lock lock(mutex_);
  const auto found = indexes_.find(index_name);
  if (found != indexes_.end()) indexes_.erase(found);
}

TableCapacity::Snapshot TableCapacity::snapshot(Ticks now, bool with_partitions) const {
  Snapshot result{.table_name = name_, .table = table_.snapshot(now, with_partitions), .indexes = {}};
  const std::scoped_lock lock(mutex_);
  for (const auto& [index_name, index] : indexes_)
    result.indexes.emplace_back(index_name, index->snapshot(now, with_partitions));
  return result;
}

std::shared_ptr<TableCapacity> Model::open(std::uint64_t table_id, std::string_view name, const Settings& settings,
                                           std::int64_t now_us) {
  const Ticks now = ticks(now_us);
  const std::unique_lock lock(mutex_);
  std::shared_ptr<TableCapacity>& table = tables_[table_id];
  if (!table) table = std::make_shared<TableCapacity>(std::string(name), settings, tuning_, now);
  return table;
}

std::shared_ptr<TableCapacity> Model::find(std::uint64_t table_id) const {
  const std::shared_lock lock(mutex_);
  const auto found = tables_.find(table_id);
  return found == tables_.end() ? nullptr : found->second;
}

void Model::drop(std::uint64_t table_id) {
  const std::unique_lock lock(mutex_);
  tables_.erase(table_id);
}

std::optional<TableCapacity::Snapshot> Model::snapshot_from(std::uint64_t& id, std::int64_t now_us) {
  std::shared_ptr<TableCapacity> table;
  {
    const std::shared_lock lock(mutex_);
    const auto found = tables_.lower_bound(id);
    if (found == tables_.end()) return std::nullopt;
    id = found->first;
    table = found->second;
  }
  return table->snapshot(ticks(now_us), false);
}

std::vector<TableCapacity::Snapshot> Model::snapshot(std::int64_t now_us, bool with_partitions) {
  const Ticks now = ticks(now_us);
  std::vector<std::shared_ptr<TableCapacity>> tables;
  {
    const std::shared_lock lock(mutex_);
    for (const auto& [id, table] : tables_) tables.push_back(table);
  }
  std::vector<TableCapacity::Snapshot> result;
  for (const auto& table : tables) result.push_back(table->snapshot(now, with_partitions));
  return result;
}

}  // namespace stator::capacity
