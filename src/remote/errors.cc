#include "remote/errors.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "client/client.h"
#include "remote/json.h"

namespace stator::remote {
namespace {

struct KindOfName {
  std::string_view name;
  ErrorKind kind;
};
constexpr KindOfName kKinds[] = {
    {"ValidationException", ErrorKind::validation},
    {"SerializationException", ErrorKind::validation},
    {"ResourceNotFoundException", ErrorKind::resource_not_found},
    {"ResourceInUseException", ErrorKind::resource_in_use},
    {"ConditionalCheckFailedException", ErrorKind::conditional_check_failed},
    {"LimitExceededException", ErrorKind::limit_exceeded},
    {"ItemCollectionSizeLimitExceededException", ErrorKind::item_collection_size_limit_exceeded},
    {"TransactionCanceledException", ErrorKind::transaction_canceled},
    {"TransactionConflictException", ErrorKind::transaction_conflict},
    {"TransactionInProgressException", ErrorKind::transaction_in_progress},
    {"IdempotentParameterMismatchException", ErrorKind::idempotent_parameter_mismatch},
    {"ProvisionedThroughputExceededException", ErrorKind::provisioned_throughput_exceeded},
    {"ThrottlingException", ErrorKind::throttling},
    {"RequestLimitExceeded", ErrorKind::throttling},
    {"AccessDeniedException", ErrorKind::access_denied},
    {"UnrecognizedClientException", ErrorKind::access_denied},
    {"InvalidSignatureException", ErrorKind::access_denied},
    {"MissingAuthenticationTokenException", ErrorKind::access_denied},
    {"IncompleteSignatureException", ErrorKind::access_denied},
    {"ServiceUnavailable", ErrorKind::unavailable},
};

ErrorKind kind_of(std::string_view name) {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const KindOfName& one) { return one.name == name; });
  return found == std::end(kKinds) ? ErrorKind::internal : found->kind;
}

std::optional<Item> item_member(const Json& body) {
  const auto found = body.find("Item");
  if (found == body.end()) return std::nullopt;
  Result<Item> item = to_item(*found);
  if (!item) return std::nullopt;
  return std::move(*item);
}

}  // namespace

DatabaseError to_database_error(const Error& error) {
  const client::CallFailure* failure = client::failure_of(error);
  if (failure == nullptr) {
    const bool mistake = error.code == ErrorCode::validation;
    return {.kind = mistake ? ErrorKind::validation : ErrorKind::unavailable,
            .name = mistake ? "ValidationException" : "ServiceUnavailable",
            .message = error.message,
            .item = {},
            .reasons = {}};
  }
  DatabaseError made{.kind = kind_of(failure->code),
                     .name = failure->code.empty() ? "InternalServerError" : failure->code,
                     .message = failure->message,
                     .item = {},
                     .reasons = {}};
  if (!failure->body.is_object()) return made;
  made.item = item_member(failure->body);
  const auto reasons = failure->body.find("CancellationReasons");
  if (reasons == failure->body.end() || !reasons->is_array()) return made;
  for (const Json& reason : *reasons) {
    if (!reason.is_object()) continue;
    made.reasons.push_back(
        {text_member(reason, "Code"), text_member(reason, "Message"), item_member(reason)});
  }
  return made;
}

}  // namespace stator::remote
