// Which table or index a Query or Scan reads, and what it may ask of it.

#include <fmt/format.h>

#include <algorithm>

#include "engine/read_page.h"

namespace stator::engine {

bool is_projected(const Index& index, std::string_view name) {
  return index.projection == ProjectionKind::all ||
         std::find(index.projected.begin(), index.projected.end(), name) != index.projected.end();
}

Result<ReadTarget> find_target(const Engine& engine, const PageRequest& request) {
  ReadTarget target;
  TRY(target.table, engine.catalog.find_usable(request.table_name));
  if (request.index_name) {
    target.index = target.table->find_index(*request.index_name);
    if (target.index == nullptr || target.index->state == IndexState::deleting) {
      return invalid(fmt::format("The table does not have the specified index: {}", *request.index_name));
    }
    if (target.index->state == IndexState::creating) {
      return invalid(fmt::format("Cannot read from backfilling global secondary index: {}", *request.index_name));
    }
    if (request.consistent && target.index->kind == IndexKind::global) {
      return invalid("Consistent reads are not supported on global secondary indexes");
    }
  }
  return target;
}

Result<void> check_select(const ReadTarget& target, const PageRequest& request,
                          const BoundExpressions& expressions) {
  const Index* index = target.index;
  if (index == nullptr || index->kind == IndexKind::local || index->projection == ProjectionKind::all) {
    return {};
  }
  if (request.select == Select::all_attributes) {
    return invalid(fmt::format("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
                               "supported for global secondary index {} because its projection type is not ALL",
                               index->name));
  }
  std::vector<std::string_view> missing;
  const auto collect = [&](std::span<const std::string_view> names) {
    for (const std::string_view name : names) {
      if (!is_projected(*index, name)) missing.push_back(name);
    }
  };
  if (expressions.projection) collect(expressions.projection->attribute_names());
  if (missing.empty()) return {};
  return invalid(fmt::format(
      "One or more parameter values were invalid: Global secondary index {} does not project [{}]",
      index->name, fmt::join(missing, ", ")));
}

}  // namespace stator::engine
