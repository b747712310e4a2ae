#include "embed/errors.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "api/errors.h"

namespace stator::embed {
namespace {

// "ValidationException" of {"__type":"com.amazon.coral.validate#ValidationException",...}
std::string name_on_the_wire(ErrorCode code) {
  base::Buffer body;
  api::write_error(body, Error{code, ""});
  const std::string_view text = body.view();
  const std::size_t begin = text.find('#') + 1;
  return std::string(text.substr(begin, text.find('"', begin) - begin));
}

TEST(ToDatabaseError, HasTheNamesOfTheWire) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::internal); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    const DatabaseError error = to_database_error({code, "why"});
    EXPECT_EQ(error.message, "why");
    // The rest are of signatures, HTTP and services that a program does not call here.
    const std::string expected =
        error.kind == ErrorKind::internal ? "InternalServerError" : name_on_the_wire(code);
    EXPECT_EQ(error.name, expected) << "code " << i;
  }
}

TEST(ToDatabaseError, TellsTheKindsApart) {
  const std::pair<ErrorCode, ErrorKind> cases[] = {
      {ErrorCode::validation, ErrorKind::validation},
      {ErrorCode::table_not_found, ErrorKind::resource_not_found},
      {ErrorCode::table_in_use, ErrorKind::resource_in_use},
      {ErrorCode::condition_failed, ErrorKind::conditional_check_failed},
      {ErrorCode::limit_exceeded, ErrorKind::limit_exceeded},
      {ErrorCode::collection_too_large, ErrorKind::item_collection_size_limit_exceeded},
      {ErrorCode::transaction_canceled, ErrorKind::transaction_canceled},
      {ErrorCode::transaction_conflict, ErrorKind::transaction_conflict},
      {ErrorCode::transaction_in_progress, ErrorKind::transaction_in_progress},
      {ErrorCode::idempotent_mismatch, ErrorKind::idempotent_parameter_mismatch},
      {ErrorCode::throughput_exceeded, ErrorKind::provisioned_throughput_exceeded},
      {ErrorCode::throttled, ErrorKind::throttling},
      {ErrorCode::access_denied, ErrorKind::access_denied},
      {ErrorCode::out_of_space, ErrorKind::out_of_space},
      {ErrorCode::unavailable, ErrorKind::unavailable},
      {ErrorCode::corruption, ErrorKind::corruption},
      {ErrorCode::conflict, ErrorKind::internal},
      {ErrorCode::internal, ErrorKind::internal},
  };
  for (const auto& [code, kind] : cases) EXPECT_EQ(to_database_error({code, ""}).kind, kind);
}

}  // namespace
}  // namespace stator::embed
