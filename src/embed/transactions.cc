// TransactWriteItems and TransactGetItems.
#include <map>

#include "api/violations.h"
#include "base/sync_wait.h"
#include "embed/check.h"
#include "embed/convert.h"
#include "embed/operations.h"
#include "engine/transact_get_items.h"
#include "engine/transact_write_items.h"

namespace stator::embed {
namespace {

constexpr std::size_t kTokenCharactersMax = 36;

Result<void> check_count(std::size_t count) {
  api::Violations violations;
  violations.count("transactItems", count == 0 ? "[]" : "[...]", count, 1,
                   engine::kTransactItemsMax);
  return violations.result();
}

Result<void> check_token(const std::string& token) {
  api::Violations violations;
  if (!token.empty())
    violations.length("clientRequestToken", std::string_view(token), 1, kTokenCharactersMax);
  return violations.result();
}

// What the four kinds have in common.
template <class Action>
Result<engine::TransactAction> common(const Action& action, engine::TransactKind kind,
                                      const Item& attributes, base::Arena& arena) {
  TRY_VOID(check_table_name(action.table_name));
  engine::TransactAction made;
  made.kind = kind;
  made.table_name = action.table_name;
  TRY(made.attributes, to_attributes(attributes, arena));
  TRY(made.parameters, to_parameters(action.names, action.values, arena));
  made.return_item_on_failure = action.return_item_on_failure;
  return made;
}

struct ToAction {
  base::Arena& arena;

  Result<engine::TransactAction> operator()(const TransactPut& put) const {
    TRY(engine::TransactAction made, common(put, engine::TransactKind::put, put.item, arena));
    made.condition = to_view(put.condition);
    return made;
  }
  Result<engine::TransactAction> operator()(const TransactUpdate& update) const {
    TRY(engine::TransactAction made,
        common(update, engine::TransactKind::update, update.key, arena));
    made.update = std::optional<std::string_view>(update.update);
    made.condition = to_view(update.condition);
    return made;
  }
  Result<engine::TransactAction> operator()(const TransactDelete& remove) const {
    TRY(engine::TransactAction made,
        common(remove, engine::TransactKind::remove, remove.key, arena));
    made.condition = to_view(remove.condition);
    return made;
  }
  Result<engine::TransactAction> operator()(const TransactCheck& check) const {
    TRY(engine::TransactAction made, common(check, engine::TransactKind::check, check.key, arena));
    made.condition = std::optional<std::string_view>(check.condition);
    return made;
  }
};

// Tells a repetition with the same token from another request. Only ever compared with itself.
std::string fingerprint(const TransactWriteItemsRequest& request) {
  std::string text;
  const auto add = [&text](std::string_view part) {
    text += std::to_string(part.size());
    text += ':';
    text += part;
  };
  for (const TransactWrite& write : request.items) {
    add(std::to_string(write.index()));
    std::visit(
        [&](const auto& action) {
          add(action.table_name);
          if constexpr (requires { action.item; }) {
            add(to_json(action.item));
          } else {
            add(to_json(action.key));
          }
          if constexpr (requires { action.update; }) add(action.update);
          if constexpr (requires { action.condition.has_value(); }) {
            add(action.condition.value_or(""));
          } else {
            add(action.condition);
          }
          for (const auto& [name, meaning] : action.names) add(name + "=" + meaning);
          add(to_json(action.values));
        },
        write);
  }
  return text;
}

// Capacity of a transaction is given by table.
class CapacityByTable {
 public:
  void add(const engine::ConsumedCapacity& consumed) {
    engine::ConsumedCapacity& sum = tables_[consumed.table->name];
    sum.table = consumed.table;
    sum.table_cost += consumed.table_cost;
    for (const auto& [index, cost] : consumed.indexes) sum.add_index(*index, cost);
  }
  [[nodiscard]] std::vector<ConsumedCapacity> wanted(ReturnConsumedCapacity wanted) const {
    std::vector<ConsumedCapacity> list;
    if (wanted == ReturnConsumedCapacity::none) return list;
    for (const auto& [name, sum] : tables_) list.push_back(to_capacity(sum, wanted));
    return list;
  }

 private:
  std::map<std::string, engine::ConsumedCapacity> tables_;
};

}  // namespace

Result<TransactWriteItemsResponse> transact_write_items(engine::Engine& engine,
                                                        const TransactWriteItemsRequest& request,
                                                        base::Arena& arena) {
  TRY_VOID(check_count(request.items.size()));
  TRY_VOID(check_token(request.client_request_token));
  std::vector<engine::TransactAction> actions;
  for (const TransactWrite& write : request.items) {
    TRY(const engine::TransactAction action, std::visit(ToAction{arena}, write));
    actions.push_back(action);
  }
  const std::string print =
      request.client_request_token.empty() ? std::string() : fingerprint(request);
  engine::TransactWriteRequest transaction;
  transaction.actions = actions;
  transaction.token = request.client_request_token;
  transaction.fingerprint = print;
  TRY(const engine::TransactWriteResult result,
      base::sync_wait(engine::transact_write_items(engine, transaction, arena)));
  CapacityByTable capacity;
  for (const engine::WriteOutcome& outcome : result.outcomes) capacity.add(outcome.consumed);
  TransactWriteItemsResponse response;
  response.consumed_capacity = capacity.wanted(request.return_consumed_capacity);
  return response;
}

Result<TransactGetItemsResponse> transact_get_items(engine::Engine& engine,
                                                    const TransactGetItemsRequest& request,
                                                    base::Arena& arena) {
  TRY_VOID(check_count(request.items.size()));
  std::vector<engine::TransactGet> gets;
  for (const TransactGet& wanted : request.items) {
    TRY_VOID(check_table_name(wanted.table_name));
    engine::TransactGet get;
    get.table_name = wanted.table_name;
    TRY(get.key, to_attributes(wanted.key, arena));
    get.projection = to_view(wanted.projection);
    TRY(get.parameters, to_parameters(wanted.names, {}, arena));
    gets.push_back(get);
  }
  TRY(const std::vector<engine::TransactGetItem> items,
      base::sync_wait(engine::transact_get_items(engine, gets, arena)));
  TransactGetItemsResponse response;
  CapacityByTable capacity;
  for (const engine::TransactGetItem& item : items) {
    capacity.add(item.consumed);
    std::optional<Item>& made = response.items.emplace_back();
    if (!item.item) continue;
    if (item.projection) {
      base::Buffer text;
      item.projection->append(text, *item.item, arena);
      TRY(made, to_item(text.view(), arena));
    } else {
      TRY(made, to_item(*item.item, arena));
    }
  }
  response.consumed_capacity = capacity.wanted(request.return_consumed_capacity);
  return response;
}

}  // namespace stator::embed
