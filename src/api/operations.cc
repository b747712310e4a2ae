#include "api/operations.h"

#include <algorithm>
#include <array>

namespace stator::api {
namespace {

struct Entry {
  std::string_view name;
  Operation operation;
};

// Sorted by name: looked up for every request.
constexpr auto kOperations = std::to_array<Entry>({
    {"BatchGetItem", batch_get_item},
    {"BatchWriteItem", batch_write_item},
    {"CreateTable", create_table},
    {"DeleteItem", delete_item},
    {"DeleteTable", delete_table},
    {"DescribeEndpoints", describe_endpoints},
    {"DescribeLimits", describe_limits},
    {"DescribeTable", describe_table},
    {"GetItem", get_item},
    {"ListTables", list_tables},
    {"PutItem", put_item},
    {"Query", query},
    {"Scan", scan},
    {"TransactGetItems", transact_get_items},
    {"TransactWriteItems", transact_write_items},
    {"UpdateItem", update_item},
    {"UpdateTable", update_table},
});
static_assert(std::is_sorted(kOperations.begin(), kOperations.end(),
                             [](const Entry& a, const Entry& b) { return a.name < b.name; }));

}  // namespace

Operation find_operation(std::string_view target) {
  constexpr std::string_view kService = "DynamoDB_20120810.";
  if (!target.starts_with(kService)) return nullptr;
  target.remove_prefix(kService.size());
  const auto* found = std::lower_bound(kOperations.begin(), kOperations.end(), target,
                                       [](const Entry& entry, std::string_view name) { return entry.name < name; });
  return found != kOperations.end() && found->name == target ? found->operation : nullptr;
}

}  // namespace stator::api
