#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/call.h"
#include "engine/streams.h"

namespace stator::api {

[[nodiscard]] std::string stream_arn(const Call& call, const engine::Table& table, const engine::Stream& stream);

// The stream of an ARN; ResourceNotFound or ValidationException otherwise.
[[nodiscard]] Result<engine::StreamOfTable> stream_of_arn(const Call& call, std::string_view arn);

// A place in a shard as clients carry it around: opaque to them, good for 15 minutes.
struct ShardIterator {
  engine::ShardStart shard;
  std::uint64_t position = 0;
  std::int64_t issued_ms = 0;
};
[[nodiscard]] std::string encode_iterator(std::string_view arn, const ShardIterator& iterator);
struct ReadIterator {
  std::string_view arn;
  ShardIterator iterator;
};
[[nodiscard]] Result<ReadIterator> decode_iterator(std::string_view text, base::Arena& arena);

}  // namespace stator::api
