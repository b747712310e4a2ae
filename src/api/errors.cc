#include "api/errors.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>

#include "api/cut.h"
#include "api/json_writer.h"
#include "capacity/admission.h"
#include "engine/request.h"
#include "engine/transact_write_items.h"

namespace stator::api {
namespace {

struct WireError {
  std::string_view type;
  int status = 400;
  std::string_view message_member = "message";
};

// Why a request was throttled. The member's name differs with the exception, as in the service's model.
void write_throttling(JsonWriter& writer, const capacity::ThrottleDetail& detail, ErrorCode code,
                      std::string_view arn_prefix) {
  const bool lower = code == ErrorCode::throttled && !detail.account_limit;
  writer.key(lower ? "throttlingReasons" : "ThrottlingReasons").begin_array();
  for (const capacity::ThrottleDetail::Entry& entry : detail.reasons) {
    writer.begin_object().key("reason").string(entry.reason);
    writer.key("resource").string(std::string(arn_prefix) + entry.resource).end_object();
  }
  writer.end_array();
}

WireError wire_error(const Error& error) {
  using enum ErrorCode;
  if (const auto* named = dynamic_cast<const TypeDetail*>(error.detail.get())) return {named->type};
  const auto* throttling = dynamic_cast<const capacity::ThrottleDetail*>(error.detail.get());
  if (throttling != nullptr && throttling->account_limit) {
    return {"com.amazonaws.dynamodb.v20120810#RequestLimitExceeded"};
  }
  switch (error.code) {
    case validation:
      return {"com.amazon.coral.validate#ValidationException"};
    case serialization:
      return {"com.amazon.coral.service#SerializationException", 400, "Message"};
    case table_not_found:
      return {"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"};
    case table_in_use:
      return {"com.amazonaws.dynamodb.v20120810#ResourceInUseException"};
    case condition_failed:
      return {"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"};
    case limit_exceeded:
      return {"com.amazonaws.dynamodb.v20120810#LimitExceededException"};
    case collection_too_large:
      return {"com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"};
    case transaction_canceled:
      return {"com.amazonaws.dynamodb.v20120810#TransactionCanceledException", 400, "Message"};
    case transaction_conflict:
      return {"com.amazonaws.dynamodb.v20120810#TransactionConflictException"};
    case transaction_in_progress:
      return {"com.amazonaws.dynamodb.v20120810#TransactionInProgressException"};
    case idempotent_mismatch:
      return {"com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException"};
    case expired_iterator:
      return {"com.amazonaws.dynamodb.v20120810#ExpiredIteratorException"};
    case trimmed_data:
      return {"com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException"};
    case duplicate_item:
      return {"com.amazonaws.dynamodb.v20120810#DuplicateItemException"};
    case throughput_exceeded:
      return {"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"};
    case throttled:
      return {"com.amazon.coral.availability#ThrottlingException"};
    case access_denied:
      return {"com.amazon.coral.service#AccessDeniedException", 400, "Message"};
    case unknown_operation:
      return {"com.amazon.coral.service#UnknownOperationException"};
    case missing_authentication:
      return {"com.amazon.coral.service#MissingAuthenticationTokenException"};
    case incomplete_signature:
      return {"com.amazon.coral.service#IncompleteSignatureException"};
    case invalid_signature:
      return {"com.amazon.coral.service#InvalidSignatureException"};
    case unrecognized_client:
      return {"com.amazon.coral.service#UnrecognizedClientException"};
    case request_too_large:
      return {"com.amazon.coral.service#RequestEntityTooLargeException", 413};
    case out_of_space:
    case unavailable:
      return {"com.amazonaws.dynamodb.v20120810#ServiceUnavailable", 503};
    case conflict:
    case corruption:
    case internal:
      break;
  }
  return {"com.amazonaws.dynamodb.v20120810#InternalServerError", 500};
}

void write_reasons(JsonWriter& writer, const std::vector<engine::CancellationReason>& reasons) {
  writer.key("CancellationReasons").begin_array();
  for (const engine::CancellationReason& reason : reasons) {
    writer.begin_object().key("Code").string(reason.code);
    if (!reason.message.empty()) writer.key("Message").string(cut(reason.message, kMessageBytesMax));
    if (!reason.item_text.empty()) writer.key("Item").raw(reason.item_text);
    writer.end_object();
  }
  writer.end_array();
}

// A disk that is full or a cluster that does not answer fails every request: that is told once a second.
void log_fault(const Error& error) {
  if (error.code == ErrorCode::out_of_space || error.code == ErrorCode::unavailable) {
    static std::atomic<std::int64_t> told_s{-1};
    const std::int64_t now_s = std::chrono::duration_cast<std::chrono::seconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count();
    if (told_s.exchange(now_s, std::memory_order_relaxed) == now_s) return;
  }
  std::fprintf(stderr, "stator: error: %s\n", error.message.c_str());
}

}  // namespace

int error_status(const Error& error) { return wire_error(error).status; }

std::string_view error_name(const Error& error) {
  const std::string_view type = wire_error(error).type;
  return type.substr(type.find('#') + 1);
}

int write_error(base::Buffer& out, const Error& error, std::string_view arn_prefix) {
  const WireError wire = wire_error(error);
  if (wire.status >= 500) log_fault(error);
  JsonWriter writer(out);
  writer.begin_object();
  writer.key("__type").string(wire.type);
  const auto* failed = dynamic_cast<const engine::ConditionFailedDetail*>(error.detail.get());
  const bool shows_item = failed != nullptr && !failed->item_text.empty();
  if (!error.message.empty()) {
    writer.key(shows_item ? "Message" : wire.message_member).string(cut(error.message, kMessageBytesMax));
  }
  if (shows_item) writer.key("Item").raw(failed->item_text);
  if (const auto* canceled = dynamic_cast<const engine::TransactionCanceledDetail*>(error.detail.get())) {
    write_reasons(writer, canceled->reasons);
  }
  if (const auto* throttling = dynamic_cast<const capacity::ThrottleDetail*>(error.detail.get())) {
    write_throttling(writer, *throttling, error.code, arn_prefix);
  }
  writer.end_object();
  return wire.status;
}

}  // namespace stator::api
