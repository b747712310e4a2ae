#include <fmt/format.h>

#include <algorithm>

#include "partiql/plan.h"
#include "partiql/sort_range.h"
#include "partiql/where.h"

namespace stator::partiql {
namespace {

using expr::BoundNode;
using expr::ConditionKind;
using expr::KeyComparison;

constexpr std::size_t kReadsMax = 50;  // that a statement may come apart into

// One partition that a statement reads, and the condition on its sort key.
struct Partition {
  item::Value value;
  std::optional<KeyComparison> sort;
  bool excludes = false;  // its sort key must not be something, which no range of keys can serve
};

tl::unexpected<Error> overlapping() {
  return invalid("Overlapping conditions with range keys are not supported in where clause");
}

// Whether an IN is about an attribute, and has values only.
bool names_attribute(const BoundNode& in, std::string_view name) {
  const auto& operand = in.operands.front();
  const bool is_attribute = operand.kind == expr::OperandKind::path && operand.path.size() == 1 &&
                            operand.path.front().name == name;
  return is_attribute && std::all_of(in.operands.begin() + 1, in.operands.end(), [](const auto& each) {
    return each.kind == expr::OperandKind::value;
  });
}

class ReadPlanner {
 public:
  ReadPlanner(const BoundStatement& statement, const engine::Table& table, const engine::Index* index,
              base::Arena& arena)
      : statement_(statement),
        index_(index),
        key_(index != nullptr ? index->key : table.key),
        table_(table),
        arena_(arena) {}

  [[nodiscard]] Result<ReadPlan> plan();

 private:
  [[nodiscard]] Result<bool> find_partitions(std::vector<BoundNode>& rest);
  [[nodiscard]] Result<bool> add_branches(const BoundNode& any);
  [[nodiscard]] Result<std::optional<KeyComparison>> take_sort(std::vector<BoundNode>& nodes) const;
  [[nodiscard]] bool excludes(const BoundNode& node) const;
  [[nodiscard]] Result<void> check_branches(std::span<const BoundNode> rest) const;
  [[nodiscard]] Result<void> add(const Partition& partition);
  [[nodiscard]] Result<void> check_reads(std::span<const BoundNode> rest) const;
  [[nodiscard]] Result<void> check_filter(std::span<const BoundNode> rest) const;
  [[nodiscard]] Result<void> order(ReadPlan& plan);
  [[nodiscard]] expr::KeyCondition condition_of(const Partition& partition) const;
  [[nodiscard]] const engine::KeyAttribute& partition_key() const { return key_.partition.front(); }

  const BoundStatement& statement_;
  const engine::Index* index_;
  const engine::KeySchema& key_;
  const engine::Table& table_;
  base::Arena& arena_;
  std::vector<Partition> partitions_;
};

Result<std::optional<KeyComparison>> ReadPlanner::take_sort(std::vector<BoundNode>& nodes) const {
  if (key_.sort.empty()) return std::nullopt;
  return take_sort_range(key_.sort.front(), nodes);
}

// NOT sk = .., sk <> ..
bool ReadPlanner::excludes(const BoundNode& node) const {
  if (key_.sort.empty()) return false;
  if (node.kind != ConditionKind::negation && node.kind != ConditionKind::not_equal) return false;
  const auto names = expr::names_read(node, arena_);
  return std::find(names.begin(), names.end(), key_.sort.front().name) != names.end();
}

// Of one partition: sk = .. OR sk > .. must not overlap.
Result<void> ReadPlanner::check_branches(std::span<const BoundNode> rest) const {
  for (const BoundNode& node : rest) {
    if (node.kind != ConditionKind::any || key_.sort.empty()) continue;
    std::vector<std::optional<KeyComparison>> ranges;
    bool says_something = false;
    bool excluded = false;
    for (const BoundNode& branch : node.children) {
      std::vector<BoundNode> nodes = conjuncts(&branch);
      TRY(ranges.emplace_back(), take_sort(nodes));
      says_something = says_something || ranges.back();
      excluded = excluded || (ranges.back() && ranges.back()->op == expr::KeyOperator::begins_with) ||
                 std::any_of(nodes.begin(), nodes.end(), [&](const BoundNode& each) { return excludes(each); });
    }
    if (!says_something || excluded) continue;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (overlap(ranges[i], ranges[j])) return overlapping();
      }
    }
  }
  return {};
}

