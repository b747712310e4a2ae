#include <fmt/format.h>

#include "design/migrate/validate.h"
#include "design/report/text_table.h"

namespace stator::design {

std::string validation_text(const ValidationReport& report) {
  TextTable table({{"entity"}, {"source", Align::right}, {"target", Align::right}});
  for (const auto& [name, counts] : report.entities) {
    table.add({name, figure(static_cast<double>(counts.source)), figure(static_cast<double>(counts.target))});
  }
  std::string out = table.text("  ");
  out += fmt::format("{} items compared", figure(static_cast<double>(report.compared)));
  if (report.looked_again > 0) {
    out += fmt::format(", {} of them or of the target's again after a change",
                       figure(static_cast<double>(report.looked_again)));
  }
  if (report.unknown > 0)
    out += fmt::format(", {} of no entity left alone", figure(static_cast<double>(report.unknown)));
  if (report.holds()) return out + ": source and target agree.\n";
  out += fmt::format(": {} difference{}.\n", figure(static_cast<double>(report.found)), report.found == 1 ? "" : "s");
  for (const Difference& one : report.differences) {
    out += fmt::format("  {}: {} {}: {}\n", one.kind, one.entity, one.key, one.text);
  }
  if (report.found > report.differences.size()) {
    out += fmt::format("  and {} more\n", figure(static_cast<double>(report.found - report.differences.size())));
  }
  return out;
}

client::Json validation_json(const ValidationReport& report) {
  using client::Json;
  Json out = {{"agrees", report.holds()},   {"compared", report.compared}, {"lookedAgain", report.looked_again},
              {"unknown", report.unknown},  {"found", report.found},       {"readUnits", report.read_units},
              {"entities", Json::object()}, {"differences", Json::array()}};
  for (const auto& [name, counts] : report.entities) {
    out["entities"][name] = {{"source", counts.source}, {"target", counts.target}};
  }
  for (const Difference& one : report.differences) {
    out["differences"].push_back({{"kind", one.kind}, {"entity", one.entity}, {"key", one.key}, {"text", one.text}});
  }
  return out;
}

}  // namespace stator::design
