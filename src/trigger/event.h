#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "client/client.h"

// Stream records in the form in which Lambda gives them to a function.
namespace stator::trigger {

using client::Json;

// One record on its way to the handler.
struct Record {
  std::string sequence_number;
  std::int64_t created_ms = 0;  // to the second, as streams tell it
  std::size_t key_hash = 0;     // of the item: records of one item have the same
  std::uint64_t ticket = 0;     // its place in the shard's Tracker
  std::string text;             // the Lambda event record as JSON
};

// Turns a record of GetRecords into the event record of Lambda, in place: the ARN of the stream is added, the time
// becomes a floating-point number, and the members of userIdentity begin with small letters.
[[nodiscard]] Result<void> to_lambda_record(Json& record, const std::string& stream_arn);

// A Lambda event record, ready for delivery.
[[nodiscard]] Record make_record(const Json& lambda_record);

// {"Records":[...]}
[[nodiscard]] std::string lambda_event(std::span<const Record> records);

}  // namespace stator::trigger
