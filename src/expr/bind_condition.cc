#include <fmt/core.h>

#include <map>

#include "expr/binder.h"
#include "expr/cache.h"
#include "expr/condition_index.h"
#include "item/base64.h"

namespace stator::expr {
namespace {

constexpr std::size_t kInOperandsMax = 100;

// Everything a path can hold, as the service lists it when attribute_type gets a path for its
// second operand.
constexpr std::string_view kEveryType =
    "{S,SS,N,NS,B,BS,BOOL,NULL,L,M,HD,DOUBLE,FLOAT,HDS,FS,DOUBLESET,DICT,DECIMAL,INT,DECIMALSET,"
    "INTSET}";

std::size_t operand_count(Function function) {
  switch (function) {
    case Function::attribute_exists:
    case Function::attribute_not_exists:
    case Function::size:
      return 1;
    default:
      return 2;
  }
}

// The type that an operand has whatever the item holds.
std::optional<item::Type> static_type(const BoundOperand& operand) {
  if (operand.kind == OperandKind::value) return operand.value.type();
  if (operand.kind == OperandKind::size) return item::Type::number;
  return std::nullopt;
}

bool is_ordered(item::Type type) { return type <= item::Type::binary; }

std::string literal_text(const item::Value& value) {
  base::Buffer text;
  if (value.is(item::Type::binary)) {
    item::append_base64(text, value.text());
  } else {
    text.append(value.text());
  }
  return fmt::format("AttributeValue: {{{}:{}}}", item::type_name(value.type()), text.view());
}

class ConditionBinder {
 public:
  explicit ConditionBinder(Placeholders& placeholders) : binder_(placeholders) {}

