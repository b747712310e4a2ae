#include "engine/update_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/key_check.h"
#include "engine/key_paths.h"
#include "expr/bound.h"

namespace stator::engine {
namespace {

// The type of what an expression gives, where that does not depend on the item.
std::optional<item::Type> type_of(const expr::BoundValue& value) {
  switch (value.kind) {
    case expr::ValueKind::path:
      return std::nullopt;
    case expr::ValueKind::value:
      return value.value.type();
    case expr::ValueKind::plus:
    case expr::ValueKind::minus:
      return item::Type::number;
    case expr::ValueKind::if_not_exists:
      return type_of(value.operands.front());
    case expr::ValueKind::list_append:
      return item::Type::list;
  }
  return std::nullopt;
}

// Of an action that writes the whole attribute.
std::optional<item::Type> written_type(const expr::Update& update, std::string_view name) {
  for (const expr::BoundAction& action : update.bound().actions) {
    const bool writes = action.kind != expr::UpdateKind::remove && action.path.size() == 1;
    if (writes && action.path.front().name == name) return type_of(action.value);
  }
  return std::nullopt;
}

Result<void> check_keys_untouched(const Table& table, const expr::Update& update) {
  const std::span<const std::string_view> names = update.targets().attribute_names();
  for (const auto* part : {&table.key.partition, &table.key.sort}) {
    for (const KeyAttribute& attribute : *part) {
      if (std::find(names.begin(), names.end(), attribute.name) == names.end()) continue;
      return invalid(fmt::format(
          "One or more parameter values were invalid: Cannot update attribute {}. This attribute is part of the key",
          attribute.name));
    }
  }
  return {};
}

Result<void> check_index_key_types(const Table& table, const expr::Update& update) {
  for (const std::uint8_t position : table.index_check_order) {
    const Index& index = table.indexes[position];
    for (const auto* part : {&index.key.partition, &index.key.sort}) {
      for (const KeyAttribute& attribute : *part) {
        const std::optional<item::Type> type = written_type(update, attribute.name);
        if (type) TRY_VOID(check_index_key_type(index, attribute, *type));
      }
    }
  }
  return {};
}

}  // namespace

Result<void> check_update(const Table& table, const expr::Update& update) {
  TRY_VOID(check_keys_untouched(table, update));
  TRY_VOID(check_index_key_types(table, update));
  return check_key_paths(table, update);
}

}  // namespace stator::engine
