#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "expr/bound.h"
#include "expr/edit.h"
#include "expr/expression.h"
#include "item/attribute_finder.h"
#include "item/number.h"
#include "item/size.h"

namespace stator::expr {
namespace {

using item::Type;
using item::Value;

tl::unexpected<Error> wrong_type(MismatchText text = MismatchText::expression) {
  return invalid(text == MismatchText::expression
                     ? "An operand in the update expression has an incorrect data type"
                     : "Type mismatch for attribute to update");
}

// Counts the bytes of the values that an update writes. All of them are in the item afterwards, because no path
// overlaps another one, so their sum is known to be too much before they are all built.
class WrittenBytes {
 public:
  explicit WrittenBytes(std::size_t bytes_max) : bytes_left_(bytes_max) {}

  // Whether values of so many bytes go in beside what was added.
  [[nodiscard]] bool fits(std::size_t bytes) {
    exceeded_ = exceeded_ || bytes > bytes_left_;
    return !exceeded_;
  }
  // The value itself; behind the point where it is too much an empty one of its type, for the checks that follow.
  [[nodiscard]] Value add(const Value& value) {
    const std::size_t bytes = exceeded_ ? 0 : item::value_bytes(value);
    if (fits(bytes)) {
      bytes_left_ -= bytes;
      return value;
    }
    if (value.is(Type::list)) return Value::list({});
    return value.is(Type::map) ? Value::map({}) : value;
  }
  [[nodiscard]] bool exceeded() const { return exceeded_; }

 private:
  std::size_t bytes_left_;
  bool exceeded_ = false;
};

// Reads the item as it was before; every value of an update is computed here before anything is
// changed.
class Reader {
 public:
  // `key`: of an item that does not exist.
  Reader(const item::AttributeFinder& item, item::Attributes key, MismatchText mismatch, std::size_t bytes_max,
         base::Arena& arena)
      : item_(item), key_(key), mismatch_(mismatch), written_(bytes_max), arena_(arena) {}

  [[nodiscard]] std::optional<Value> find(Path path) const;
  [[nodiscard]] Result<Value> compute(const BoundValue& value);
  // The change that the action makes at its path.
  [[nodiscard]] Result<Edit> edit(const BoundAction& action);
  // Whether the values are more than an item can hold.
  [[nodiscard]] bool too_large() const { return written_.exceeded(); }

 private:
  [[nodiscard]] Result<Value> compute_sum(const BoundValue& value);
  [[nodiscard]] Result<void> gather(const BoundValue& value, std::vector<Value>& parts);
  [[nodiscard]] Result<Value> append_lists(std::span<const Value> lists);
  [[nodiscard]] Result<Value> add(const std::optional<Value>& old, const Value& operand);
  [[nodiscard]] Result<std::optional<Value>> erase(const std::optional<Value>& old, const Value& operand);
  [[nodiscard]] Value number(const item::Number& number) const {
    return Value::number(item::format_number(number, arena_));
  }

