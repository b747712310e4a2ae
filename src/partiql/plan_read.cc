#include <fmt/format.h>

#include <algorithm>

#include "partiql/branches.h"
#include "partiql/plan.h"
#include "partiql/where.h"

namespace stator::partiql {
namespace {

using expr::BoundNode;
using expr::KeyComparison;

// The order of ranges of sort keys: by their first key, those without any first. Ranges that are read one by one do not overlap.
bool is_before(const std::optional<KeyComparison>& a, const std::optional<KeyComparison>& b) {
  if (!a || !b) return !a && b;
  const auto has_start = [](const KeyComparison& range) {
    return range.op != expr::KeyOperator::less && range.op != expr::KeyOperator::less_or_equal;
  };
  if (!has_start(*a) || !has_start(*b)) return has_start(*b);
  const int compared = item::compare(a->low, b->low).value_or(0);
  const auto starts_behind = [](const KeyComparison& range) { return range.op == expr::KeyOperator::greater; };
  return compared != 0 ? compared < 0 : !starts_behind(*a) && starts_behind(*b);
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

  // In the order of the service's checks.
  [[nodiscard]] Result<ReadPlan> plan();

 private:
  // Branches of one partition, in the order of their sort keys.
  using Partition = std::vector<Branch>;

  void group(std::vector<Branch> branches);
  [[nodiscard]] Result<void> order(ReadPlan& plan);
  [[nodiscard]] ReadPart part_of(const Branch& branch) const;
  [[nodiscard]] ReadPart whole(const Partition& partition) const;
  [[nodiscard]] std::vector<ReadPart> parts(bool forward) const;
  [[nodiscard]] std::optional<expr::Condition> condition_of(const BoundNode* root) const;
  [[nodiscard]] const engine::KeyAttribute& partition_key() const { return key_.partition.front(); }

  const BoundStatement& statement_;
  const engine::Index* index_;
  const engine::KeySchema& key_;
  const engine::Table& table_;
  base::Arena& arena_;
  std::vector<Partition> partitions_;
};

void ReadPlanner::group(std::vector<Branch> branches) {
  for (Branch& branch : branches) {
    auto partition = std::find_if(partitions_.begin(), partitions_.end(), [&](const Partition& each) {
      return item::equal(each.front().partition, branch.partition);
    });
    if (partition == partitions_.end()) partition = partitions_.emplace(partitions_.end());
    partition->push_back(std::move(branch));
  }
  for (Partition& partition : partitions_) {
    std::stable_sort(partition.begin(), partition.end(),
                     [](const Branch& a, const Branch& b) { return is_before(a.sort, b.sort); });
  }
}

std::optional<expr::Condition> ReadPlanner::condition_of(const BoundNode* root) const {
  if (root == nullptr) return std::nullopt;
  return expr::Condition::from_bound(root, arena_);
}

ReadPart ReadPlanner::part_of(const Branch& branch) const {
  const auto comparisons = expr::make_array<KeyComparison>(arena_, branch.sort ? 2 : 1);
  comparisons[0] = {arena_.copy(partition_key().name), expr::KeyOperator::equal, branch.partition, {}};
  if (branch.sort) {
    comparisons[1] = *branch.sort;
    comparisons[1].attribute = arena_.copy(branch.sort->attribute);
  }
  return {{comparisons, nullptr}, condition_of(join_all(branch.filters, arena_))};
}

// All of a partition, whose branches are the filter.
ReadPart ReadPlanner::whole(const Partition& partition) const {
  ReadPart part = part_of({partition.front().partition, std::nullopt, {}, false});
  part.filter = condition_of(statement_.where);
  return part;
}

std::vector<ReadPart> ReadPlanner::parts(bool forward) const {
  std::vector<ReadPart> parts;
  for (const Partition& partition : partitions_) {
    const bool excludes = std::any_of(partition.begin(), partition.end(), [](const Branch& b) { return b.excludes; });
    if (excludes && partition.size() > 1) {
      parts.push_back(whole(partition));
    } else if (forward) {
      for (const Branch& branch : partition) parts.push_back(part_of(branch));
    } else {
      for (auto branch = partition.rbegin(); branch != partition.rend(); ++branch) parts.push_back(part_of(*branch));
    }
  }
  return parts;
}

Result<void> ReadPlanner::order(ReadPlan& plan) {
  if (statement_.order.empty()) return {};
  const OrderKey* by_partition = nullptr;
  plan.forward = key_.sort.empty();  // a sort key that is not spoken of goes down
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
    const int compared = item::compare(a.front().partition, b.front().partition).value_or(0);
    return by_partition->descending ? compared > 0 : compared < 0;
  });
  return {};
}

Result<ReadPlan> ReadPlanner::plan() {
  ReadPlan plan;
  TRY(std::optional<std::vector<Branch>> branches, spread(statement_.where, key_, arena_));
  if (branches) {
    TRY_VOID(check_apart(*branches));
    TRY_VOID(check_count(*branches));
    group(*branches);
  }
  TRY_VOID(order(plan));
  if (index_ == nullptr) {
    TRY(std::optional<KeyMatch> match, match_key(statement_.where, table_, arena_, true));
    if (match) {
      plan.access = Access::get;
      plan.key = match->key;
      plan.filter = condition_of(join_all(match->rest, arena_));
      return plan;
    }
  }
  if (!branches) {
    plan.filter = condition_of(statement_.where);
    return plan;
  }
  if (index_ != nullptr) TRY_VOID(check_held(*branches, *index_, arena_));
  plan.access = Access::query;
  plan.parts = parts(plan.forward);
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

Result<void> check_overlap(const BoundStatement& statement, const engine::Table& table, base::Arena& arena) {
  const Result<std::optional<std::vector<Branch>>> branches = spread(statement.where, table.key, arena);
  if (!branches || !*branches) return {};
  return check_apart(**branches);
}

}  // namespace stator::partiql
