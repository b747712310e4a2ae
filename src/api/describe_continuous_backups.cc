#include "api/errors.h"
#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/violations.h"

namespace stator::api {
namespace {

Result<engine::TablePtr> find_backed_up(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto sent = in.string("TableName");
  TRY_VOID(state.result());
  Violations violations;
  violations.required("tableName", sent.has_value());
  TRY_VOID(violations.result());
  TRY(const std::string_view name, table_name_of(call, *sent));
  Result<engine::TablePtr> table = call.engine.catalog.find(name);
  if (table) return table;
  constexpr std::string_view kType = "com.amazonaws.dynamodb.v20120810#TableNotFoundException";
  return tl::unexpected(Error{ErrorCode::table_not_found, "Table not found: " + std::string(name),
                              std::make_shared<TypeDetail>(kType)});
}

}  // namespace

// What a table of the service shows as long as nobody asks for recovery to a point in time, which
// does not exist here.
base::Task<Result<void>> describe_continuous_backups(Call& call) {
  CO_TRY(const engine::TablePtr table, find_backed_up(call));
  const bool creating = table->status(call.engine.clock.now_ms()) == engine::TableStatus::creating;
  JsonWriter out(call.out);
  out.begin_object().key("ContinuousBackupsDescription").begin_object();
  out.key("ContinuousBackupsStatus").string(creating ? "DISABLED" : "ENABLED");
  out.key("PointInTimeRecoveryDescription").begin_object();
  out.key("PointInTimeRecoveryStatus").string("DISABLED");
  out.end_object().end_object().end_object();
  co_return Result<void>();
}

}  // namespace stator::api
