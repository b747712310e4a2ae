#include <fmt/format.h>

#include "design/check.h"
#include "design/report/text_table.h"
#include "design/rules/rule.h"

namespace stator::design {
namespace {

TextTable pattern_table(const CheckReport& report) {
  TextTable table({{"pattern"}, {"what"}, {"call"}, {"calls", Align::right}, {"items", Align::right}, {"verdict"}});
  for (const ResolvedPattern& one : report.patterns) {
    table.add(
        {one.pattern, one.description, one.call, figure(one.calls), rounded(one.items), one.proven ? "ok" : "ERROR"});
  }
  return table;
}

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string summary(const CheckReport& report) {
  return fmt::format("{}, {}, {} allowed", plural(report.errors(), "error"), plural(report.warnings(), "warning"),
                     report.allowed());
}

}  // namespace

std::string check_text(const CheckReport& report, bool explain) {
  std::string text = fmt::format("{}: model {}\n\n{}", report.file, report.model, pattern_table(report).text("  "));
  if (!report.findings.empty()) text += '\n';
  for (const Finding& finding : report.findings) {
    text += fmt::format("{}:{}:{}: {}: {}: {} [{}]\n", report.file, finding.position.line, finding.position.column,
                        finding.allowed ? "allowed" : severity_text(finding.severity), finding.subject, finding.message,
                        finding.rule);
    if (explain) text += fmt::format("    why: {}\n", find_rule(finding.rule)->explanation);
    text += finding.allowed ? fmt::format("    reason: {}\n", *finding.allowed)
                            : fmt::format("    cure: {}\n", finding.cure);
  }
  return text + "\n" + summary(report) + "\n";
}

std::string check_markdown(const CheckReport& report) {
  std::string text = fmt::format("## Design check: {}\n\n{}\n", report.model, pattern_table(report).markdown());
  if (!report.findings.empty()) {
    TextTable table({{"where"}, {"severity"}, {"rule"}, {"finding"}, {"cure or reason"}});
    for (const Finding& finding : report.findings) {
      table.add({fmt::format("{}:{}", report.file, finding.position.line),
                 std::string(finding.allowed ? "allowed" : severity_text(finding.severity)),
                 fmt::format("`{}`", finding.rule), fmt::format("{}: {}", finding.subject, finding.message),
                 finding.allowed ? *finding.allowed : finding.cure});
    }
    text += table.markdown() + "\n";
  }
  return text + fmt::format("**{}**\n", summary(report));
}

std::string rules_markdown() {
  TextTable table({{"rule"}, {"severity"}, {"why"}});
  for (const Rule& rule : all_rules()) {
    table.add(
        {fmt::format("`{}`", rule.name), std::string(severity_text(rule.severity)), std::string(rule.explanation)});
  }
  return table.markdown();
}

}  // namespace stator::design
