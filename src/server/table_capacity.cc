#include "server/table_capacity.h"

#include "base/sync_wait.h"
#include "engine/update_table.h"

namespace stator::server {
namespace {

// The throughput of the table or index; null where there is no such index.
const engine::Throughput* find_throughput(const engine::Table& table, const std::string& index) {
  if (index.empty()) return &table.throughput;
  const engine::Index* found = table.find_index(index);
  return found != nullptr && found->kind == engine::IndexKind::global ? &found->throughput : nullptr;
}

}  // namespace

Result<std::int64_t> TableCapacity::get(const autoscaling::Resource& resource) {
  TRY(const engine::TablePtr table, engine_.catalog.find(resource.table));
  const engine::Throughput* throughput = find_throughput(*table, resource.index);
  if (throughput == nullptr) return fail(ErrorCode::table_not_found, "there is no such index");
  return resource.write ? throughput->write_units : throughput->read_units;
}

Result<void> TableCapacity::set(const autoscaling::Resource& resource, std::int64_t units) {
  if (units < 1) return fail(ErrorCode::validation, "a table or index has one capacity unit at least");
  TRY(const engine::TablePtr table, engine_.catalog.find(resource.table));
  const engine::Throughput* throughput = find_throughput(*table, resource.index);
  if (throughput == nullptr) return fail(ErrorCode::table_not_found, "there is no such index");
  const engine::ThroughputInput wanted{resource.write ? throughput->read_units : units,
                                       resource.write ? units : throughput->write_units};
  engine::UpdateTableRequest request;
  request.name = resource.table;
  if (resource.index.empty()) {
    request.throughput = wanted;
  } else {
    request.index_updates.push_back({.name = resource.index, .throughput = wanted});
  }
  const Result<engine::TableReport> done = base::sync_wait(engine::update_table(engine_, request));
  if (!done) return tl::unexpected(done.error());
  return {};
}

}  // namespace stator::server
