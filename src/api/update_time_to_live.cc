#include "engine/update_time_to_live.h"

#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/violations.h"

namespace stator::api {
namespace {

struct UpdateTimeToLiveInput {
  std::string_view table;
  std::string_view attribute;
  bool enabled = false;
};

Result<UpdateTimeToLiveInput> read_update_time_to_live(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto name = in.string("TableName");
  const auto specification = in.object("TimeToLiveSpecification", "TimeToLiveSpecification");
  Violations violations;
  violations.required("timeToLiveSpecification", specification.has_value());
  UpdateTimeToLiveInput input;
  if (specification) {
    const auto attribute = specification->string("AttributeName");
    const auto enabled = specification->boolean("Enabled");
    violations.required("timeToLiveSpecification.attributeName", attribute.has_value());
    violations.length("timeToLiveSpecification.attributeName", attribute, 1, 255);
    violations.required("timeToLiveSpecification.enabled", enabled.has_value());
    input.attribute = attribute.value_or("");
    input.enabled = enabled.value_or(false);
  }
  TRY_VOID(state.result());
  TRY_VOID(check_required_table_name(name));
  TRY_VOID(violations.result());
  TRY(input.table, table_name_of(call, *name));
  return input;
}

}  // namespace

base::Task<Result<void>> update_time_to_live(Call& call) {
  CO_TRY(const UpdateTimeToLiveInput input, read_update_time_to_live(call));
  const Result<engine::TablePtr> updated =
      co_await engine::update_time_to_live(call.engine, input.table, input.attribute, input.enabled);
  CO_TRY_VOID(updated);
  JsonWriter out(call.out);
  out.begin_object().key("TimeToLiveSpecification").begin_object();
  out.key("AttributeName").string(input.attribute).key("Enabled").boolean(input.enabled);
  out.end_object().end_object();
  co_return Result<void>();
}

}  // namespace stator::api
