#include "engine/delete_table.h"

#include "api/operations.h"
#include "api/table_description.h"

namespace stator::api {

base::Task<Result<void>> delete_table(Call& call) {
  CO_TRY(const std::string_view name, read_table_name(call));
  const Result<engine::TableReport> report = co_await engine::delete_table(call.engine, name);
  CO_TRY_VOID(report);
  write_table_answer(call, "TableDescription", *report);
  co_return Result<void>();
}

}  // namespace stator::api
