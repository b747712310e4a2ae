#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/violations.h"

namespace stator::api {
namespace {

constexpr std::int64_t kTablesMax = 100;

struct ListTablesInput {
  std::optional<std::string_view> start;
  std::int64_t limit = kTablesMax;
};

Result<ListTablesInput> read_list_tables(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto start = in.string("ExclusiveStartTableName");
  const auto limit = in.integer("Limit");
  TRY_VOID(state.result());
  Violations violations;
  violations.name("exclusiveStartTableName", start);
  violations.range("limit", limit, 1, kTablesMax);
  TRY_VOID(violations.result());
  return ListTablesInput{start, limit.value_or(kTablesMax)};
}

}  // namespace

base::Task<Result<void>> list_tables(Call& call) {
  CO_TRY(const ListTablesInput input, read_list_tables(call));
  const engine::Catalog::Names names = call.engine.catalog.names();
  JsonWriter out(call.out);
  out.begin_object();
  out.key("TableNames").begin_array();
  auto next = input.start ? names.upper_bound(*input.start) : names.begin();
  std::string_view last;
  for (std::int64_t i = 0; i < input.limit && next != names.end(); ++i, ++next) {
    last = *next;
    out.string(last);
  }
  out.end_array();
  if (next != names.end()) out.key("LastEvaluatedTableName").string(last);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