  const item::AttributeFinder& item_;
  item::Attributes key_;
  MismatchText mismatch_;
  WrittenBytes written_;
  std::unordered_map<const Value*, Value> sorted_operands_;  // of DELETE, which may name one set many times
  base::Arena& arena_;
};

std::optional<Value> Reader::find(Path path) const {
  const auto top = item_.find(path.front().name);
  const Value* found = descend(top ? &*top : item::find(key_, path.front().name), path);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

Result<Value> Reader::compute(const BoundValue& value) {
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
  std::vector<Value> parts;
  TRY_VOID(gather(value, parts));
  return append_lists(parts);
}

// The lists that make up a list_append, also of those inside it: all are joined at once.
Result<void> Reader::gather(const BoundValue& value, std::vector<Value>& parts) {
  if (value.kind == ValueKind::list_append) {
    for (const BoundValue& operand : value.operands) TRY_VOID(gather(operand, parts));
    return {};
  }
  if (value.kind == ValueKind::if_not_exists) {
    const auto found = find(value.path);
    if (!found) return gather(value.operands.front(), parts);
    parts.push_back(*found);
    return {};
  }
  TRY(const Value part, compute(value));
  parts.push_back(part);
  return {};
}

Result<Value> Reader::compute_sum(const BoundValue& value) {
  TRY(const Value first, compute(value.operands[0]));
  TRY(const Value second, compute(value.operands[1]));
  if (!first.is(Type::number) || !second.is(Type::number)) return wrong_type();
  const item::Number a = item::number_of(first.text());
  const item::Number b = item::number_of(second.text());
  TRY(const item::Number sum,
      value.kind == ValueKind::plus ? item::add(a, b) : item::subtract(a, b));
  return number(sum);
}

Result<Value> Reader::append_lists(std::span<const Value> lists) {
  const std::size_t empty_bytes = item::value_bytes(Value::list({}));
  std::size_t count = 0;
  std::size_t bytes = empty_bytes;
  for (const Value& list : lists) {
    if (!list.is(Type::list)) return wrong_type();
    count += list.elements().size();
    if (written_.fits(bytes)) bytes += item::value_bytes(list) - empty_bytes;
  }
  if (!written_.fits(bytes)) return Value::list({});
  const auto joined = make_array<Value>(arena_, count);
  auto to = joined.begin();
  for (const Value& list : lists) to = std::copy(list.elements().begin(), list.elements().end(), to);
  return Value::list(joined);
}

// Whether a sorted set has a member. Small sets stay in the order in which they were given.
bool has_member(const Value& set, const Value& member) {
  const auto members = set.elements();
  if (set.is_sorted()) return std::ranges::binary_search(members, member.text(), {}, &Value::text);
  return std::ranges::find(members, member.text(), &Value::text) != members.end();
}

Result<Value> Reader::add(const std::optional<Value>& old, const Value& operand) {
  if (!old) return operand;
  if (old->type() != operand.type()) return wrong_type(mismatch_);
  if (operand.is(Type::number)) {
    TRY(const item::Number sum,
        item::add(item::number_of(old->text()), item::number_of(operand.text())));
    return number(sum);
  }
  if (operand.is(Type::list)) return append_lists(std::array{*old, operand});
  if (written_.exceeded() || !written_.fits(item::value_bytes(operand))) return operand;
  const auto before = old->elements();
  const Value known = item::sorted(*old, arena_);
  const auto members = make_array<Value>(arena_, before.size() + operand.elements().size());
  std::copy(before.begin(), before.end(), members.begin());
  std::size_t count = before.size();
  for (const Value& member : operand.elements()) {
    if (!has_member(known, member)) members[count++] = member;
  }
  return Value::set(operand.type(), members.first(count));
}

// A set that loses its last member goes away.
Result<std::optional<Value>> Reader::erase(const std::optional<Value>& old, const Value& operand) {
  if (!old) return std::nullopt;
  if (old->type() != operand.type()) return wrong_type(mismatch_);
  Value& known = sorted_operands_[operand.elements().data()];
  if (known.is(Type::null)) known = item::sorted(operand, arena_);
  const auto left = make_array<Value>(arena_, old->elements().size());
  const auto end =
      std::copy_if(old->elements().begin(), old->elements().end(), left.begin(),
                   [&](const Value& member) { return !has_member(known, member); });
  if (end == left.begin()) return std::nullopt;
  return Value::set(operand.type(), left.first(static_cast<std::size_t>(end - left.begin())));
}

Result<Edit> Reader::edit(const BoundAction& action) {
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
  if (edit.value) edit.value = written_.add(*edit.value);
  return edit;
}

}  // namespace

Result<UpdateChanges> Update::apply(const item::StoredItem* item, std::size_t bytes_max, base::Arena& arena,
                                    item::Attributes key) const {
  const item::AttributeFinder finder(item, bound_->actions.size(), arena);
  Reader reader(finder, item == nullptr ? key : item::Attributes(), bound_->mismatch, bytes_max, arena);
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
    AttributeChange change{name, finder.find(name), std::nullopt};
    // What is taken away below an attribute of no item at all is simply not there.
    const bool removes =
        std::none_of(mine.begin(), mine.end(), [](const Edit& e) { return e.value.has_value(); });
    if (item == nullptr && removes) continue;
    TRY(change.after, apply_edits(change.before, mine, 1, arena));
    const bool same = change.before && change.after ? item::equal(*change.before, *change.after)
                                                    : !change.before && !change.after;
    if (!same) changes[count++] = change;
  }
  return UpdateChanges{changes.first(count), reader.too_large()};
}

}  // namespace stator::expr
