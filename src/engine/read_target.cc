// Which table or index a Query or Scan reads, and what it may ask of it.

#include <fmt/format.h>

#include <algorithm>

#include "engine/key_check.h"
#include "engine/read_page.h"

namespace stator::engine {
namespace {

bool is_projected(const Index& index, std::string_view name) {
  return index.projection == ProjectionKind::all ||
         std::find(index.projected.begin(), index.projected.end(), name) != index.projected.end();
}

}  // namespace

Result<ReadTarget> find_target(const Engine& engine, const PageRequest& request) {
  ReadTarget target;
  TRY(target.table, engine.catalog.find_usable(request.table_name));
  if (request.index_name) {
    target.index = target.table->find_index(*request.index_name);
    if (target.index == nullptr) {
      return invalid(fmt::format("The table does not have the specified index: {}", *request.index_name));
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

Result<std::string_view> start_row_key(const ReadTarget& target, item::Attributes start_key, bool is_scan,
                                       base::Arena& arena) {
  constexpr std::string_view kInvalid = "The provided starting key is invalid";
  constexpr std::string_view kMismatch =
      "The provided starting key is invalid: The provided key element does not match the schema";
  const Table& table = *target.table;
  std::size_t expected = table.key.partition.size() + table.key.sort.size();
  if (target.index != nullptr) {
    for (const auto* part : {&target.index->key.partition, &target.index->key.sort}) {
      expected += static_cast<std::size_t>(std::count_if(
          part->begin(), part->end(), [&](const KeyAttribute& key) { return !table.key.contains(key.name); }));
    }
  }
  if (start_key.size() != expected) {
    return invalid(std::string(is_scan && target.index == nullptr ? kMismatch : kInvalid));
  }
  const std::optional<KeyValues> table_key = find_key_values(table.key, start_key, arena);
  if (!table_key) return invalid(std::string(kMismatch));
  const Result<void> sizes = check_key_sizes(table, *table_key);
  if (!sizes) return invalid(fmt::format("{}: {}", kInvalid, sizes.error().message));
  if (target.index == nullptr) return table_row_key(table, *table_key, arena);
  const std::optional<KeyValues> index_key = find_key_values(target.index->key, start_key, arena);
  if (!index_key) return invalid(std::string(is_scan ? kInvalid : kMismatch));
  return index_row_key(table, *target.index, *index_key, *table_key, arena);
}

}  // namespace stator::engine