  // False after the first problem.
  bool bind(const Node& node, BoundNode& out);
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  bool bind_children(const Node& node, BoundNode& out);
  bool bind_leaf(const Node& node, BoundNode& out);
  BoundOperand bind_operand(const Node& node);
  item::Value sorted(const item::Value& value);
  bool check_counts(const Node& node);
  bool check_distinct(const Node& node, std::span<const BoundOperand> operands);
  bool check_size(const BoundOperand& operand);
  bool check_types(const Node& node, BoundNode& out);
  bool check_order(std::string_view name, std::span<const BoundOperand> operands);
  bool check_between(std::span<const BoundOperand> operands);
  bool check_call(const Node& node, BoundNode& out);
  bool check_attribute_type(const Node& node, BoundNode& out);
  bool fail_with(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  Binder binder_;
  std::map<const void*, item::Value> sorted_;  // by where their contents were
  std::string problem_;
};

// Values of a condition are only compared: sets and maps are put in order once, however often they are named.
item::Value ConditionBinder::sorted(const item::Value& value) {
  if (value.type() < item::Type::map) return value;
  const void* contents = value.is(item::Type::map) ? static_cast<const void*>(value.attributes().data())
                                                   : static_cast<const void*>(value.elements().data());
  item::Value& known = sorted_[contents];
  if (known.is(item::Type::null)) known = item::sorted(value, binder_.arena());
  return known;
}

ConditionKind condition_kind(const Node& node) {
  switch (node.kind) {
    case NodeKind::logical_and:
      return ConditionKind::all;
    case NodeKind::logical_or:
      return ConditionKind::any;
    case NodeKind::logical_not:
      return ConditionKind::negation;
    case NodeKind::between:
      return ConditionKind::between;
    case NodeKind::in:
      return ConditionKind::in;
    case NodeKind::comparison:
      return static_cast<ConditionKind>(static_cast<int>(ConditionKind::equal) +
                                        static_cast<int>(node.comparator));
    default:
      break;
  }
  switch (node.function) {
    case Function::attribute_exists:
      return ConditionKind::attribute_exists;
    case Function::attribute_not_exists:
      return ConditionKind::attribute_not_exists;
    case Function::attribute_type:
      return ConditionKind::attribute_type;
    case Function::begins_with:
      return ConditionKind::begins_with;
    default:
      return ConditionKind::contains;
  }
}

std::string_view operator_text(const Node& node) {
  if (node.kind == NodeKind::comparison) return comparator_text(node.comparator);
  if (node.kind == NodeKind::between) return "BETWEEN";
  return node.kind == NodeKind::in ? "IN" : node.text;
}

bool ConditionBinder::bind(const Node& node, BoundNode& out) {
  out.kind = condition_kind(node);
  return out.kind <= ConditionKind::negation ? bind_children(node, out) : bind_leaf(node, out);
}

bool ConditionBinder::bind_children(const Node& node, BoundNode& out) {
  const auto children = make_array<BoundNode>(binder_.arena(), node.children.size());
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (!bind(node.children[i], children[i])) return false;
  }
  out.children = children;
  return true;
}

// One comparison or function at a time, in the order of the text: placeholders, numbers of
// operands, repeated paths, types.
bool ConditionBinder::bind_leaf(const Node& node, BoundNode& out) {
  const auto operands = make_array<BoundOperand>(binder_.arena(), node.children.size());
  for (std::size_t i = 0; i < operands.size(); ++i) operands[i] = bind_operand(node.children[i]);
  out.operands = operands;
  if (!binder_.first_problem().empty()) return fail_with(binder_.first_problem());
  return check_counts(node) && check_distinct(node, operands) && check_types(node, out);
}

BoundOperand ConditionBinder::bind_operand(const Node& node) {
  BoundOperand operand;
  if (node.kind == NodeKind::value) {
    operand.value = sorted(binder_.bind_value(node.text));
  } else if (node.kind == NodeKind::path) {
    operand.kind = OperandKind::path;
    operand.path = binder_.bind_path(node.path);
  } else {  // size is the only function that is let in as an operand
    operand.kind = OperandKind::size;
    for (const Node& child : node.children) {
      const BoundOperand* inner = binder_.arena().make<BoundOperand>(bind_operand(child));
      if (operand.inner == nullptr) operand.inner = inner;
    }
  }
  return operand;
}

bool ConditionBinder::check_counts(const Node& node) {
  for (const Node& child : node.children) {
    if (!check_counts(child)) return false;
  }
  if (node.kind == NodeKind::in && node.children.size() - 1 > kInOperandsMax) {
    return fail_with(
        fmt::format("The IN operator is provided with too many operands; number of operands: {}",
                    node.children.size() - 1));
  }
  if (node.kind != NodeKind::call || node.children.size() == operand_count(node.function))
    return true;
  return fail_with(operand_count_problem(node.text, node.children.size()));
}

bool ConditionBinder::check_distinct(const Node& node, std::span<const BoundOperand> operands) {
  if (operands.front().kind != OperandKind::path) return true;
  for (const BoundOperand& other : operands.subspan(1)) {
    if (other.kind != OperandKind::path || !same_path(operands.front().path, other.path)) continue;
    return fail_with(
        fmt::format("The first operand must be distinct from the remaining operands for this "
                    "operator or function; "
                    "operator: {}, first operand: {}",
                    operator_text(node), path_text(operands.front().path)));
  }
  return true;
}

bool ConditionBinder::check_size(const BoundOperand& operand) {
  if (operand.kind != OperandKind::size) return true;
  if (!check_size(*operand.inner)) return false;
  const auto type = static_type(*operand.inner);
  const bool sizeless =
      type == item::Type::number || type == item::Type::boolean || type == item::Type::null;
  return !sizeless || fail_with(operand_type_problem("size", item::type_name(*type)));
}

bool ConditionBinder::check_order(std::string_view name, std::span<const BoundOperand> operands) {
  for (const BoundOperand& operand : operands) {
    const auto type = static_type(operand);
    if (type && !is_ordered(*type))
      return fail_with(operand_type_problem(name, item::type_name(*type)));
  }
  return true;
}

bool ConditionBinder::check_between(std::span<const BoundOperand> operands) {
  if (!check_order("BETWEEN", operands)) return false;
  const BoundOperand& low = operands[1];
  const BoundOperand& high = operands[2];
  if (low.kind != OperandKind::value || high.kind != OperandKind::value) return true;
  const auto order = item::compare(low.value, high.value);
  if (order && *order <= 0) return true;
  return fail_with(fmt::format(
      "The BETWEEN operator requires {}; lower bound operand: {}, upper bound operand: {}",
      order ? "upper bound to be greater than or equal to lower bound"
            : "same data type for lower and upper bounds",
      literal_text(low.value), literal_text(high.value)));
}

bool ConditionBinder::check_types(const Node& node, BoundNode& out) {
  for (const BoundOperand& operand : out.operands) {
    if (!check_size(operand)) return false;
  }
  switch (out.kind) {
    case ConditionKind::less:
    case ConditionKind::less_or_equal:
    case ConditionKind::greater:
    case ConditionKind::greater_or_equal:
      return check_order(operator_text(node), out.operands);
    case ConditionKind::between:
      return check_between(out.operands);
    default:
      return node.kind != NodeKind::call || check_call(node, out);
  }
}

bool ConditionBinder::check_call(const Node& node, BoundNode& out) {
  switch (out.kind) {
    case ConditionKind::attribute_exists:
    case ConditionKind::attribute_not_exists:
      return out.operands.front().kind == OperandKind::path ||
             fail_with(requires_path_problem(node.text));
    case ConditionKind::begins_with:
      for (const BoundOperand& operand : out.operands) {
        const auto type = static_type(operand);
        if (!type || type == item::Type::string || type == item::Type::binary) continue;
        return fail_with(operand_type_problem(node.text, item::type_name(*type)));
      }
      return true;
    case ConditionKind::attribute_type:
      return check_attribute_type(node, out);
    default:
      return true;
  }
}

bool ConditionBinder::check_attribute_type(const Node& node, BoundNode& out) {
  const BoundOperand& wanted = out.operands[1];
  const auto type = static_type(wanted);
  if (type != item::Type::string) {
    return fail_with(operand_type_problem(node.text, type ? item::type_name(*type) : kEveryType));
  }
  const auto named = item::type_from_name(wanted.value.text());
  if (!named) {
    return fail_with(
        fmt::format("Invalid attribute type name found; type: {}, valid types: "
                    "{{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}",
                    wanted.value.text()));
  }
  out.type = *named;
  out.operands = out.operands.first(1);
  return true;
}

}  // namespace

void Condition::set_root(const BoundNode* root, base::Arena& arena) {
  root_ = root;
  const std::span<const Path> paths = paths_read(*root, arena);
  path_count_ = paths.size();
  index_ = index_conditions(*root, arena);
  attribute_names_ = top_level_names(paths, arena);
}

Condition Condition::from_bound(const BoundNode* root, base::Arena& arena) {
  Condition condition;
  condition.set_root(root, arena);
  return condition;
}

Result<Condition> bind_condition(std::string_view text, Parameter parameter,
                                 Placeholders& placeholders) {
  Condition condition;
  TRY(condition.parsed_, cached_condition(text, parameter));
  ConditionBinder binder(placeholders);
  auto* root = placeholders.arena().make<BoundNode>();
  if (!binder.bind(condition.parsed_->root, *root))
    return invalid_expression(parameter, binder.problem());
  condition.set_root(root, placeholders.arena());
  return condition;
}

}  // namespace stator::expr
