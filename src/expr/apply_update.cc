#include <algorithm>
#include <optional>

#include "expr/bound.h"
#include "expr/edit.h"
#include "expr/expression.h"
#include "item/attribute_finder.h"
#include "item/number.h"

namespace stator::expr {
namespace {

using item::Type;
using item::Value;

tl::unexpected<Error> wrong_type(MismatchText text = MismatchText::expression) {
  return invalid(text == MismatchText::expression
                     ? "An operand in the update expression has an incorrect data type"
                     : "Type mismatch for attribute to update");
}

// Reads the item as it was before; every value of an update is computed here before anything is
// changed.
class Reader {
 public:
  // `key`: of an item that does not exist.
  Reader(const item::AttributeFinder& item, item::Attributes key, MismatchText mismatch, base::Arena& arena)
      : item_(item), key_(key), mismatch_(mismatch), arena_(arena) {}

  [[nodiscard]] std::optional<Value> find(Path path) const;
  [[nodiscard]] Result<Value> compute(const BoundValue& value) const;
  // The change that the action makes at its path.
  [[nodiscard]] Result<Edit> edit(const BoundAction& action) const;

 private:
  [[nodiscard]] Result<Value> compute_sum(const BoundValue& value) const;
  [[nodiscard]] Result<Value> append_lists(const Value& first, const Value& second) const;
  [[nodiscard]] Result<Value> add(const std::optional<Value>& old, const Value& operand) const;
  [[nodiscard]] Result<std::optional<Value>> erase(const std::optional<Value>& old,
                                                   const Value& operand) const;
  [[nodiscard]] Value number(const item::Number& number) const {
    return Value::number(item::format_number(number, arena_));
  }

