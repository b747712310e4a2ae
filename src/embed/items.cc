// PutItem, GetItem, UpdateItem, DeleteItem.
#include "base/sync_wait.h"
#include "embed/check.h"
#include "embed/convert.h"
#include "embed/operations.h"
#include "engine/delete_item.h"
#include "engine/get_item.h"
#include "engine/put_item.h"
#include "engine/update_item.h"

namespace stator::embed {
namespace {

Result<void> check_old_only(ReturnValues wanted) {
  if (wanted == ReturnValues::none || wanted == ReturnValues::all_old) return {};
  return invalid("ReturnValues can only be ALL_OLD or NONE");
}

// PutItem and DeleteItem answer alike.
template <class Response, class Request>
Result<Response> old_item_response(const Request& request, const engine::WriteOutcome& outcome,
                                   base::Arena& arena) {
  Response response;
  if (request.return_values == ReturnValues::all_old && outcome.before) {
    TRY(response.attributes, to_item(*outcome.before, arena));
  }
  response.consumed_capacity = wanted_capacity(outcome.consumed, request.return_consumed_capacity);
  return response;
}

Result<std::optional<Item>> updated_attributes(const engine::UpdateOutcome& outcome,
                                               ReturnValues wanted, base::Arena& arena) {
  const bool old = wanted == ReturnValues::all_old || wanted == ReturnValues::updated_old;
  const std::optional<item::StoredItem>& stored = old ? outcome.write.before : outcome.write.after;
  if (wanted == ReturnValues::none || !stored) return std::nullopt;
  if (wanted == ReturnValues::all_old || wanted == ReturnValues::all_new)
    return to_item(*stored, arena);
  base::Buffer text;
  if (outcome.targets.append(text, *stored, arena) == 0) return std::nullopt;
  return to_item(text.view(), arena);
}

}  // namespace

Result<PutItemResponse> put_item(engine::Engine& engine, const PutItemRequest& request,
                                 base::Arena& arena) {
  TRY_VOID(check_table_name(request.table_name));
  engine::PutItemRequest put;
  put.table_name = request.table_name;
  TRY(put.item, to_attributes(request.item, arena));
  TRY_VOID(check_old_only(request.return_values));
  put.condition = to_view(request.condition);
  TRY(put.parameters, to_parameters(request.names, request.values, arena));
  put.return_item_on_failure = request.return_item_on_failure;
  TRY(const engine::WriteOutcome outcome, base::sync_wait(engine::put_item(engine, put, arena)));
  return old_item_response<PutItemResponse>(request, outcome, arena);
}

Result<DeleteItemResponse> delete_item(engine::Engine& engine, const DeleteItemRequest& request,
                                       base::Arena& arena) {
  TRY_VOID(check_table_name(request.table_name));
  engine::DeleteItemRequest remove;
  remove.table_name = request.table_name;
  TRY(remove.key, to_attributes(request.key, arena));
  TRY_VOID(check_old_only(request.return_values));
  remove.condition = to_view(request.condition);
  TRY(remove.parameters, to_parameters(request.names, request.values, arena));
  remove.return_item_on_failure = request.return_item_on_failure;
  TRY(const engine::WriteOutcome outcome,
      base::sync_wait(engine::delete_item(engine, remove, arena)));
  return old_item_response<DeleteItemResponse>(request, outcome, arena);
}

Result<UpdateItemResponse> update_item(engine::Engine& engine, const UpdateItemRequest& request,
                                       base::Arena& arena) {
  TRY_VOID(check_table_name(request.table_name));
  engine::UpdateItemRequest update;
  update.table_name = request.table_name;
  TRY(update.key, to_attributes(request.key, arena));
  update.update = to_view(request.update);
  update.condition = to_view(request.condition);
  TRY(update.parameters, to_parameters(request.names, request.values, arena));
  update.return_item_on_failure = request.return_item_on_failure;
  TRY(const engine::UpdateOutcome outcome,
      base::sync_wait(engine::update_item(engine, update, arena)));
  UpdateItemResponse response;
  TRY(response.attributes, updated_attributes(outcome, request.return_values, arena));
  response.consumed_capacity =
      wanted_capacity(outcome.write.consumed, request.return_consumed_capacity);
  return response;
}

Result<GetItemResponse> get_item(engine::Engine& engine, const GetItemRequest& request,
                                 base::Arena& arena) {
  TRY_VOID(check_table_name(request.table_name));
  engine::GetItemRequest get;
  get.table_name = request.table_name;
  TRY(get.key, to_attributes(request.key, arena));
  get.projection = to_view(request.projection);
  TRY(get.parameters, to_parameters(request.names, {}, arena));
  get.consistent = request.consistent_read;
  TRY(const engine::GetItemResult result, base::sync_wait(engine::get_item(engine, get, arena)));
  GetItemResponse response;
  if (result.item && result.projection) {
    base::Buffer text;
    result.projection->append(text, *result.item, arena);
    TRY(response.item, to_item(text.view(), arena));
  } else if (result.item) {
    TRY(response.item, to_item(*result.item, arena));
  }
  response.consumed_capacity = wanted_capacity(result.consumed, request.return_consumed_capacity);
  return response;
}

}  // namespace stator::embed
