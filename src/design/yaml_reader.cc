#include "design/yaml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace stator::design {
namespace {

// The number of edits from one word to another, for "did you mean".
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// A decimal number and the unit behind it; nothing if the text does not begin with a number.
std::optional<std::pair<double, std::string>> split_unit(const YAML::Node& node) {
  if (!node.IsScalar()) return std::nullopt;
  std::string text = node.Scalar();
  text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  std::string unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size() : unit.find_first_not_of(' '));
  return std::pair(value, unit);
}

using Units = std::initializer_list<std::pair<std::string_view, double>>;

std::optional<double> read_measure(LoadContext& context, const YAML::Node& node, std::string_view what, Units units,
                                   std::string_view expected) {
  if (const auto split = split_unit(node); split && split->first >= 0) {
    for (const auto& [unit, factor] : units) {
      if (split->second == unit) return split->first * factor;
    }
  }
  context.problem(position_of(node), fmt::format("{}: expected {}, found {}", what, expected, found_text(node)));
  return std::nullopt;
}

}  // namespace

void LoadContext::problem(Position position, std::string message) {
  problems.push_back(Problem{file, position, std::move(message)});
}

Position position_of(const YAML::Node& node) {
  const YAML::Mark mark = node.Mark();
  if (mark.is_null()) return {1, 1};
  return {mark.line + 1, mark.column + 1};
}

std::string found_text(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Scalar:
      return "\"" + node.Scalar() + "\"";
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Map:
      return "a map";
    default:
      return "nothing";
  }
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string* best = nullptr;
  // Short words are near to everything; longer ones may have two letters exchanged and one wrong.
  if (word.size() < 3) return "";
  std::size_t best_distance = std::min<std::size_t>(word.size() / 2, 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best = &candidate;
    best_distance = distance;
  }
  return best == nullptr ? "" : fmt::format("; did you mean \"{}\"?", *best);
}

std::optional<std::string> read_text(LoadContext& context, const YAML::Node& node, std::string_view what) {
  if (node.IsScalar()) return node.Scalar();
  context.problem(position_of(node), fmt::format("{}: expected a text, found {}", what, found_text(node)));
  return std::nullopt;
}

std::optional<double> read_number(LoadContext& context, const YAML::Node& node, std::string_view what) {
  return read_measure(context, node, what, {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}},
                      "a number not below zero, such as 250, 20k or 1.5M");
}

std::optional<double> read_share(LoadContext& context, const YAML::Node& node, std::string_view what) {
  constexpr std::string_view kExpected = "a share from 0 to 1, or from 0% to 100%";
  const std::optional<double> share = read_measure(context, node, what, {{"", 1}, {"%", 0.01}}, kExpected);
  if (!share || *share <= 1) return share;
  context.problem(position_of(node), fmt::format("{}: expected {}, found {}", what, kExpected, found_text(node)));
  return std::nullopt;
}

std::optional<double> read_bytes(LoadContext& context, const YAML::Node& node, std::string_view what) {
  return read_measure(context, node, what, {{"", 1}, {"B", 1}, {"KB", 1024}, {"MB", 1024.0 * 1024}},
                      "a size in bytes, such as 300, 2KB or 1MB");
}

std::optional<double> read_seconds(LoadContext& context, const YAML::Node& node, std::string_view what) {
  return read_measure(context, node, what, {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86'400}},
                      "a time in seconds, such as 90, 15m, 12h or 30d");
}

std::optional<double> read_signed(LoadContext& context, const YAML::Node& node, std::string_view what) {
  if (const auto split = split_unit(node); split && split->second.empty()) return split->first;
  context.problem(position_of(node), fmt::format("{}: expected a number, found {}", what, found_text(node)));
  return std::nullopt;
}

std::optional<bool> read_flag(LoadContext& context, const YAML::Node& node, std::string_view what) {
  return read_choice<bool>(context, node, what, {{"true", true}, {"false", false}});
}

std::optional<Template> read_template(LoadContext& context, const YAML::Node& node, std::string_view what) {
  const std::optional<std::string> text = read_text(context, node, what);
  if (!text) return std::nullopt;
  Result<Template> parsed = Template::parse(*text, position_of(node));
  if (parsed) return std::move(*parsed);
  context.problem(position_of(node), fmt::format("{}: {}", what, parsed.error().message));
  return std::nullopt;
}

std::vector<std::string> read_texts(LoadContext& context, const YAML::Node& node, std::string_view what) {
  if (node.IsScalar()) return {node.Scalar()};
  std::vector<std::string> texts;
  if (!node.IsSequence()) {
    context.problem(position_of(node), fmt::format("{}: expected a list of texts, found {}", what, found_text(node)));
    return texts;
  }
  for (const YAML::Node& one : node) {
    if (std::optional<std::string> text = read_text(context, one, what)) texts.push_back(std::move(*text));
  }
  return texts;
}

std::vector<Allowance> read_allowances(LoadContext& context, const YAML::Node& node) {
  std::vector<Allowance> allowances;
  for (const Entry& entry : read_entries(context, node, "allow")) {
    const std::optional<std::string> reason = read_text(context, entry.value, "allow " + entry.key);
    if (!reason) continue;
    if (reason->empty()) context.problem(entry.position, "allow " + entry.key + ": expected the reason as a text");
    allowances.push_back({entry.key, *reason, entry.position});
  }
  return allowances;
}

std::vector<Entry> read_entries(LoadContext& context, const YAML::Node& node, std::string_view what) {
  std::vector<Entry> entries;
  if (!node.IsMap()) {
    context.problem(position_of(node), fmt::format("{}: expected a map, found {}", what, found_text(node)));
    return entries;
  }
  std::set<std::string> seen;
  for (const auto& pair : node) {
    if (!pair.first.IsScalar()) {
      context.problem(position_of(pair.first), fmt::format("{}: expected a name before the colon", what));
      continue;
    }
    const std::string& key = pair.first.Scalar();
    if (!seen.insert(key).second) {
      context.problem(position_of(pair.first), fmt::format("{}: {} is there twice", what, key));
      continue;
    }
    entries.push_back({key, position_of(pair.first), pair.second});
  }
  return entries;
}

}  // namespace stator::design
