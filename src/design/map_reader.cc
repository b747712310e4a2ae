#include <fmt/format.h>

#include <algorithm>

#include "design/yaml_reader.h"

namespace stator::design {

MapReader::MapReader(LoadContext& context, const YAML::Node& node, std::string what, std::vector<std::string> known)
    : context_(context),
      what_(std::move(what)),
      position_(position_of(node)),
      entries_(read_entries(context, node, what_)) {
  for (const Entry& entry : entries_) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const std::string hint = suggestion(entry.key, known);
    context_.problem(entry.position, fmt::format("{}: there is no \"{}\" here{}", what_, entry.key,
                                                 hint.empty() ? "; expected " + alternatives(known) : hint));
  }
}

std::optional<YAML::Node> MapReader::find(std::string_view key) const {
  for (const Entry& entry : entries_) {
    if (entry.key == key && !entry.value.IsNull()) return entry.value;
  }
  return std::nullopt;
}

std::optional<YAML::Node> MapReader::need(std::string_view key) const {
  std::optional<YAML::Node> found = find(key);
  if (!found) context_.problem(position_, fmt::format("{}: expected \"{}\", which is missing", what_, key));
  return found;
}

std::string MapReader::name(std::string_view key) const { return fmt::format("{} of {}", key, what_); }

void MapReader::text(std::string_view key, std::string& out) const {
  const std::optional<YAML::Node> node = find(key);
  if (!node) return;
  if (std::optional<std::string> value = read_text(context_, *node, name(key))) out = std::move(*value);
}

void MapReader::number(std::string_view key, double& out) const {
  std::optional<double> value;
  number(key, value);
  if (value) out = *value;
}

void MapReader::number(std::string_view key, std::optional<double>& out) const {
  const std::optional<YAML::Node> node = find(key);
  if (!node) return;
  if (const std::optional<double> value = read_number(context_, *node, name(key))) out = value;
}

void MapReader::flag(std::string_view key, bool& out) const {
  const std::optional<YAML::Node> node = find(key);
  if (!node) return;
  if (const std::optional<bool> value = read_flag(context_, *node, name(key))) out = *value;
}

void MapReader::texts(std::string_view key, std::vector<std::string>& out) const {
  const std::optional<YAML::Node> node = find(key);
  if (node) out = read_texts(context_, *node, name(key));
}

void MapReader::allowances(std::vector<Allowance>& out) const {
  const std::optional<YAML::Node> node = find("allow");
  if (node) out = read_allowances(context_, *node);
}

}  // namespace stator::design
