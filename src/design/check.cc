#include "design/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "design/resolve.h"
#include "design/rules/rule.h"

namespace stator::design {
namespace {

std::size_t count(const CheckReport& report, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity && !finding.allowed; }));
}

std::string call_text(const Resolution& resolution) {
  return resolution.index == nullptr ? resolution.call : resolution.call + " " + resolution.index->name;
}

}  // namespace

std::string_view severity_text(Severity severity) noexcept { return severity == Severity::error ? "error" : "warning"; }

std::size_t CheckReport::errors() const { return count(*this, Severity::error); }
std::size_t CheckReport::warnings() const { return count(*this, Severity::warning); }
std::size_t CheckReport::allowed() const {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(),
                                                [](const Finding& finding) { return finding.allowed.has_value(); }));
}

CheckReport check(const Model& model) {
  CheckReport report;
  report.file = model.file;
  report.model = model.name;
  std::vector<Resolution> resolutions;
  for (const Pattern& pattern : model.patterns) resolutions.push_back(resolve(model, pattern));
  RuleContext context(model, resolutions, report.findings);
  for (const Rule& rule : all_rules()) {
    context.begin(rule);
    rule.run(context);
  }
  for (const Resolution& resolution : resolutions) {
    const Pattern& pattern = *resolution.pattern;
    const std::string subject = "pattern " + pattern.name;
    const bool wrong = std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
      return finding.subject == subject && finding.severity == Severity::error && !finding.allowed;
    });
    report.patterns.push_back(
        {pattern.name, pattern.description, call_text(resolution), resolution.calls, resolution.items_average, !wrong});
  }
  std::stable_sort(report.findings.begin(), report.findings.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.position.line, a.position.column) < std::pair(b.position.line, b.position.column);
  });
  return report;
}

}  // namespace stator::design