  const item::AttributeFinder& item_;
  item::Attributes key_;
  MismatchText mismatch_;
  base::Arena& arena_;
};

std::optional<Value> Reader::find(Path path) const {
  const auto top = item_.find(path.front().name, arena_);
  const Value* found = descend(top ? &*top : item::find(key_, path.front().name), path);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

Result<Value> Reader::compute(const BoundValue& value) const {
  switch (value.kind) {
    case ValueKind::value:
      return value.value;
    case ValueKind::path: {
      const auto found = find(value.path);
      if (!found)
        return invalid(
            "The provided expression refers to an attribute that does not exist in the item");
      return *found;
    }
    case ValueKind::if_not_exists: {
      if (const auto found = find(value.path)) return *found;
      return compute(value.operands.front());
    }
    case ValueKind::plus:
    case ValueKind::minus:
      return compute_sum(value);
    case ValueKind::list_append:
      break;
  }
  TRY(const Value first, compute(value.operands[0]));
  TRY(const Value second, compute(value.operands[1]));
  return append_lists(first, second);
}

Result<Value> Reader::compute_sum(const BoundValue& value) const {
  TRY(const Value first, compute(value.operands[0]));
  TRY(const Value second, compute(value.operands[1]));
  if (!first.is(Type::number) || !second.is(Type::number)) return wrong_type();
  const item::Number a = item::number_of(first.text());
  const item::Number b = item::number_of(second.text());
  TRY(const item::Number sum,
      value.kind == ValueKind::plus ? item::add(a, b) : item::subtract(a, b));
  return number(sum);
}

Result<Value> Reader::append_lists(const Value& first, const Value& second) const {
  if (!first.is(Type::list) || !second.is(Type::list)) return wrong_type();
  const auto joined = make_array<Value>(arena_, first.elements().size() + second.elements().size());
  const auto middle = std::copy(first.elements().begin(), first.elements().end(), joined.begin());
  std::copy(second.elements().begin(), second.elements().end(), middle);
  return Value::list(joined);
}

bool has_member(std::span<const Value> members, const Value& member) {
  return std::any_of(members.begin(), members.end(),
                     [&](const Value& each) { return item::equal(each, member); });
}

Result<Value> Reader::add(const std::optional<Value>& old, const Value& operand) const {
  if (!old) return operand;
  if (old->type() != operand.type()) return wrong_type(mismatch_);
  if (operand.is(Type::number)) {
    TRY(const item::Number sum,
        item::add(item::number_of(old->text()), item::number_of(operand.text())));
    return number(sum);
  }
  if (operand.is(Type::list)) return append_lists(*old, operand);
  const auto before = old->elements();
  const auto members = make_array<Value>(arena_, before.size() + operand.elements().size());
  std::copy(before.begin(), before.end(), members.begin());
  std::size_t count = before.size();
  for (const Value& member : operand.elements()) {
    if (!has_member(before, member)) members[count++] = member;
  }
  return Value::set(operand.type(), members.first(count));
}

// A set that loses its last member goes away.
Result<std::optional<Value>> Reader::erase(const std::optional<Value>& old,
                                           const Value& operand) const {
  if (!old) return std::nullopt;
  if (old->type() != operand.type()) return wrong_type(mismatch_);
  const auto left = make_array<Value>(arena_, old->elements().size());
  const auto end =
      std::copy_if(old->elements().begin(), old->elements().end(), left.begin(),
                   [&](const Value& member) { return !has_member(operand.elements(), member); });
  if (end == left.begin()) return std::nullopt;
  return Value::set(operand.type(), left.first(static_cast<std::size_t>(end - left.begin())));
}

Result<Edit> Reader::edit(const BoundAction& action) const {
  Edit edit{action.path, std::nullopt};
  switch (action.kind) {
    case UpdateKind::remove:
      break;
    case UpdateKind::set: {
      TRY(edit.value, compute(action.value));
      break;
    }
    case UpdateKind::add: {
      TRY(edit.value, add(find(action.path), action.value.value));
      break;
    }
    case UpdateKind::erase: {
      TRY(edit.value, erase(find(action.path), action.value.value));
      break;
    }
  }
  return edit;
}

}  // namespace

Result<std::span<const AttributeChange>> Update::apply(const item::StoredItem* item, base::Arena& arena,
                                                       item::Attributes key) const {
  const item::AttributeFinder finder(item, bound_->actions.size(), arena);
  const Reader reader(finder, item == nullptr ? key : item::Attributes(), bound_->mismatch, arena);
  const auto edits = make_array<Edit>(arena, bound_->actions.size());
  for (std::size_t i = 0; i < edits.size(); ++i) {
    TRY(edits[i], reader.edit(bound_->actions[i]));
  }
  const auto names = targets_.attribute_names();
  const auto changes = make_array<AttributeChange>(arena, names.size());
  // Mostly every edit is of an attribute of its own; the names are then in the order of the edits.
  const bool one_each = names.size() == edits.size();
  const auto of_name = make_array<Edit>(arena, one_each ? 0 : edits.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    const auto select = [&] {
      const auto end =
          std::copy_if(edits.begin(), edits.end(), of_name.begin(),
                       [&](const Edit& edit) { return edit.path.front().name == name; });
      return of_name.first(static_cast<std::size_t>(end - of_name.begin()));
    };
    const std::span<const Edit> mine = one_each ? edits.subspan(i, 1) : select();
    AttributeChange change{name, finder.find(name, arena), std::nullopt};
    // What is taken away below an attribute of no item at all is simply not there.
    const bool removes =
        std::none_of(mine.begin(), mine.end(), [](const Edit& e) { return e.value.has_value(); });
    if (item == nullptr && removes) continue;
    TRY(change.after, apply_edits(change.before, mine, 1, arena));
    const bool same = change.before && change.after ? item::equal(*change.before, *change.after)
                                                    : !change.before && !change.after;
    if (!same) changes[count++] = change;
  }
  return std::span<const AttributeChange>(changes.first(count));
}

}  // namespace stator::expr
