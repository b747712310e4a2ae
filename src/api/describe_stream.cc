#include <fmt/format.h>

#include <algorithm>

#include "api/json_writer.h"
#include "api/operations.h"
#include "api/reader.h"
#include "api/stream_input.h"
#include "api/table_description.h"
#include "api/violations.h"

namespace stator::api {
namespace {

constexpr std::int64_t kShardsMax = 100;

struct DescribeStreamInput {
  std::string_view arn;
  engine::StreamOfTable stream;
  std::optional<std::string_view> start;
  std::int64_t limit = kShardsMax;
  std::optional<std::string_view> parent;  // of ShardFilter: only its children are shown
};

Result<DescribeStreamInput> read_describe_stream(const Call& call) {
  ReadState state(call.arena);
  const Reader in(call.body, state);
  const auto arn = in.string("StreamArn");
  const auto limit = in.integer("Limit");
  const auto start = in.string("ExclusiveStartShardId");
  const auto filter = in.object("ShardFilter", "ShardFilter");
  Violations violations;
  violations.required("streamArn", arn.has_value());
  violations.length("streamArn", arn, 37, 1024);
  violations.range("limit", limit, 1, kShardsMax);
  violations.length("exclusiveStartShardId", start, 28, 65);
  if (filter) {
    const auto type = filter->string("Type");
    violations.one_of("shardFilter.type", type, {"CHILD_SHARDS"});
    violations.required("shardFilter.type", type.has_value());
    const auto shard_id = filter->string("ShardId");
    violations.required("shardFilter.shardId", shard_id.has_value());
    violations.length("shardFilter.shardId", shard_id, 28, 65);
  }
  TRY_VOID(state.result());
  TRY_VOID(violations.result());
  DescribeStreamInput input;
  input.arn = *arn;
  TRY(input.stream, stream_of_arn(call, *arn));
  input.start = start;
  input.limit = limit.value_or(kShardsMax);
  if (filter) input.parent = filter->string("ShardId");
  return input;
}

void write_shard(JsonWriter& out, const engine::Shard& shard, std::string_view id, std::string_view parent) {
  out.begin_object().key("ShardId").string(id);
  out.key("SequenceNumberRange").begin_object();
  out.key("StartingSequenceNumber").string(engine::sequence_number(shard.first));
  if (shard.last) out.key("EndingSequenceNumber").string(engine::sequence_number(*shard.last));
  out.end_object();
  if (!parent.empty()) out.key("ParentShardId").string(parent);
  out.end_object();
}

struct NamedShard {
  const engine::Shard* shard;
  std::string id;
  std::string parent;  // empty: it has none
};

std::vector<NamedShard> name_shards(const engine::Stream& stream, const std::vector<engine::Shard>& shards) {
  std::vector<NamedShard> result;
  for (const engine::Shard& shard : shards) {
    NamedShard& entry = result.emplace_back(NamedShard{&shard, engine::shard_id(stream, shard.slot, shard.opened_ms), {}});
    if (shard.parent_opened_ms) entry.parent = engine::shard_id(stream, shard.slot, *shard.parent_opened_ms);
  }
  return result;
}

// The shard whose children are asked for is one of the stream. It may be older than its records are kept: then its children still
// name it.
Result<void> check_filter_shard(const DescribeStreamInput& input, const std::vector<NamedShard>& shards) {
  if (!input.parent) return {};
  const bool known = std::any_of(shards.begin(), shards.end(), [&](const NamedShard& shard) {
    return shard.id == *input.parent || shard.parent == *input.parent;
  });
  if (known) return {};
  return invalid(fmt::format("One or more parameter values were invalid: ShardFilter.ShardId {} is not a shard of the stream {}",
                             *input.parent, input.arn));
}

void write_shards(JsonWriter& out, const DescribeStreamInput& input, const std::vector<NamedShard>& shards) {
  out.key("Shards").begin_array();
  std::string_view last;
  std::int64_t count = 0;
  bool more = false;
  for (const NamedShard& shard : shards) {
    if (input.parent && shard.parent != *input.parent) continue;
    if (input.start && shard.id <= *input.start) continue;
    if (count == input.limit) {
      more = true;
      break;
    }
    ++count;
    last = shard.id;
    write_shard(out, *shard.shard, shard.id, shard.parent);
  }
  out.end_array();
  if (more) out.key("LastEvaluatedShardId").string(last);
}

}  // namespace

base::Task<Result<void>> describe_stream(Call& call) {
  CO_TRY(const DescribeStreamInput input, read_describe_stream(call));
  const engine::Stream& stream = *input.stream.stream;
  const Result<std::vector<engine::Shard>> shards = co_await engine::list_shards(call.engine, input.stream);
  CO_TRY_VOID(shards);
  const std::vector<NamedShard> named_shards = name_shards(stream, *shards);
  CO_TRY_VOID(check_filter_shard(input, named_shards));
  JsonWriter out(call.out);
  out.begin_object().key("StreamDescription").begin_object();
  out.key("StreamArn").string(input.arn);
  out.key("StreamLabel").string(stream.label);
  out.key("StreamStatus").string(stream.disabled_ms == 0 ? "ENABLED" : "DISABLED");
  out.key("StreamViewType").string(stream.view_type);
  out.key("CreationRequestDateTime").time(stream.created_ms);
  out.key("TableName").string(input.stream.table->name);
  write_key_schema(out, input.stream.table->key);
  write_shards(out, input, named_shards);
  out.end_object().end_object();
  co_return Result<void>();
}

}  // namespace stator::api
