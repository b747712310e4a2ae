#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"

// The static proof: every rule over the whole model. Pure; a finding says what is wrong, why, and what cures it.
namespace stator::design {

enum class Severity : std::uint8_t { error, warning };

struct Finding {
  std::string rule;
  Severity severity = Severity::error;
  Position position;
  std::string subject;  // "pattern A5", "entity Order", "index GSI1"
  std::string message;
  std::string cure;
  std::optional<std::string> allowed;  // the reason, where the model allows it; then it does not count
};

// A pattern and the call that it is, for the report.
struct ResolvedPattern {
  std::string pattern;
  std::string description;
  std::string call;    // "Query GSI1"
  double calls = 1;
  double items = 0;    // that one use reads or writes
  bool proven = true;  // no error was found in it
};

struct CheckReport {
  std::string file;
  std::string model;
  std::vector<ResolvedPattern> patterns;
  std::vector<Finding> findings;  // in the order of the file

  [[nodiscard]] std::size_t errors() const;
  [[nodiscard]] std::size_t warnings() const;
  [[nodiscard]] std::size_t allowed() const;
};

[[nodiscard]] CheckReport check(const Model& model);

// The formats of `stator design check`.
// `explain` adds to each finding why its rule is there.
[[nodiscard]] std::string check_text(const CheckReport& report, bool explain);
[[nodiscard]] std::string check_json(const CheckReport& report);
[[nodiscard]] std::string check_sarif(const CheckReport& report);
[[nodiscard]] std::string check_markdown(const CheckReport& report);
// All rules with severity and explanation, as Markdown.
[[nodiscard]] std::string rules_markdown();

[[nodiscard]] std::string_view severity_text(Severity severity) noexcept;

}  // namespace stator::design
