#include "engine/update_item.h"

#include "api/answers.h"
#include "api/item_write_input.h"
#include "api/operations.h"
#include "api/usage.h"

namespace stator::api {
namespace {

// The attributes that ReturnValues asks for; left out of the answer where there are none.
void write_attributes(JsonWriter& out, const engine::UpdateOutcome& outcome, std::string_view wanted,
                      base::Arena& arena) {
  const bool old = wanted == "ALL_OLD" || wanted == "UPDATED_OLD";
  const std::optional<item::StoredItem>& item = old ? outcome.write.before : outcome.write.after;
  if (wanted == "NONE" || !item) return;
  if (wanted.starts_with("ALL_")) {
    out.key("Attributes").raw(item->text());
    return;
  }
  base::Buffer text;
  if (outcome.targets.append(text, *item, arena) > 0) out.key("Attributes").raw(text.view());
}

}  // namespace

base::Task<Result<void>> update_item(Call& call) {
  CO_TRY(const ItemWriteInput input, read_item_write(call, WriteKind::update));
  const engine::UpdateItemRequest request = {input.table_name,
                                             input.attributes,
                                             input.update,
                                             input.condition,
                                             input.parameters,
                                             input.return_item_on_failure,
                                             input.collection_metrics};
  const Result<engine::UpdateOutcome> outcome =
      co_await engine::update_item(call.engine, request, call.arena);
  CO_TRY_VOID(outcome);
  note_consumed(call, outcome->write.consumed, metrics::Units::write);
  JsonWriter out(call.out);
  out.begin_object();
  write_attributes(out, *outcome, input.return_values, call.arena);
  write_write_footer(out, outcome->write, input);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
