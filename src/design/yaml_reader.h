#pragma once

#include <yaml-cpp/yaml.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "design/load.h"

// What the loaders of the parts of a model share: reading one value with a message that names its place and what was
// expected. Nothing throws or stops: a wrong value is noted, a default is used, and reading goes on, so that a person
// sees all problems at once. Included by the load_*.cc files alone.
namespace stator::design {

struct LoadContext {
  std::string file;
  std::vector<Problem> problems;

  void problem(Position position, std::string message);
};

[[nodiscard]] Position position_of(const YAML::Node& node);
// What stands there, for messages: `"some"`, a list, a map, nothing.
[[nodiscard]] std::string found_text(const YAML::Node& node);
// `all, keys_only or include`
[[nodiscard]] std::string alternatives(const std::vector<std::string>& words);
// `; did you mean "projection"?`, or nothing where no candidate is near.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

// A value: each of these notes a problem and returns nothing if it is not what was asked for.
std::optional<std::string> read_text(LoadContext& context, const YAML::Node& node, std::string_view what);
// A number not below zero, with an optional k, M or G (counts), and a percent sign for a share.
std::optional<double> read_number(LoadContext& context, const YAML::Node& node, std::string_view what);
// 0 .. 1, or 0% .. 100%
std::optional<double> read_share(LoadContext& context, const YAML::Node& node, std::string_view what);
// 300, 2KB, 1MB
std::optional<double> read_bytes(LoadContext& context, const YAML::Node& node, std::string_view what);
// 90, 15m, 12h, 30d
std::optional<double> read_seconds(LoadContext& context, const YAML::Node& node, std::string_view what);
std::optional<double> read_signed(LoadContext& context, const YAML::Node& node, std::string_view what);
std::optional<bool> read_flag(LoadContext& context, const YAML::Node& node, std::string_view what);
std::optional<Template> read_template(LoadContext& context, const YAML::Node& node, std::string_view what);
// A list of texts; one text counts as a list of one.
std::vector<std::string> read_texts(LoadContext& context, const YAML::Node& node, std::string_view what);
std::vector<Allowance> read_allowances(LoadContext& context, const YAML::Node& node);

template <class Value>
std::optional<Value> read_choice(LoadContext& context, const YAML::Node& node, std::string_view what,
                                 std::initializer_list<std::pair<std::string_view, Value>> choices) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) words.emplace_back(word);
  if (node.IsScalar()) {
    for (const auto& [word, value] : choices) {
      if (node.Scalar() == word) return value;
    }
  }
  context.problem(position_of(node), std::string(what) + ": expected " + alternatives(words) + ", found " +
                                         found_text(node) +
                                         (node.IsScalar() ? suggestion(node.Scalar(), words) : ""));
  return std::nullopt;
}

// The entries of a map, checked: keys are texts and come once. Empty, with a problem noted, if it is no map.
struct Entry {
  std::string key;
  Position position;
  YAML::Node value;
};
std::vector<Entry> read_entries(LoadContext& context, const YAML::Node& node, std::string_view what);

// A map with known keys: an unknown one is a problem. `what` names the map in messages: `pattern A1`.
class MapReader {
 public:
  MapReader(LoadContext& context, const YAML::Node& node, std::string what, std::vector<std::string> known);

  // The value of a key; nothing if it is not there (or null).
  [[nodiscard]] std::optional<YAML::Node> find(std::string_view key) const;
  // The same, and its absence is a problem.
  [[nodiscard]] std::optional<YAML::Node> need(std::string_view key) const;
  [[nodiscard]] Position position() const { return position_; }
  [[nodiscard]] std::string name(std::string_view key) const;  // `rate of pattern A1`
  [[nodiscard]] LoadContext& context() const { return context_; }

  void text(std::string_view key, std::string& out) const;
  void number(std::string_view key, double& out) const;
  void number(std::string_view key, std::optional<double>& out) const;
  void flag(std::string_view key, bool& out) const;
  void texts(std::string_view key, std::vector<std::string>& out) const;
  void allowances(std::vector<Allowance>& out) const;

 private:
  LoadContext& context_;
  std::string what_;
  Position position_;
  std::vector<Entry> entries_;
};

// The loaders of the parts.
void load_table(LoadContext& context, const YAML::Node& node, Table& table);
void load_indexes(LoadContext& context, const YAML::Node& node, const Table& table, std::vector<Index>& indexes);
void load_entities(LoadContext& context, const YAML::Node& node, std::vector<Entity>& entities);
void load_relationships(LoadContext& context, const YAML::Node& node, std::vector<Relationship>& relationships);
void load_patterns(LoadContext& context, const YAML::Node& node, std::vector<Pattern>& patterns);
void load_principals(LoadContext& context, const YAML::Node& node, std::vector<Principal>& principals);
// `key:` of a pattern or an action.
std::vector<KeyCondition> load_key_conditions(LoadContext& context, const YAML::Node& node, std::string_view what);
// Names that one part uses and another declares.
void check_references(LoadContext& context, const Model& model);

}  // namespace stator::design