Result<void> ReadPlanner::add(const Partition& partition) {
  TRY_VOID(check_key_type(partition_key(), {partition_key().name, expr::KeyOperator::equal, partition.value, {}}));
  for (Partition& other : partitions_) {
    if (!item::equal(other.value, partition.value)) continue;
    if (other.excludes || partition.excludes) {  // all of the partition is read, and the branches are its filter
      other.sort.reset();
      other.excludes = true;
      return {};
    }
    return overlapping();
  }
  partitions_.push_back(partition);
  return {};
}

// pk = 'a' OR (pk = 'b' AND ..): whether every branch names its partition.
Result<bool> ReadPlanner::add_branches(const BoundNode& any) {
  std::vector<Partition> found;
  for (const BoundNode& branch : any.children) {
    std::vector<BoundNode> nodes = conjuncts(&branch);
    const item::Value* value = nullptr;
    for (const BoundNode& node : nodes) {
      if (value == nullptr) value = equal_value(node, partition_key().name);
    }
    if (value == nullptr) return false;
    Partition partition{*value, std::nullopt};
    TRY(partition.sort, take_sort(nodes));
    partition.excludes = std::any_of(nodes.begin(), nodes.end(), [&](const BoundNode& node) { return excludes(node); });
    found.push_back(partition);
  }
  for (const Partition& partition : found) TRY_VOID(add(partition));
  return true;
}

// Fills partitions_ and takes out of `rest` what they say already; false where all partitions have to be read.
Result<bool> ReadPlanner::find_partitions(std::vector<BoundNode>& rest) {
  const std::string_view name = partition_key().name;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const BoundNode node = rest[i];
    if (const item::Value* value = equal_value(node, name)) {
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      Partition partition{*value, std::nullopt};
      TRY(partition.sort, take_sort(rest));
      TRY_VOID(check_branches(rest));
      TRY_VOID(add(partition));
      return true;
    }
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const BoundNode node = rest[i];
    if (node.kind == ConditionKind::any) {
      TRY(const bool found, add_branches(node));  // the branches stay in the filter
      if (found) return true;
    }
    if (node.kind != ConditionKind::in) continue;
    if (!names_attribute(node, name)) continue;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    TRY(const std::optional<KeyComparison> sort, take_sort(rest));
    for (const auto& each : node.operands.subspan(1)) TRY_VOID(add({each.value, sort}));
    return true;
  }
  return false;
}

expr::KeyCondition ReadPlanner::condition_of(const Partition& partition) const {
  const auto comparisons = expr::make_array<KeyComparison>(arena_, partition.sort ? 2 : 1);
  comparisons[0] = {arena_.copy(partition_key().name), expr::KeyOperator::equal, partition.value, {}};
  if (partition.sort) {
    comparisons[1] = *partition.sort;
    comparisons[1].attribute = arena_.copy(partition.sort->attribute);
  }
  return {comparisons, nullptr};
}

// Partitions, times the sort keys that an IN names.
Result<void> ReadPlanner::check_reads(std::span<const BoundNode> rest) const {
  if (partitions_.empty()) return {};
  std::size_t reads = partitions_.size();
  for (const BoundNode& node : rest) {
    if (node.kind != ConditionKind::in || key_.sort.empty() || !names_attribute(node, key_.sort.front().name)) continue;
    for (const auto& each : node.operands.subspan(1)) {
      TRY_VOID(check_key_type(key_.sort.front(),
                              {key_.sort.front().name, expr::KeyOperator::equal, each.value, {}}));
    }
    reads *= node.operands.size() - 1;
  }
  if (reads > kReadsMax) return invalid("Too many decomposed read operations for a given query.");
  return {};
}

