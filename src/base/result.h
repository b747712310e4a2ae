#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace stator {

// What went wrong, in the engine's words. Only api/ turns these into wire names and HTTP statuses.
enum class ErrorCode : std::uint8_t {
  validation,             // the request can never succeed
  serialization,          // the body does not have the shape of the operation
  table_not_found,        // ResourceNotFound
  table_in_use,           // ResourceInUse
  condition_failed,       // the condition expression was false
  limit_exceeded,         // an account or table limit
  collection_too_large,   // item collection above 10 GB
  transaction_canceled,   //
  transaction_conflict,   //
  transaction_in_progress,
  idempotent_mismatch,
  expired_iterator,       // of a stream
  trimmed_data,           // a stream position that is older than what is kept
  duplicate_item,         // PartiQL INSERT of an item that exists
  throughput_exceeded,    // provisioned throughput
  throttled,              // account or control plane rate
  access_denied,
  unknown_operation,
  missing_authentication,
  incomplete_signature,
  invalid_signature,
  unrecognized_client,
  request_too_large,
  conflict,      // store: a guard no longer holds; read again, decide again. Never leaves the engine.
  corruption,    // store: bytes on disk are not what was written
  out_of_space,  // store: something ran out and may come back: the disk is full or not writable, no file can be opened
  unavailable,   // store: closed, or the cluster does not answer
  internal,
};

// What an error carries besides its text, such as the item that failed a condition. Subclassed by the
// layer that produces it, read by the layer that writes the answer.
struct ErrorDetail {
  ErrorDetail() = default;
  ErrorDetail(const ErrorDetail&) = delete;
  ErrorDetail& operator=(const ErrorDetail&) = delete;
  virtual ~ErrorDetail() = default;
};

// What belongs into the log and not into an answer, such as the path of a file.
struct LogDetail final : ErrorDetail {
  explicit LogDetail(std::string text_in) : text(std::move(text_in)) {}
  std::string text;
};

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;
  // Shared because errors are copied (a failed group commit gives the same error to all its waiters).
  std::shared_ptr<const ErrorDetail> detail = nullptr;
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}
[[nodiscard]] inline tl::unexpected<Error> invalid(std::string message) {
  return fail(ErrorCode::validation, std::move(message));
}

}  // namespace stator

#define STATOR_CONCAT_(a, b) a##b
#define STATOR_CONCAT(a, b) STATOR_CONCAT_(a, b)

// TRY(const Table table, find(name)) returns the error to the caller, or binds the value.
// TRY_VOID(check(x)) does the same without binding a value; it takes a named Result too. The CO_ forms are for coroutines.
#define STATOR_TRY_IMPL(declaration, expression, result, give_back)         \
  auto result = (expression);                                               \
  if (!result) [[unlikely]]                                                 \
    give_back ::tl::unexpected<::stator::Error>(std::move(result).error()); \
  declaration = std::move(*result)
#define TRY(declaration, expression) \
  STATOR_TRY_IMPL(declaration, expression, STATOR_CONCAT(try_result_, __LINE__), return)
#define CO_TRY(declaration, expression) \
  STATOR_TRY_IMPL(declaration, expression, STATOR_CONCAT(try_result_, __LINE__), co_return)

#define STATOR_TRY_VOID_IMPL(expression, give_back)                               \
  do {                                                                            \
    auto&& try_void_result = (expression);                                        \
    if (!try_void_result) [[unlikely]]                                            \
      give_back ::tl::unexpected<::stator::Error>(try_void_result.error());       \
  } while (false)
#define TRY_VOID(expression) STATOR_TRY_VOID_IMPL(expression, return)
#define CO_TRY_VOID(expression) STATOR_TRY_VOID_IMPL(expression, co_return)
