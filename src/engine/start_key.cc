#include "engine/start_key.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/key_check.h"

namespace stator::engine {
namespace {

constexpr std::string_view kInvalid = "The provided starting key is invalid";
constexpr std::string_view kStartKeyMismatch = "The provided key element does not match the schema";

tl::unexpected<Error> wrong_table_key(std::string_view problem) {
  return invalid(fmt::format("{}: {}", kInvalid, problem));
}

std::size_t attribute_count(const ReadTarget& target) {
  const KeySchema& table_key = target.table->key;
  std::size_t count = table_key.partition.size() + table_key.sort.size();
  if (target.index == nullptr) return count;
  for (const auto* part : {&target.index->key.partition, &target.index->key.sort}) {
    count += static_cast<std::size_t>(
        std::count_if(part->begin(), part->end(),
                      [&](const KeyAttribute& key) { return !table_key.contains(key.name); }));
  }
  return count;
}

std::size_t partition_bytes_of(std::span<const item::Value> partition) {
  base::Buffer out;
  append_space(out, 0, 0);
  append_partition(out, partition);
  return out.size();
}

}  // namespace

Result<void> check_start_key_count(const ReadTarget& target, item::Attributes start_key) {
  if (start_key.size() == attribute_count(target)) return {};
  return invalid(std::string(kInvalid));
}

Result<void> check_start_key_part(const std::vector<KeyAttribute>& part,
                                  item::Attributes start_key) {
  for (const KeyAttribute& attribute : part) {
    const item::Value* value = item::find(start_key, attribute.name);
    if (value == nullptr) return invalid(std::string(kInvalid));
    if (!value->is(attribute.type)) return invalid(std::string(kStartKeyMismatch));
  }
  return {};
}

Result<StartKey> resolve_start_key(const ReadTarget& target, item::Attributes start_key,
                                   base::Arena& arena) {
  const Table& table = *target.table;
  const std::optional<KeyValues> key = find_key_values(target.key(), start_key, arena);
  if (!key) return invalid(std::string(kStartKeyMismatch));
  if (target.index == nullptr) {
    TRY_VOID(check_key_sizes(table, *key));
    return StartKey{table_row_key(table, *key, arena), partition_bytes_of(key->partition)};
  }
  const std::optional<KeyValues> table_key = find_key_values(table.key, start_key, arena);
  if (!table_key) return wrong_table_key(kStartKeyMismatch);
  const Result<void> sizes = check_key_sizes(table, *table_key);
  if (!sizes) return wrong_table_key(sizes.error().message);
  return StartKey{index_row_key(table, *target.index, *key, *table_key, arena),
                  partition_bytes_of(key->partition)};
}

Result<void> check_scan_start_key(const ReadTarget& target, item::Attributes start_key) {
  if (target.index == nullptr) return {};
  TRY_VOID(check_start_key_count(target, start_key));
  TRY_VOID(check_start_key_part(target.key().partition, start_key));
  return check_start_key_part(target.key().sort, start_key);
}

Result<StartKey> scan_start_key(const ReadTarget& target, item::Attributes start_key,
                                base::Arena& arena) {
  if (target.index == nullptr) {
    const Result<KeyValues> key = check_key(*target.table, start_key, arena);
    if (!key) return wrong_table_key(key.error().message);
    return StartKey{table_row_key(*target.table, *key, arena), partition_bytes_of(key->partition)};
  }
  return resolve_start_key(target, start_key, arena);
}

}  // namespace stator::engine
