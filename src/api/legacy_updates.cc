#include "api/legacy_updates.h"

#include <fmt/format.h>

#include "api/parameters.h"
#include "engine/table.h"
#include "expr/bound.h"
#include "item/size.h"

namespace stator::api {
namespace {

using expr::UpdateKind;
using item::Type;

UpdateKind kind_of(const LegacyUpdate& update) {
  if (update.action == "ADD") return UpdateKind::add;
  if (update.action != "DELETE") return UpdateKind::set;  // PUT, which is what no action means
  return update.value ? UpdateKind::erase : UpdateKind::remove;
}

Result<void> check_update(const LegacyUpdate& update) {
  if (update.attribute.empty()) return invalid(std::string(kEmptyAttributeName));
  if (update.is_null) {
    return invalid(
        fmt::format("Supplied AttributeValueUpdate is empty, must contain one of the supported "
                    "actions: {} is null",
                    update.attribute));
  }
  if (update.invalid) return invalid(*update.invalid);
  const UpdateKind kind = kind_of(update);
  if (kind == UpdateKind::remove) return {};
  if (!update.value) {
    return invalid(
        "One or more parameter values were invalid: Only DELETE action is allowed when no "
        "attribute value is specified");
  }
  const Type type = update.value->type();
  if (kind == UpdateKind::erase && !item::is_set(type)) {
    return invalid(
        fmt::format("One or more parameter values were invalid: DELETE action with value is not "
                    "supported for the type {}",
                    item::type_name(type)));
  }
  const bool can_add = type == Type::number || type == Type::list || item::is_set(type);
  if (kind == UpdateKind::add && !can_add) {
    return invalid(fmt::format(
        "One or more parameter values were invalid: ADD action is not supported for the type {}",
        item::type_name(type)));
  }
  return {};
}

}  // namespace

Result<std::optional<expr::Update>> attribute_updates(const LegacyUpdates& updates,
                                                      base::Arena& arena) {
  if (updates.empty()) return std::nullopt;
  const auto actions = expr::make_array<expr::BoundAction>(arena, updates.size());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const LegacyUpdate& update = updates[i];
    TRY_VOID(check_update(update));
    actions[i].kind = kind_of(update);
    actions[i].path = {arena.make<expr::PathStep>(update.attribute), 1};
    if (!update.value) continue;
    actions[i].value.value = *update.value;
    if (actions[i].kind == UpdateKind::erase) continue;
    bytes += update.attribute.size() + item::value_bytes(*update.value);
    if (bytes > engine::kItemBytesMax) {
      return invalid("Item size to update has exceeded the maximum allowed size");
    }
  }
  return expr::Update::from_bound(
      arena.make<expr::BoundUpdate>(actions, expr::MismatchText::attribute_updates), arena);
}

}  // namespace stator::api
