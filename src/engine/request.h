#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "engine/capacity.h"
#include "expr/expression.h"
#include "item/value.h"
#include "store/store.h"

// Parts that several operations' requests and results share. Requests are views: whoever makes one (the API layer or an
// embedding program) keeps the bytes alive until the result is there. Nothing here knows JSON.
namespace stator::engine {

struct ExpressionParameters {
  std::span<const expr::Name> names;
  item::Attributes values;
  // What is wrong with the maps as they were sent. It is reported here because it comes after other checks of the
  // engine's, such as the size of an item.
  bool names_sent_empty = false;   // {} rather than nothing at all
  bool values_sent_empty = false;
  std::string_view invalid_value = {};  // the whole text about a value that is none
  std::string_view fault_prefix = {};   // in front of every text about the expressions
  expr::Layer layer = expr::Layer::current;  // in whose words the faults of a key condition are told
};

// One expression of a request: its text, which is bound to the request's placeholders, or an expression that the caller
// has bound already, such as one made from the parameters that were there before expressions. May be absent.
template <class Bound>
class ExpressionSource {
 public:
  ExpressionSource() = default;
  template <class Text>
    requires std::convertible_to<Text, std::string_view>
  ExpressionSource(const Text& text) : source_(std::string_view(text)) {}
  ExpressionSource(const std::optional<std::string_view>& text) {
    if (text) source_ = *text;
  }
  ExpressionSource(Bound bound) : source_(std::move(bound)) {}
  ExpressionSource(std::optional<Bound> bound) {
    if (bound) source_ = *std::move(bound);
  }

  [[nodiscard]] explicit operator bool() const { return source_.index() != 0; }
  // Null where it is the other one.
  [[nodiscard]] const std::string_view* text() const { return std::get_if<std::string_view>(&source_); }
  [[nodiscard]] const Bound* bound() const { return std::get_if<Bound>(&source_); }
  void reset() { source_ = std::monostate(); }

 private:
  std::variant<std::monostate, std::string_view, Bound> source_;
};

// The item that a condition was checked against, asked for by ReturnValuesOnConditionCheckFailure, and what the check cost.
struct ConditionFailedDetail final : ErrorDetail {
  std::string item_text;  // wire text; empty where there was no item or it was not asked for
  TablePtr table;         // what was paid by, and how much
  HalfUnits cost = 0;
};

[[nodiscard]] inline Error condition_failed() {
  return {ErrorCode::condition_failed, "The conditional request failed"};
}

// For tables with local indexes: the item collection that a write went to.
struct CollectionMetrics {
  std::string_view partition_key_name;
  std::string_view partition_key_text;  // wire text of the value
  double lower_gb = 0;
  double upper_gb = 1;
};

}  // namespace stator::engine
