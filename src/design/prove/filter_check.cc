#include "design/prove/filter_check.h"

#include <fmt/format.h>

#include <optional>

#include "expr/parser.h"
#include "item/number.h"

namespace stator::design {

namespace {

using expr::Function;
using expr::Node;
using expr::NodeKind;

struct Operand {
  AttributeType type = AttributeType::string;
  std::string text;
  bool typed = true;  // false: a parameter, which takes the other side's type
};

class Evaluation {
 public:
  Evaluation(const GeneratedItem& item, const FieldValues& parameters) : item_(item), parameters_(parameters) {}

  bool holds(const Node& node) const {
    switch (node.kind) {
      case NodeKind::logical_and:
        return holds(node.children[0]) && holds(node.children[1]);
      case NodeKind::logical_or:
        return holds(node.children[0]) || holds(node.children[1]);
      case NodeKind::logical_not:
        return !holds(node.children[0]);
      case NodeKind::comparison:
        return compares(node.comparator, operand(node.children[0]), operand(node.children[1]));
      case NodeKind::between:
        return compares(expr::Comparator::greater_or_equal, operand(node.children[0]), operand(node.children[1])) &&
               compares(expr::Comparator::less_or_equal, operand(node.children[0]), operand(node.children[2]));
      case NodeKind::in:
        for (std::size_t at = 1; at < node.children.size(); ++at)
          if (compares(expr::Comparator::equal, operand(node.children[0]), operand(node.children[at]))) return true;
        return false;
      case NodeKind::call:
        return calls(node);
      default:
        return false;
    }
  }

 private:
  std::optional<Operand> operand(const Node& node) const {
    if (node.kind == NodeKind::value) {
      const auto found = parameters_.find(node.text.substr(1));
      if (found == parameters_.end()) return std::nullopt;
      return Operand{AttributeType::string, found->second, false};
    }
    if (node.kind == NodeKind::path) {
      const GeneratedAttribute* attribute = item_.attribute(node.path.front().text);
      if (attribute == nullptr) return std::nullopt;
      return Operand{attribute->type, attribute->text, true};
    }
    if (node.kind == NodeKind::call && node.function == Function::size) {
      const GeneratedAttribute* attribute = item_.attribute(node.children[0].path.front().text);
      if (attribute == nullptr) return std::nullopt;
      return Operand{AttributeType::number, fmt::format("{}", attribute->text.size()), true};
    }
    return std::nullopt;
  }

  static bool compares(expr::Comparator comparator, const std::optional<Operand>& left,
                       const std::optional<Operand>& right) {
    if (!left || !right) return comparator == expr::Comparator::not_equal;
    const int order = compare_values(left->typed ? left->type : right->type, left->text, right->text);
    switch (comparator) {
      case expr::Comparator::equal:
        return order == 0;
      case expr::Comparator::not_equal:
        return order != 0;
      case expr::Comparator::less:
        return order < 0;
      case expr::Comparator::less_or_equal:
        return order <= 0;
      case expr::Comparator::greater:
        return order > 0;
      case expr::Comparator::greater_or_equal:
        break;
    }
    return order >= 0;
  }

  bool calls(const Node& node) const {
    const auto first = operand(node.children[0]);
    switch (node.function) {
      case Function::attribute_exists:
        return first.has_value();
      case Function::attribute_not_exists:
        return !first.has_value();
      case Function::begins_with: {
        const auto prefix = operand(node.children[1]);
        return first && prefix && first->text.starts_with(prefix->text);
      }
      case Function::contains: {
        const auto part = operand(node.children[1]);
        return first && part && first->text.find(part->text) != std::string::npos;
      }
      default:
        return false;
    }
  }

  const GeneratedItem& item_;
  const FieldValues& parameters_;
};

bool is_known(const Node& node) {
  if (node.kind == NodeKind::path && (node.path.size() != 1 || node.path.front().kind != expr::PathElement::Kind::name))
    return false;
  if (node.kind == NodeKind::plus || node.kind == NodeKind::minus) return false;
  if (node.kind == NodeKind::call && node.function != Function::attribute_exists &&
      node.function != Function::attribute_not_exists && node.function != Function::begins_with &&
      node.function != Function::contains && node.function != Function::size) {
    return false;
  }
  for (const Node& child : node.children)
    if (!is_known(child)) return false;
  return true;
}

}  // namespace

Result<FilterCheck> FilterCheck::create(const Filter& filter) {
  auto parsed = std::make_shared<Parsed>();
  parsed->text = filter.text;
  expr::Parser parser(parsed->text);
  if (!parser.parse_condition(parsed->root)) return invalid(parser.error());
  if (!is_known(parsed->root)) {
    return invalid(fmt::format("the filter \"{}\" has parts that a proof cannot compute (nested paths, attribute_type)",
                               filter.text));
  }
  FilterCheck check;
  check.parsed_ = std::move(parsed);
  return check;
}

bool FilterCheck::keeps(const GeneratedItem& item, const FieldValues& parameters) const {
  return Evaluation(item, parameters).holds(parsed_->root);
}

int compare_values(AttributeType type, const std::string& a, const std::string& b) {
  if (type == AttributeType::number) {
    const auto left = item::parse_number(a);
    const auto right = item::parse_number(b);
    if (left && right) return item::compare(*left, *right);
  }
  return a.compare(b);
}

}  // namespace stator::design