// A query of an index cannot look at what the index does not hold.
Result<void> ReadPlanner::check_filter(std::span<const BoundNode> rest) const {
  if (index_ == nullptr || index_->projection == engine::ProjectionKind::all) return {};
  std::vector<std::string_view> missing;
  for (const BoundNode& node : rest) {
    const auto names = expr::names_read(node, arena_);
    // Branches that say something of the key are read apart.
    const bool apart = std::any_of(names.begin(), names.end(), [&](std::string_view n) { return key_.contains(n); });
    if (node.kind == ConditionKind::any && apart) continue;
    for (const std::string_view name : names) {
      const auto& held = index_->projected;
      if (std::find(held.begin(), held.end(), name) != held.end()) continue;
      if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
    }
  }
  if (missing.empty()) return {};
  order_names(missing);
  return invalid(fmt::format("One or more parameter values were invalid: Secondary index {} does not project one or "
                             "more filter attributes: [{}]",
                             index_->name, fmt::join(missing, ", ")));
}

Result<void> ReadPlanner::order(ReadPlan& plan) {
  if (statement_.order.empty()) return {};
  const OrderKey* by_partition = nullptr;
  for (const OrderKey& key : statement_.order) {
    if (!key_.contains(key.name)) {
      return invalid(fmt::format("Attribute {} in ORDER BY clause must be part of the primary key", key.name));
    }
    if (key.name == partition_key().name) {
      by_partition = &key;
    } else {
      plan.forward = !key.descending;
    }
  }
  if (partitions_.empty()) {
    return invalid(
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.");
  }
  if (partitions_.size() == 1) return {};
  if (by_partition == nullptr) {
    return invalid(
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.");
  }
  std::sort(partitions_.begin(), partitions_.end(), [&](const Partition& a, const Partition& b) {
    const int compared = item::compare(a.value, b.value).value_or(0);
    return by_partition->descending ? compared > 0 : compared < 0;
  });
  return {};
}

Result<ReadPlan> ReadPlanner::plan() {
  ReadPlan plan;
  std::vector<BoundNode> rest = conjuncts(statement_.where);
  TRY(const bool found, find_partitions(rest));
  TRY_VOID(check_reads(rest));
  TRY_VOID(order(plan));
  if (index_ == nullptr) {
    TRY(std::optional<KeyMatch> match, match_key(statement_.where, table_, arena_, true));
    if (match) {
      plan.access = Access::get;
      plan.key = match->key;
      rest = std::move(match->rest);
    }
  }
  if (found && plan.access != Access::get) {
    TRY_VOID(check_filter(rest));
    plan.access = Access::query;
    for (const Partition& partition : partitions_) plan.parts.push_back(condition_of(partition));
  }
  if (const BoundNode* root = join_all(rest, arena_)) plan.filter = expr::Condition::from_bound(root, arena_);
  return plan;
}

}  // namespace

Result<ReadPlan> plan_read(const BoundStatement& statement, const engine::Table& table, bool consistent,
                           base::Arena& arena) {
  const engine::Index* index = nullptr;
  if (statement.index_name) {
    index = table.find_index(*statement.index_name);
    if (index == nullptr || index->state == engine::IndexState::deleting) {
      return invalid("The table does not have the specified index");
    }
    if (consistent && index->kind == engine::IndexKind::global) {
      return invalid("Strongly consistent read is not supported on Global Secondary Indexes");
    }
  }
  if (index != nullptr && (index->key.partition.size() > 1 || index->key.sort.size() > 1)) {
    return invalid(
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE "
        "keys.");
  }
  if (statement.projection_fault) return tl::unexpected(*statement.projection_fault);
  return ReadPlanner(statement, table, index, arena).plan();
}

}  // namespace stator::partiql
