#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/stream_input.h"
#include "api/violations.h"

namespace stator::api {
namespace {

struct GetShardIteratorInput {
  std::string_view arn;
  engine::StreamOfTable stream;
  std::string_view shard_id;
  std::string_view type;
  std::optional<std::uint64_t> position;  // where a sequence number was given
};

Result<GetShardIteratorInput> read_get_shard_iterator(const Call& call) {
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

  GetShardIteratorInput input;
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
  input.shard_id = *shard_id;
  if (by_number) {
    const auto position = engine::position_of(*sequence);
    if (!position) {
      return invalid("One or more parameter values were invalid: Invalid SequenceNumber: " + std::string(*sequence));
    }
    input.position = *type == "AFTER_SEQUENCE_NUMBER" ? *position + 1 : *position;
  }
  return input;
}

base::Task<Result<engine::ShardStart>> find_shard(Call& call, const GetShardIteratorInput& input) {
  const Result<std::vector<engine::Shard>> shards = co_await engine::list_shards(call.engine, input.stream);
  CO_TRY_VOID(shards);
  for (const engine::Shard& shard : *shards) {
    if (engine::shard_id(*input.stream.stream, shard.slot, shard.opened_ms) == input.shard_id) {
      co_return engine::ShardStart{shard.slot, shard.first};
    }
  }
  co_return fail(ErrorCode::table_not_found, "Requested resource not found: Shard does not exist");
}

}  // namespace

base::Task<Result<void>> get_shard_iterator(Call& call) {
  CO_TRY(const GetShardIteratorInput input, read_get_shard_iterator(call));
  const Result<engine::ShardStart> shard = co_await find_shard(call, input);
  CO_TRY_VOID(shard);
  std::uint64_t position = input.position.value_or(shard->first);
  if (input.position) {
    const Result<void> kept = co_await engine::check_kept(call.engine, input.stream, *shard, position);
    CO_TRY_VOID(kept);
  }
  if (input.type == "LATEST") {
    const Result<std::optional<std::uint64_t>> newest =
        co_await engine::last_position(call.engine, input.stream, *shard);
    CO_TRY_VOID(newest);
    if (*newest) position = **newest + 1;
  }
  const ShardIterator iterator{*shard, position, call.engine.clock.now_ms()};
  JsonWriter out(call.out);
  out.begin_object().key("ShardIterator").string(encode_iterator(input.arn, iterator)).end_object();
  co_return Result<void>();
}

}  // namespace stator::api
