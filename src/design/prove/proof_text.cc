#include <fmt/format.h>

#include <algorithm>

#include "design/prove/prove.h"
#include "design/report/text_table.h"

namespace stator::design {

std::string proof_text(const Model& model, const Proof& proof, bool times) {
  std::string out = fmt::format("{}: {} items", model.name, figure(static_cast<double>(proof.items)));
  if (times && proof.load_s > 0) {
    out += fmt::format(", loaded in {} s ({} a second)", rounded(proof.load_s),
                       figure(static_cast<double>(proof.items) / proof.load_s));
  }
  out += "\n\n";
  std::vector<TextTable::Column> columns = {{"pattern"},
                                            {"call"},
                                            {"runs", Align::right},
                                            {"calls", Align::right},
                                            {"items", Align::right},
                                            {"units", Align::right}};
  if (times) {
    columns.push_back({"p50 ms", Align::right});
    columns.push_back({"p99 ms", Align::right});
  }
  columns.push_back({"verdict"});
  TextTable table(columns);
  for (const Outcome& outcome : proof.outcomes) {
    std::vector<std::string> cells = {outcome.name,
                                      outcome.call,
                                      figure(static_cast<double>(outcome.runs)),
                                      figure(outcome.calls, 1),
                                      figure(outcome.items, 1),
                                      figure(outcome.units, 1)};
    if (times) {
      cells.push_back(figure(percentile(outcome.latencies_ms, 0.5), 2, true));
      cells.push_back(figure(percentile(outcome.latencies_ms, 0.99), 2, true));
    }
    cells.push_back(outcome.failures.empty() ? "proved" : fmt::format("FAILED ({})", outcome.failed));
    table.add(std::move(cells));
  }
  out += table.text("  ") + "\n";
  for (const Outcome& outcome : proof.outcomes) {
    for (const std::string& note : outcome.notes) out += fmt::format("{}: {}\n", outcome.name, note);
    for (const std::string& failure : outcome.failures) out += fmt::format("{} FAILED: {}\n", outcome.name, failure);
  }
  const auto failed = std::count_if(proof.outcomes.begin(), proof.outcomes.end(),
                                    [](const Outcome& outcome) { return !outcome.failures.empty(); });
  out += failed == 0 ? fmt::format("All {} proved: one call each, the right items in order, units as predicted.\n",
                                   proof.outcomes.size())
                     : fmt::format("{} of {} failed.\n", failed, proof.outcomes.size());
  return out;
}

std::string proof_json(const Model& model, const Proof& proof) {
  nlohmann::ordered_json out;
  out["model"] = model.name;
  out["items"] = proof.items;
  out["loadSeconds"] = proof.load_s;
  out["proved"] = proof.holds();
  out["outcomes"] = nlohmann::ordered_json::array();
  for (const Outcome& outcome : proof.outcomes) {
    out["outcomes"].push_back({{"name", outcome.name},
                               {"call", outcome.call},
                               {"runs", outcome.runs},
                               {"calls", outcome.calls},
                               {"items", outcome.items},
                               {"units", outcome.units},
                               {"p50Milliseconds", percentile(outcome.latencies_ms, 0.5)},
                               {"p99Milliseconds", percentile(outcome.latencies_ms, 0.99)},
                               {"proved", outcome.failures.empty()},
                               {"failures", outcome.failures},
                               {"notes", outcome.notes}});
  }
  return out.dump(2) + "\n";
}

}  // namespace stator::design
