#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "design/migrate/diff.h"
#include "design/report/text_table.h"

namespace stator::design {

namespace {

using OrderedJson = nlohmann::ordered_json;

std::string files_of(const DesignDiff& diff) {
  std::vector<std::string> files;
  for (const Model* model : diff.before) files.push_back(model->file);
  return listed(files);
}

std::string_view mode_text(MigrationMode mode) { return mode == MigrationMode::copy ? "copy" : "in place"; }

TextTable work_table(const DesignDiff& diff) {
  TextTable table({{"table"},
                   {"entity"},
                   {"how"},
                   {"items", Align::right},
                   {"WCU", Align::right},
                   {"WCU of indexes", Align::right},
                   {"RCU", Align::right}});
  for (const EntityWork& one : diff.work) {
    table.add({one.source, one.entity, std::string(mode_text(one.mode)), figure(one.items), figure(one.write_units),
               figure(one.index_write_units), figure(one.read_units)});
  }
  if (diff.index_build_units > 0) table.add({"", "index build", "", "", "", figure(diff.index_build_units), ""});
  if (diff.scan_units > 0) table.add({"", "scan", "", "", "", "", figure(diff.scan_units)});
  return table;
}

std::string cost_text(const DesignDiff& diff) {
  return fmt::format("In all {} items, {} WCU and {} RCU: {} {} on demand.", figure(diff.items()),
                     figure(diff.write_units()), figure(diff.read_units()), money(diff.money), diff.currency);
}

bool has_work(const DesignDiff& diff) { return diff.backfills() || diff.index_build_units > 0; }

}  // namespace

std::string diff_text(const DesignDiff& diff) {
  std::string out = fmt::format("{} -> {}\n", files_of(diff), diff.after->file);
  if (diff.changes.empty() && diff.obstacles.empty()) return out + "\nNo difference.\n";
  out += "\nChanges\n";
  for (const DesignChange& change : diff.changes) {
    out += fmt::format("  {}: {} [{}]\n      {}: {}\n", change.subject, change.text, change.kind,
                       effect_text(change.effect), change.consequence);
  }
  if (has_work(diff)) out += "\nWork\n" + work_table(diff).text("  ") + cost_text(diff) + "\n";
  if (!diff.obstacles.empty()) out += "\nIn the way\n";
  for (const Obstacle& one : diff.obstacles) {
    out += fmt::format("  {}: {}\n      cure: {}\n", one.subject, one.reason, one.cure);
  }
  if (!diff.plan.empty()) out += "\nPlan\n";
  for (std::size_t at = 0; at < diff.plan.size(); ++at) {
    out += fmt::format("  {}. {}: {}\n", at + 1, diff.plan[at].name, diff.plan[at].text);
  }
  return out;
}

std::string diff_markdown(const DesignDiff& diff) {
  std::string out = fmt::format("## Design changes: {} to {}\n\n", files_of(diff), diff.after->file);
  if (diff.changes.empty() && diff.obstacles.empty()) return out + "No difference.\n";
  TextTable table({{"subject"}, {"kind"}, {"change"}, {"needs"}, {"consequence"}});
  for (const DesignChange& change : diff.changes) {
    table.add({change.subject, fmt::format("`{}`", change.kind), change.text, std::string(effect_text(change.effect)),
               change.consequence});
  }
  out += table.markdown() + "\n";
  if (has_work(diff)) out += work_table(diff).markdown() + "\n" + cost_text(diff) + "\n\n";
  for (const Obstacle& one : diff.obstacles) {
    out += fmt::format("- **In the way:** {}: {}. Cure: {}.\n", one.subject, one.reason, one.cure);
  }
  if (!diff.obstacles.empty()) out += "\n";
  for (std::size_t at = 0; at < diff.plan.size(); ++at) {
    out += fmt::format("{}. **{}**: {}\n", at + 1, diff.plan[at].name, diff.plan[at].text);
  }
  return out;
}

std::string diff_json(const DesignDiff& diff) {
  OrderedJson out;
  out["before"] = OrderedJson::array();
  for (const Model* model : diff.before) out["before"].push_back({{"file", model->file}, {"table", model->table.name}});
  out["after"] = {{"file", diff.after->file}, {"table", diff.after->table.name}};
  out["changes"] = OrderedJson::array();
  for (const DesignChange& change : diff.changes) {
    out["changes"].push_back({{"kind", change.kind},
                              {"subject", change.subject},
                              {"text", change.text},
                              {"effect", effect_text(change.effect)},
                              {"consequence", change.consequence}});
  }
  out["work"] = OrderedJson::array();
  for (const EntityWork& one : diff.work) {
    out["work"].push_back({{"table", one.source},
                           {"entity", one.entity},
                           {"mode", mode_text(one.mode)},
                           {"items", one.items},
                           {"writeUnits", one.write_units},
                           {"indexWriteUnits", one.index_write_units},
                           {"readUnits", one.read_units}});
  }
  out["total"] = {{"items", diff.items()},
                  {"writeUnits", diff.write_units()},
                  {"readUnits", diff.read_units()},
                  {"onDemand", diff.money},
                  {"currency", diff.currency}};
  out["obstacles"] = OrderedJson::array();
  for (const Obstacle& one : diff.obstacles) {
    out["obstacles"].push_back({{"subject", one.subject}, {"reason", one.reason}, {"cure", one.cure}});
  }
  out["plan"] = OrderedJson::array();
  for (const PlanStep& step : diff.plan) out["plan"].push_back({{"step", step.name}, {"text", step.text}});
  return out.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace stator::design
