#include "engine/delete_item.h"

#include "api/answers.h"
#include "api/item_write_input.h"
#include "api/operations.h"
#include "api/usage.h"

namespace stator::api {

base::Task<Result<void>> delete_item(Call& call) {
  CO_TRY(const ItemWriteInput input, read_item_write(call, WriteKind::remove));
  const engine::DeleteItemRequest request = {input.table_name,
                                            input.attributes,
                                            input.condition,
                                            input.parameters,
                                            input.return_item_on_failure,
                                            input.collection_metrics};
  const Result<engine::WriteOutcome> outcome =
      co_await engine::delete_item(call.engine, request, call.arena);
  CO_TRY_VOID(outcome);
  note_consumed(call, outcome->consumed, metrics::Units::write);
  write_item_answer(call.out, *outcome, input);
  co_return Result<void>();
}

}  // namespace stator::api
