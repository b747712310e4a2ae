#include "design/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "design/yaml_reader.h"

namespace stator::design {
namespace {

// A model is written by a person; a bound keeps a mistaken file name from filling the memory.
constexpr std::size_t kFileBytesMax = 16 * 1024 * 1024;

void load_model_node(LoadContext& context, const YAML::Node& root, Model& model) {
  if (!root.IsMap()) {
    context.problem(position_of(root),
                    "expected a model (a map that begins with stator_model: 1), found " + found_text(root));
    return;
  }
  const MapReader map(context, root, "model",
                      {"stator_model", "name", "description", "delimiter", "table", "indexes", "entities",
                       "relationships", "patterns", "principals", "allow"});
  if (const auto version = map.need("stator_model")) {
    if (!version->IsScalar() || version->Scalar() != kModelFormat) {
      context.problem(position_of(*version),
                      fmt::format("stator_model: expected {}, found {}", kModelFormat, found_text(*version)));
    }
  }
  map.text("name", model.name);
  map.text("description", model.description);
  if (const auto node = map.find("delimiter")) {
    const std::string text = read_text(context, *node, "delimiter").value_or("#");
    if (text.size() == 1) {
      model.delimiter = text.front();
    } else {
      context.problem(position_of(*node), "delimiter: expected one character, found " + found_text(*node));
    }
  }
  if (const auto table = map.need("table")) load_table(context, *table, model.table);
  if (const auto indexes = map.find("indexes")) load_indexes(context, *indexes, model.table, model.indexes);
  if (const auto entities = map.need("entities")) load_entities(context, *entities, model.entities);
  if (const auto node = map.find("relationships")) load_relationships(context, *node, model.relationships);
  if (const auto patterns = map.need("patterns")) load_patterns(context, *patterns, model.patterns);
  if (const auto principals = map.find("principals")) load_principals(context, *principals, model.principals);
  map.allowances(model.allow);
  if (model.name.empty()) model.name = model.table.name;
}

}  // namespace

std::string problem_text(const Problem& problem) {
  return fmt::format("{}:{}:{}: {}", problem.file, problem.position.line, problem.position.column, problem.message);
}

Loaded load_text(std::string_view text, const std::string& file_name) {
  LoadContext context{file_name, {}};
  Loaded loaded;
  loaded.model.file = file_name;
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    load_model_node(context, root, loaded.model);
    check_references(context, loaded.model);
  } catch (const YAML::Exception& error) {
    const Position place = error.mark.is_null() ? Position{1, 1} : Position{error.mark.line + 1, error.mark.column + 1};
    context.problem(place, fmt::format("not readable as YAML or JSON: {}", error.msg));
  }
  loaded.problems = std::move(context.problems);
  std::stable_sort(loaded.problems.begin(), loaded.problems.end(), [](const Problem& a, const Problem& b) {
    return std::pair(a.position.line, a.position.column) < std::pair(b.position.line, b.position.column);
  });
  return loaded;
}

Loaded load_file(const std::string& path) {
  Loaded failed;
  failed.model.file = path;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  if (file) {
    std::ostringstream contents;
    contents << file.rdbuf();
    text = std::move(contents).str();
  }
  if (!file) {
    failed.problems.push_back({path, {1, 1}, fmt::format("cannot be read: {}", std::strerror(errno))});
    return failed;
  }
  if (text.size() > kFileBytesMax) {
    failed.problems.push_back({path, {1, 1}, "is larger than 16 MB: this is not a model file"});
    return failed;
  }
  return load_text(text, path);
}

Result<Model> load_model(const std::string& path) {
  Loaded loaded = load_file(path);
  if (loaded.ok()) return std::move(loaded.model);
  std::string text;
  for (const Problem& problem : loaded.problems) text += (text.empty() ? "" : "\n") + problem_text(problem);
  return invalid(std::move(text));
}

}  // namespace stator::design
