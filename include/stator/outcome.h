#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "stator/attribute_value.h"

namespace stator {

// What a program may want to tell apart.
enum class ErrorKind : std::uint8_t {
  validation,
  resource_not_found,
  resource_in_use,
  conditional_check_failed,
  limit_exceeded,
  item_collection_size_limit_exceeded,
  transaction_canceled,
  transaction_conflict,
  transaction_in_progress,
  idempotent_parameter_mismatch,
  provisioned_throughput_exceeded,
  throttling,
  access_denied,
  out_of_space,  // the disk is full or not writable
  unavailable,   // closed, or in use by another process
  corruption,    // bytes on disk are not what was written
  internal,
  version_conflict,  // of typed models alone: somebody else has written the object since it was
                     // read
};

// Why a transaction was cancelled, for one of its items.
struct CancellationReason {
  std::string code = {};  // "None", "ConditionalCheckFailed", "TransactionConflict", ...
  std::string message = {};
  std::optional<Item> item = {};  // where return_item_on_failure asked for it
};

struct DatabaseError {
  ErrorKind kind = ErrorKind::internal;
  std::string name = {};     // as on the wire: "ConditionalCheckFailedException"
  std::string message = {};  // as on the wire, complete
  // The item that a condition was checked against, where return_item_on_failure asked for it.
  std::optional<Item> item = {};
  // Of ErrorKind::transaction_canceled: one for each item, in order.
  std::vector<CancellationReason> reasons = {};

  [[nodiscard]] std::string text() const { return name + ": " + message; }
};

// Thrown by Outcome::value() alone, for programs that prefer exceptions.
class DatabaseException : public std::runtime_error {
 public:
  explicit DatabaseException(const DatabaseError& error)
      : std::runtime_error(error.text()), error_(std::make_shared<DatabaseError>(error)) {}
  [[nodiscard]] const DatabaseError& error() const noexcept { return *error_; }

 private:
  std::shared_ptr<const DatabaseError> error_;  // shared: copying an exception must not throw
};

// The answer of a call or the reason why there is none. `if (outcome)`, then `*outcome`,
// `outcome->`; else `outcome.error()`. Both need the right case; value() throws DatabaseException
// in the wrong one.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Outcome(DatabaseError error) : content_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  [[nodiscard]] T& operator*() & noexcept { return *std::get_if<0>(&content_); }
  [[nodiscard]] const T& operator*() const& noexcept { return *std::get_if<0>(&content_); }
  [[nodiscard]] T&& operator*() && noexcept { return std::move(*std::get_if<0>(&content_)); }
  [[nodiscard]] T* operator->() noexcept { return std::get_if<0>(&content_); }
  [[nodiscard]] const T* operator->() const noexcept { return std::get_if<0>(&content_); }
  [[nodiscard]] const DatabaseError& error() const noexcept { return *std::get_if<1>(&content_); }

  T& value() & {
    if (!ok()) throw DatabaseException(error());
    return **this;
  }
  const T& value() const& {
    if (!ok()) throw DatabaseException(error());
    return **this;
  }
  T value() && {  // by value, so that `for (x : call().value().items)` does not dangle
    if (!ok()) throw DatabaseException(error());
    return std::move(**this);
  }

 private:
  std::variant<T, DatabaseError> content_;
};

template <>
class [[nodiscard]] Outcome<void> {
 public:
  Outcome() = default;
  Outcome(DatabaseError error) : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const noexcept { return !error_; }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] const DatabaseError& error() const noexcept { return *error_; }
  void value() const {
    if (error_) throw DatabaseException(*error_);
  }

 private:
  std::optional<DatabaseError> error_;
};

}  // namespace stator
