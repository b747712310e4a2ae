#include "client/failure.h"

#include <fmt/format.h>

#include <algorithm>

#include "client/client.h"

namespace stator::client {
namespace {

struct CodeOfName {
  std::string_view name;
  ErrorCode code;
};
constexpr CodeOfName kCodes[] = {
    {"ValidationException", ErrorCode::validation},
    {"SerializationException", ErrorCode::serialization},
    {"ResourceNotFoundException", ErrorCode::table_not_found},
    {"ResourceInUseException", ErrorCode::table_in_use},
    {"ConditionalCheckFailedException", ErrorCode::condition_failed},
    {"LimitExceededException", ErrorCode::limit_exceeded},
    {"TransactionCanceledException", ErrorCode::transaction_canceled},
    {"TransactionConflictException", ErrorCode::transaction_conflict},
    {"TransactionInProgressException", ErrorCode::transaction_in_progress},
    {"ExpiredIteratorException", ErrorCode::expired_iterator},
    {"TrimmedDataAccessException", ErrorCode::trimmed_data},
    {"ProvisionedThroughputExceededException", ErrorCode::throughput_exceeded},
    {"ThrottlingException", ErrorCode::throttled},
    {"Throttling", ErrorCode::throttled},
    {"RequestLimitExceeded", ErrorCode::throttled},
    {"AccessDeniedException", ErrorCode::access_denied},
    {"UnknownOperationException", ErrorCode::unknown_operation},
    {"UnrecognizedClientException", ErrorCode::unrecognized_client},
    {"InvalidSignatureException", ErrorCode::invalid_signature},
};

ErrorCode code_of(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kCodes), std::end(kCodes), [&](const CodeOfName& one) { return one.name == name; });
  return found == std::end(kCodes) ? ErrorCode::internal : found->code;
}

std::string text_member(const Json& body, const char* name) {
  if (!body.is_object()) return {};
  const auto found = body.find(name);
  return found != body.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

Error failed_call(const HttpAnswer& answer) {
  auto failure = std::make_shared<CallFailure>();
  failure->status = answer.status;
  failure->body = Json::parse(answer.body, nullptr, false);
  if (failure->body.is_discarded()) failure->body = nullptr;
  // "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"
  const std::string type = text_member(failure->body, "__type");
  failure->code = type.substr(type.find('#') == std::string::npos ? 0 : type.find('#') + 1);
  failure->message = text_member(failure->body, "message");
  if (failure->message.empty()) failure->message = text_member(failure->body, "Message");
  std::string text = failure->code.empty() ? fmt::format("HTTP status {}", answer.status) : failure->code;
  if (!failure->message.empty()) text += ": " + failure->message;
  return {code_of(failure->code), std::move(text), std::move(failure)};
}

bool worth_another_attempt(const Error& error) {
  const CallFailure* failure = failure_of(error);
  if (failure == nullptr) return error.code == ErrorCode::unavailable;
  if (failure->status >= 500) return failure->status != 501;
  return error.code == ErrorCode::throughput_exceeded || error.code == ErrorCode::throttled ||
         error.code == ErrorCode::transaction_in_progress || failure->status == 429;
}

const CallFailure* failure_of(const Error& error) { return dynamic_cast<const CallFailure*>(error.detail.get()); }

std::string_view wire_code(const Error& error) {
  const CallFailure* failure = failure_of(error);
  return failure == nullptr ? std::string_view() : std::string_view(failure->code);
}

}  // namespace stator::client
