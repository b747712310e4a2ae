#include <fmt/format.h>

#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/stream_input.h"
#include "api/violations.h"

namespace stator::api {
namespace {

constexpr std::int64_t kStreamsMax = 100;

struct ListStreamsInput {
  std::optional<std::string_view> table;
  std::optional<std::string_view> start;
  std::int64_t limit = kStreamsMax;
};

Result<ListStreamsInput> read_list_streams(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto table = in.string("TableName");
  const auto start = in.string("ExclusiveStartStreamArn");
  const auto limit = in.integer("Limit");
  TRY_VOID(state.result());
  Violations violations;
  if (table && !table->starts_with("arn:")) violations.name("tableName", table);
  violations.length("exclusiveStartStreamArn", start, 37, 1024);
  violations.range("limit", limit, 1, kStreamsMax);
  TRY_VOID(violations.result());
  if (start && !start->starts_with("arn:")) return invalid(fmt::format("Invalid StreamArn: {}", *start));
  ListStreamsInput input{std::nullopt, start, limit.value_or(kStreamsMax)};
  if (table) {
    TRY(input.table, table_name_of(call, *table));
  }
  return input;
}

}  // namespace

base::Task<Result<void>> list_streams(Call& call) {
  CO_TRY(const ListStreamsInput input, read_list_streams(call));
  JsonWriter out(call.out);
  out.begin_object().key("Streams").begin_array();
  bool started = !input.start;
  std::int64_t count = 0;
  std::string last;
  bool more = false;
  for (const auto& [table, stream] : engine::list_streams(call.engine)) {
    if (input.table && *input.table != table->name) continue;
    const std::string arn = stream_arn(call, *table, *stream);
    if (!started) {
      started = arn == *input.start;
      continue;
    }
    if (count == input.limit) {
      more = true;
      break;
    }
    ++count;
    out.begin_object().key("StreamArn").string(arn).key("TableName").string(table->name);
    out.key("StreamLabel").string(stream->label).end_object();
    last = arn;
  }
  out.end_array();
  if (more) out.key("LastEvaluatedStreamArn").string(last);
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
