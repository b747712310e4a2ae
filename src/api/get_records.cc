#include <fmt/format.h>

#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/stream_input.h"
#include "api/violations.h"

namespace stator::api {
namespace {

constexpr std::int64_t kIteratorLifetimeMs = 15 * 60 * 1000;

struct GetRecordsInput {
  ReadIterator place;
  engine::StreamOfTable stream;
  std::int64_t limit = engine::kRecordsMax;
};

Result<GetRecordsInput> read_get_records(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto text = in.string("ShardIterator");
  const auto limit = in.integer("Limit");
  Violations violations;
  violations.required("shardIterator", text.has_value());
  violations.length("shardIterator", text, 1, 2048);
  violations.range("limit", limit, 1, engine::kRecordsMax);
  TRY_VOID(state.result());
  TRY_VOID(violations.result());
  GetRecordsInput input;
  TRY(input.place, decode_iterator(*text, call.arena));
  TRY(input.stream, stream_of_arn(call, input.place.arn));
  if (input.place.iterator.shard.slot >= input.stream.stream->shards) return invalid("Invalid ShardIterator");
  if (call.engine.clock.now_ms() - input.place.iterator.issued_ms > kIteratorLifetimeMs) {
    return fail(ErrorCode::expired_iterator, "The shard iterator has expired and can no longer be used");
  }
  input.limit = limit.value_or(engine::kRecordsMax);
  return input;
}

std::string_view event_name(engine::ChangeKind kind) {
  if (kind == engine::ChangeKind::insert) return "INSERT";
  return kind == engine::ChangeKind::modify ? "MODIFY" : "REMOVE";
}

void write_record(JsonWriter& out, const Call& call, const GetRecordsInput& input,
                  const engine::ChangeRecord& record, std::uint64_t position) {
  const engine::Stream& stream = *input.stream.stream;
  out.begin_object();
  out.key("eventID").string(fmt::format("{:08x}{:04x}{:04x}{:016x}", input.stream.table->id, stream.id,
                                        input.place.iterator.shard.slot, position));
  out.key("eventName").string(event_name(record.kind));
  out.key("eventVersion").string("1.1");
  out.key("eventSource").string("aws:dynamodb");
  out.key("awsRegion").string(call.region);
  out.key("dynamodb").begin_object();
  out.key("ApproximateCreationDateTime").integer(record.created_ms / 1000);
  out.key("Keys").raw(record.key->text());
  if (record.after) out.key("NewImage").raw(record.after->text());
  if (record.before) out.key("OldImage").raw(record.before->text());
  out.key("SequenceNumber").string(engine::sequence_number(position));
  out.key("SizeBytes").integer(static_cast<std::int64_t>(engine::record_bytes(record)));
  out.key("StreamViewType").string(stream.view_type);
  out.end_object();
  if (record.by_service) {
    out.key("userIdentity").begin_object();
    out.key("PrincipalId").string("dynamodb.amazonaws.com").key("Type").string("Service");
    out.end_object();
  }
  out.end_object();
}

}  // namespace

base::Task<Result<void>> get_records(Call& call) {
  CO_TRY(const GetRecordsInput input, read_get_records(call));
  JsonWriter out(call.out);
  out.begin_object().key("Records").begin_array();
  std::int64_t records = 0;
  std::int64_t oldest_ms = 0;
  const engine::TakeRecord take = [&](const engine::ChangeRecord& record, std::uint64_t position) {
    write_record(out, call, input, record, position);
    if (records++ == 0) oldest_ms = record.created_ms;
  };
  const Result<engine::RecordPage> page =
      co_await engine::read_records(call.engine, input.stream, input.place.iterator.shard,
                                    input.place.iterator.position, static_cast<std::size_t>(input.limit), take);
  CO_TRY_VOID(page);
  out.end_array();
  if (call.usage != nullptr) {
    metrics::TableCounters& table = call.usage->touch({input.stream.table->id, input.stream.table->name});
    metrics::StreamCounters& stream = call.usage->recorder().stream(table, input.stream.stream->label);
    stream.records.add(records);
    stream.bytes.add(static_cast<std::int64_t>(call.out.size()));
    if (records > 0) stream.age_ms.add(call.engine.clock.now_ms() - oldest_ms);
  }
  // A closed shard has an end; an open one always has more to come.
  if (!page->finished) {
    const ShardIterator next{input.place.iterator.shard, page->next, call.engine.clock.now_ms()};
    out.key("NextShardIterator").string(encode_iterator(input.place.arn, next));
  }
  out.end_object();
  co_return Result<void>();
}

}  // namespace stator::api
