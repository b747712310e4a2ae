#include "embed/errors.h"

#include <string_view>

#include "embed/convert.h"
#include "engine/request.h"
#include "engine/transact_write_items.h"

namespace stator::embed {
namespace {

struct Naming {
  ErrorKind kind = ErrorKind::internal;
  std::string_view name = "InternalServerError";
};

Naming naming(ErrorCode code) {
  using enum ErrorKind;
  switch (code) {
    case ErrorCode::validation:
      return {validation, "ValidationException"};
    case ErrorCode::table_not_found:
      return {resource_not_found, "ResourceNotFoundException"};
    case ErrorCode::table_in_use:
      return {resource_in_use, "ResourceInUseException"};
    case ErrorCode::condition_failed:
      return {conditional_check_failed, "ConditionalCheckFailedException"};
    case ErrorCode::limit_exceeded:
      return {limit_exceeded, "LimitExceededException"};
    case ErrorCode::collection_too_large:
      return {item_collection_size_limit_exceeded, "ItemCollectionSizeLimitExceededException"};
    case ErrorCode::transaction_canceled:
      return {transaction_canceled, "TransactionCanceledException"};
    case ErrorCode::transaction_conflict:
      return {transaction_conflict, "TransactionConflictException"};
    case ErrorCode::transaction_in_progress:
      return {transaction_in_progress, "TransactionInProgressException"};
    case ErrorCode::idempotent_mismatch:
      return {idempotent_parameter_mismatch, "IdempotentParameterMismatchException"};
    case ErrorCode::throughput_exceeded:
      return {provisioned_throughput_exceeded, "ProvisionedThroughputExceededException"};
    case ErrorCode::throttled:
      return {throttling, "ThrottlingException"};
    case ErrorCode::access_denied:
      return {access_denied, "AccessDeniedException"};
    case ErrorCode::out_of_space:
      return {out_of_space, "ServiceUnavailable"};
    case ErrorCode::unavailable:
      return {unavailable, "ServiceUnavailable"};
    case ErrorCode::corruption:
      return {corruption, "InternalServerError"};
    default:
      return {};  // HTTP and signatures are not met here
  }
}

// The item that an error carries as wire text; nothing where there is none.
std::optional<Item> item_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  base::Arena arena;
  Result<Item> item = to_item(text, arena);
  if (!item) return std::nullopt;
  return std::move(*item);
}

}  // namespace

DatabaseError to_database_error(const Error& error) {
  const Naming named = naming(error.code);
  DatabaseError result{.kind = named.kind,
                       .name = std::string(named.name),
                       .message = error.message,
                       .item = {},
                       .reasons = {}};
  if (const auto* failed = dynamic_cast<const engine::ConditionFailedDetail*>(error.detail.get());
      failed != nullptr) {
    result.item = item_of(failed->item_text);
  }
  if (const auto* canceled =
          dynamic_cast<const engine::TransactionCanceledDetail*>(error.detail.get())) {
    for (const engine::CancellationReason& reason : canceled->reasons) {
      result.reasons.push_back({reason.code, reason.message, item_of(reason.item_text)});
    }
  }
  return result;
}

}  // namespace stator::embed
