#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/stream_input.h"
#include "api/violations.h"

namespace stator::api {
namespace {

struct Input {
  std::string_view arn;
  engine::StreamOfTable stream;
  std::uint8_t shard = 0;
  std::string_view type;
  std::uint64_t position = 0;
};

Result<Input> read(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto arn = in.string("StreamArn");
  const auto shard_id = in.string("ShardId");
  const auto type = in.string("ShardIteratorType");
  const auto sequence = in.string("SequenceNumber");
  Violations violations;
  violations.required("streamArn", arn.has_value());
  violations.length("streamArn", arn, 37, 1024);
  violations.required("shardId", shard_id.has_value());
  violations.length("shardId", shard_id, 28, 65);
  violations.required("shardIteratorType", type.has_value());
  violations.one_of("shardIteratorType", type,
                    {"AFTER_SEQUENCE_NUMBER", "LATEST", "AT_SEQUENCE_NUMBER", "TRIM_HORIZON"});
  violations.length("sequenceNumber", sequence, 21, 40);
  TRY_VOID(state.result());
  TRY_VOID(violations.result());

  Input input;
  input.arn = *arn;
  input.type = *type;
  const bool by_number = type->ends_with("_SEQUENCE_NUMBER");
  if (by_number && !sequence) {
    return invalid("One or more parameter values were invalid: SequenceNumber must be specified with ShardIteratorType: " +
                   std::string(*type));
  }
  if (!by_number && sequence) {
    return invalid("One or more parameter values were invalid: SequenceNumber must not be specified with "
                   "ShardIteratorType: " +
                   std::string(*type));
  }
  TRY(input.stream, stream_of_arn(call, *arn));
  const auto shard = engine::find_shard(*input.stream.stream, *shard_id);
  if (!shard) return fail(ErrorCode::table_not_found, "Requested resource not found: Shard does not exist");
  input.shard = *shard;
  if (by_number) {
    const auto position = engine::position_of(*sequence);
    if (!position) {
      return invalid("One or more parameter values were invalid: Invalid SequenceNumber: " + std::string(*sequence));
    }
    input.position = *type == "AFTER_SEQUENCE_NUMBER" ? *position + 1 : *position;
  }
  return input;
}

}  // namespace

base::Task<Result<void>> get_shard_iterator(Call& call) {
  CO_TRY(Input input, read(call));
  if (input.type == "LATEST") {
    const Result<std::optional<std::uint64_t>> newest =
        co_await engine::last_position(call.engine, *input.stream.table, *input.stream.stream, input.shard);
    CO_TRY_VOID(newest);
    input.position = *newest ? **newest + 1 : 0;
  }
  const ShardIterator iterator{input.shard, input.position, call.engine.clock.now_ms()};
  JsonWriter out(call.out);
  out.begin_object().key("ShardIterator").string(encode_iterator(input.arn, iterator)).end_object();
  co_return Result<void>();
}

}  // namespace stator::api
