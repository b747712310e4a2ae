#include "embed/errors.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

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
  const std::set<ErrorCode> of_http = {
      ErrorCode::serialization,        ErrorCode::unknown_operation, ErrorCode::missing_authentication,
      ErrorCode::incomplete_signature, ErrorCode::invalid_signature, ErrorCode::unrecognized_client,
      ErrorCode::request_too_large,
  };
  for (int i = 0; i <= static_cast<int>(ErrorCode::internal); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    if (of_http.contains(code)) continue;
    EXPECT_EQ(to_database_error({code, "why"}).name, name_on_the_wire(code)) << "code " << i;
    EXPECT_EQ(to_database_error({code, "why"}).message, "why");
  }
}

}  // namespace
}  // namespace stator::embed
