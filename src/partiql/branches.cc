#include "partiql/branches.h"

#include <fmt/format.h>

#include <algorithm>

#include "partiql/sort_range.h"
#include "partiql/where.h"

namespace stator::partiql {
namespace {

using expr::BoundNode;
using expr::ConditionKind;
using Nodes = std::vector<BoundNode>;  // that must all hold

constexpr std::size_t kReadsMax = 50;
constexpr std::size_t kBranchesMax = 200;  // a short text can have more of them than there is memory

tl::unexpected<Error> too_many() { return invalid("Too many decomposed read operations for a given query."); }

class Spreader {
 public:
  Spreader(const engine::KeySchema& key, base::Arena& arena)
      : partition_(key.partition.front()), sort_(key.sort.empty() ? nullptr : &key.sort.front()), arena_(arena) {}

  [[nodiscard]] bool names_partition(const BoundNode& node) const;
  [[nodiscard]] Result<std::vector<Nodes>> spread(const BoundNode& node) const;
  // Nothing where the nodes name no partition, or two.
  [[nodiscard]] Result<std::optional<Branch>> branch_of(Nodes nodes) const;

 private:
  [[nodiscard]] bool names_key(const BoundNode& node) const;
  [[nodiscard]] bool lists_key(const BoundNode& node) const;
  [[nodiscard]] bool excludes(const BoundNode& node) const;

  const engine::KeyAttribute& partition_;
  const engine::KeyAttribute* sort_;
  base::Arena& arena_;
};

bool Spreader::lists_key(const BoundNode& node) const {
  return lists_values(node, partition_.name) || (sort_ != nullptr && lists_values(node, sort_->name));
}

bool Spreader::names_partition(const BoundNode& node) const {
  const auto names = [&](const BoundNode& child) { return names_partition(child); };
  if (node.kind == ConditionKind::all) return std::any_of(node.children.begin(), node.children.end(), names);
  if (node.kind == ConditionKind::any) return std::all_of(node.children.begin(), node.children.end(), names);
  return equal_value(node, partition_.name) != nullptr || lists_values(node, partition_.name);
}

bool Spreader::names_key(const BoundNode& node) const {
  if (node.kind == ConditionKind::negation) return false;
  if (equal_value(node, partition_.name) != nullptr || lists_key(node)) return true;
  if (sort_ != nullptr && key_comparison(node, sort_->name)) return true;
  return std::any_of(node.children.begin(), node.children.end(), [&](const BoundNode& c) { return names_key(c); });
}

// NOT sk = .., sk <> ..
bool Spreader::excludes(const BoundNode& node) const {
  if (sort_ == nullptr) return false;
  if (node.kind != ConditionKind::negation && node.kind != ConditionKind::not_equal) return false;
  const auto names = expr::names_read(node, arena_);
  return std::find(names.begin(), names.end(), sort_->name) != names.end();
}

Result<std::vector<Nodes>> Spreader::spread(const BoundNode& node) const {
  std::vector<Nodes> branches;
  if (node.kind == ConditionKind::all) {
    branches.emplace_back();
    for (const BoundNode& child : node.children) {
      TRY(const std::vector<Nodes> more, spread(child));
      if (branches.size() * more.size() > kBranchesMax) return too_many();
      if (more.size() == 1) {  // most conditions: nothing comes apart
        for (Nodes& branch : branches) branch.insert(branch.end(), more.front().begin(), more.front().end());
        continue;
      }
      std::vector<Nodes> both;
      for (const Nodes& first : branches) {
        for (const Nodes& second : more) {
          both.push_back(first);
          both.back().insert(both.back().end(), second.begin(), second.end());
        }
      }
      branches = std::move(both);
    }
  } else if (node.kind == ConditionKind::any && names_key(node)) {
    for (const BoundNode& child : node.children) {
      TRY(const std::vector<Nodes> more, spread(child));
      branches.insert(branches.end(), more.begin(), more.end());
      if (branches.size() > kBranchesMax) return too_many();
    }
  } else if (lists_key(node)) {
    for (const auto& value : node.operands.subspan(1)) {
      branches.push_back({equality(node.operands.front(), value.value, arena_)});
    }
  } else {
    branches.push_back({node});
  }
  return branches;
}

Result<std::optional<Branch>> Spreader::branch_of(Nodes nodes) const {
  std::optional<item::Value> partition;
  for (auto node = nodes.begin(); node != nodes.end();) {
    const item::Value* value = equal_value(*node, partition_.name);
    if (value == nullptr) {
      ++node;
      continue;
    }
    if (partition && !item::equal(*partition, *value)) return std::nullopt;
    TRY_VOID(check_key_type(partition_, *value));
    partition = *value;
    node = nodes.erase(node);
  }
  if (!partition) return std::nullopt;
  Branch branch;
  branch.partition = *partition;
  if (sort_ != nullptr) {
    TRY(branch.sort, take_sort_range(*sort_, nodes));
  }
  branch.excludes = std::any_of(nodes.begin(), nodes.end(), [&](const BoundNode& node) { return excludes(node); });
  branch.filters = std::move(nodes);
  return branch;
}

std::vector<std::string_view> names_not_held(const Branch& branch, const engine::Index& index, base::Arena& arena) {
  std::vector<std::string_view> missing;
  const auto contains = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const BoundNode& node : branch.filters) {
    for (const std::string_view name : expr::names_read(node, arena)) {
      if (!contains(index.projected, name) && !contains(missing, name)) missing.push_back(name);
    }
  }
  return missing;
}

}  // namespace

Result<std::optional<std::vector<Branch>>> spread(const BoundNode* where, const engine::KeySchema& key,
                                                  base::Arena& arena) {
  const Spreader spreader(key, arena);
  if (where == nullptr || !spreader.names_partition(*where)) return std::nullopt;
  TRY(std::vector<Nodes> ways, spreader.spread(*where));
  std::vector<Branch> branches;
  for (Nodes& nodes : ways) {
    TRY(std::optional<Branch> branch, spreader.branch_of(std::move(nodes)));
    if (!branch) return std::nullopt;
    branches.push_back(*std::move(branch));
  }
  return branches;
}

Result<void> check_apart(std::span<const Branch> branches) {
  for (std::size_t i = 0; i < branches.size(); ++i) {
    for (const Branch& other : branches.first(i)) {
      if (other.excludes || branches[i].excludes || !item::equal(other.partition, branches[i].partition)) continue;
      if (overlap(other.sort, branches[i].sort)) {
        return invalid("Overlapping conditions with range keys are not supported in where clause");
      }
    }
  }
  return {};
}

Result<void> check_count(std::span<const Branch> branches) {
  if (branches.size() > kReadsMax) return too_many();
  return {};
}

Result<void> check_held(std::span<const Branch> branches, const engine::Index& index, base::Arena& arena) {
  if (index.projection == engine::ProjectionKind::all) return {};
  const Branch* last = nullptr;  // the one with the highest partition key is told of
  for (const Branch& branch : branches) {
    if (names_not_held(branch, index, arena).empty()) return {};
    if (last == nullptr || item::compare(branch.partition, last->partition) >= 0) last = &branch;
  }
  std::vector<std::string_view> missing = names_not_held(*last, index, arena);
  order_names(missing);
  return invalid(fmt::format("One or more parameter values were invalid: Secondary index {} does not project one or "
                             "more filter attributes: [{}]",
                             index.name, fmt::join(missing, ", ")));
}

}  // namespace stator::partiql
