#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "api/test_support.h"
#include "base/result.h"

namespace stator::scripts {

// One request of a script and the answer that it expects.
struct Case {
  std::string before;  // comments and empty lines above it, as they stand in the file
  std::string operation;
  std::string request;   // JSON, as it stands in the file
  std::string expected;  // lines below the ----
  int line = 0;          // of the operation, from 1
};

struct Script {
  std::vector<Case> cases;
  std::string after;  // what follows the last case
};

[[nodiscard]] Result<Script> parse_script(std::string_view text);
[[nodiscard]] std::string format_script(const Script& script);

// An answer as scripts show it: the body, or the name and the message of an error.
[[nodiscard]] std::string show_answer(const api::testing::Answer& answer);
// Whether the answer is what a case expects: "ok" is any answer that is no error.
[[nodiscard]] bool fits_expected(const api::testing::Answer& answer, std::string_view expected);
// What was written by hand, in the layout of show_answer().
[[nodiscard]] std::string normalize_expected(std::string_view expected);

}  // namespace stator::scripts
