#include <fmt/format.h>

#include "api/json_writer.h"
#include "api/operations.h"
#include "api/table_description.h"

namespace stator::api {

base::Task<Result<void>> describe_time_to_live(Call& call) {
  CO_TRY(const std::string_view name, read_table_name(call));
  CO_TRY(const engine::TablePtr table, call.engine.catalog.find(name));
  const engine::TableStatus status = table->status(call.engine.clock.now_ms());
  if (status == engine::TableStatus::creating || status == engine::TableStatus::deleting) {
    co_return invalid(fmt::format(
        "Cannot describe time to live while table is in {0} state: Current table state is {0}",
        status_name(status)));
  }
  const bool enabled = !table->ttl.attribute.empty();
  JsonWriter out(call.out);
  out.begin_object().key("TimeToLiveDescription").begin_object();
  if (enabled) out.key("AttributeName").string(table->ttl.attribute);
  out.key("TimeToLiveStatus").string(enabled ? "ENABLED" : "DISABLED");
  out.end_object().end_object();
  co_return Result<void>();
}

}  // namespace stator::api
