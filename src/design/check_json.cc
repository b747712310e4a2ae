#include <nlohmann/json.hpp>

#include "design/check.h"
#include "design/rules/rule.h"

namespace stator::design {
namespace {

using OrderedJson = nlohmann::ordered_json;

// File names and model texts may hold bytes that are no UTF-8; they are replaced, not refused.
std::string dump(const OrderedJson& json) {
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace

std::string check_json(const CheckReport& report) {
  OrderedJson json;
  json["file"] = report.file;
  json["model"] = report.model;
  json["errors"] = report.errors();
  json["warnings"] = report.warnings();
  json["allowed"] = report.allowed();
  json["patterns"] = OrderedJson::array();
  for (const ResolvedPattern& one : report.patterns) {
    json["patterns"].push_back({{"name", one.pattern},
                                {"description", one.description},
                                {"call", one.call},
                                {"calls", one.calls},
                                {"items", one.items},
                                {"proven", one.proven}});
  }
  json["findings"] = OrderedJson::array();
  for (const Finding& finding : report.findings) {
    OrderedJson one = {{"rule", finding.rule},
                {"severity", severity_text(finding.severity)},
                {"line", finding.position.line},
                {"column", finding.position.column},
                {"subject", finding.subject},
                {"message", finding.message},
                {"explanation", find_rule(finding.rule)->explanation},
                {"cure", finding.cure}};
    if (finding.allowed) one["allowed"] = *finding.allowed;
    json["findings"].push_back(std::move(one));
  }
  return dump(json);
}

// SARIF 2.1.0, as code hosts show it beside the changed lines. What the model allows is a suppressed result.
std::string check_sarif(const CheckReport& report) {
  OrderedJson rules = OrderedJson::array();
  for (const Rule& rule : all_rules()) {
    rules.push_back({{"id", rule.name},
                     {"fullDescription", {{"text", rule.explanation}}},
                     {"defaultConfiguration", {{"level", severity_text(rule.severity)}}}});
  }
  OrderedJson results = OrderedJson::array();
  for (const Finding& finding : report.findings) {
    const OrderedJson location = {
        {"physicalLocation",
         {{"artifactLocation", {{"uri", report.file}}},
          {"region", {{"startLine", finding.position.line}, {"startColumn", finding.position.column}}}}}};
    OrderedJson one = {{"ruleId", finding.rule},
                {"level", severity_text(finding.severity)},
                {"message", {{"text", finding.subject + ": " + finding.message + ". " + finding.cure}}},
                {"locations", OrderedJson::array({location})}};
    if (finding.allowed) {
      one["suppressions"] = OrderedJson::array({{{"kind", "inSource"}, {"justification", *finding.allowed}}});
    }
    results.push_back(std::move(one));
  }
  const OrderedJson driver = {{"name", "stator design check"}, {"rules", rules}};
  OrderedJson json;
  json["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  json["version"] = "2.1.0";
  json["runs"] = OrderedJson::array({{{"tool", {{"driver", driver}}}, {"results", results}}});
  return dump(json);
}

}  // namespace stator::design
