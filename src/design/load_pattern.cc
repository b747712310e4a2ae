#include <fmt/format.h>

#include <algorithm>

#include "design/filter_text.h"
#include "design/yaml_reader.h"

namespace stator::design {
namespace {

std::optional<PatternKind> read_kind(LoadContext& context, const YAML::Node& node, const std::string& what) {
  return read_choice<PatternKind>(context, node, what,
                                  {{"get", PatternKind::get},
                                   {"query", PatternKind::query},
                                   {"scan", PatternKind::scan},
                                   {"put", PatternKind::put},
                                   {"update", PatternKind::update},
                                   {"delete", PatternKind::erase},
                                   {"batch_get", PatternKind::batch_get},
                                   {"batch_write", PatternKind::batch_write},
                                   {"transact_get", PatternKind::transact_get},
                                   {"transact_write", PatternKind::transact_write}});
}

bool is_group(PatternKind kind) { return kind >= PatternKind::batch_get; }

ActionKind single_action(PatternKind kind) {
  if (kind == PatternKind::put) return ActionKind::put;
  return kind == PatternKind::update ? ActionKind::update : ActionKind::erase;
}

std::vector<Assignment> load_assignments(LoadContext& context, const MapReader& map, std::string_view key) {
  std::vector<Assignment> assignments;
  const auto node = map.find(key);
  if (!node) return assignments;
  for (const Entry& entry : read_entries(context, *node, map.name(key))) {
    const auto value = read_template(context, entry.value, fmt::format("{} in {}", entry.key, map.name(key)));
    if (value) assignments.push_back({entry.key, *value, entry.position});
  }
  return assignments;
}

void load_condition(LoadContext& context, const MapReader& map, std::string& out) {
  const auto node = map.find("condition");
  if (!node) return;
  map.text("condition", out);
  const Result<Filter> read = read_filter_text(out);
  if (!read) context.problem(position_of(*node), map.name("condition") + ": " + read.error().message);
}

// What an action of a group and a single-item write have in common.
void load_change(LoadContext& context, const MapReader& map, Action& action) {
  if (const auto key = map.find("key")) action.key = load_key_conditions(context, *key, map.name("key"));
  action.set = load_assignments(context, map, "set");
  action.add = load_assignments(context, map, "add");
  map.texts("remove", action.remove);
  load_condition(context, map, action.condition);
}

Action load_action(LoadContext& context, const YAML::Node& node, const std::string& what, PatternKind group) {
  const MapReader map(context, node, what, {"kind", "entity", "count", "key", "set", "add", "remove", "condition"});
  Action action;
  action.position = map.position();
  if (group == PatternKind::batch_get || group == PatternKind::transact_get) {
    if (const auto kind = map.find("kind")) {
      read_choice<ActionKind>(context, *kind, map.name("kind"), {{"get", ActionKind::get}});
    }
  } else if (const auto kind = map.need("kind")) {
    if (group == PatternKind::batch_write) {
      action.kind = read_choice<ActionKind>(context, *kind, map.name("kind"),
                                            {{"put", ActionKind::put}, {"delete", ActionKind::erase}})
                        .value_or(ActionKind::put);
    } else {
      action.kind = read_choice<ActionKind>(context, *kind, map.name("kind"),
                                            {{"put", ActionKind::put},
                                             {"update", ActionKind::update},
                                             {"delete", ActionKind::erase},
                                             {"check", ActionKind::check}})
                        .value_or(ActionKind::put);
    }
  }
  if (map.need("entity")) map.text("entity", action.entity);
  map.number("count", action.count);
  load_change(context, map, action);
  return action;
}

void load_rate(LoadContext& context, const MapReader& map, Rate& rate) {
  const auto node = map.need("rate");
  if (!node) return;
  rate.position = position_of(*node);
  if (node->IsScalar()) {
    map.number("rate", rate.average);
    rate.peak = rate.average;
    return;
  }
  const MapReader figures(context, *node, map.name("rate"), {"average", "peak"});
  if (figures.need("average")) figures.number("average", rate.average);
  rate.peak = rate.average;
  figures.number("peak", rate.peak);
  if (rate.peak < rate.average)
    context.problem(rate.position, figures.name("peak") + ": expected at least the average");
}

void load_filter(LoadContext& context, const MapReader& map, std::optional<Filter>& out) {
  const auto node = map.find("filter");
  if (!node) return;
  std::optional<std::string> text;
  double keeps = 0.5;
  if (node->IsScalar()) {
    text = node->Scalar();
  } else {
    const MapReader parts(context, *node, map.name("filter"), {"expression", "keeps"});
    if (const auto expression = parts.need("expression")) {
      text = read_text(context, *expression, parts.name("expression"));
    }
    if (const auto share = parts.find("keeps"))
      keeps = read_share(context, *share, parts.name("keeps")).value_or(keeps);
  }
  if (!text) return;
  Result<Filter> filter = read_filter_text(*text);
  if (!filter) {
    context.problem(position_of(*node), map.name("filter") + ": " + filter.error().message);
    return;
  }
  filter->keeps = keeps;
  filter->position = position_of(*node);
  out = std::move(*filter);
}

void load_parameters(LoadContext& context, const MapReader& map, std::vector<Parameter>& parameters) {
  const auto node = map.find("parameters");
  if (!node) return;
  for (const Entry& entry : read_entries(context, *node, map.name("parameters"))) {
    Parameter parameter;
    parameter.name = entry.key;
    parameter.position = entry.position;
    if (entry.value.IsScalar()) {  // the attribute whose values it takes
      parameter.attribute = entry.value.Scalar();
    } else {
      const MapReader parts(context, entry.value, "parameter " + entry.key, {"attribute", "value", "type"});
      parts.text("attribute", parameter.attribute);
      parts.text("value", parameter.value);
      if (const auto type = parts.find("type")) {
        parameter.type = read_choice<AttributeType>(context, *type, parts.name("type"),
                                                    {{"S", AttributeType::string},
                                                     {"N", AttributeType::number},
                                                     {"B", AttributeType::binary},
                                                     {"BOOL", AttributeType::boolean}})
                             .value_or(AttributeType::string);
      }
      if (parameter.attribute.empty() && parameter.value.empty()) {
        context.problem(entry.position, "parameter " + entry.key + ": expected an attribute or a value");
      }
    }
    parameters.push_back(std::move(parameter));
  }
}

void load_read(LoadContext& context, const MapReader& map, Pattern& pattern) {
  map.text("index", pattern.index);
  if (pattern.index == "table") pattern.index.clear();
  const auto key = pattern.kind == PatternKind::scan ? map.find("key") : map.need("key");
  if (key) pattern.key = load_key_conditions(context, *key, map.name("key"));
  if (const auto order = map.find("order")) {
    pattern.order = read_choice<Order>(context, *order, map.name("order"),
                                       {{"ascending", Order::ascending}, {"descending", Order::descending}})
                        .value_or(Order::ascending);
  }
  map.text("sorted_by", pattern.sorted_by);
  map.number("limit", pattern.limit);
  map.number("items", pattern.items);
  load_filter(context, map, pattern.filter);
  map.flag("count_only", pattern.count_only);
}

void load_group(LoadContext& context, const MapReader& map, Pattern& pattern) {
  const auto actions = map.need("actions");
  if (!actions) return;
  if (!actions->IsSequence() || actions->size() == 0) {
    context.problem(position_of(*actions), map.name("actions") + ": expected a list, found " + found_text(*actions));
    return;
  }
  for (const YAML::Node& one : *actions) {
    const std::string what = fmt::format("action {} of pattern {}", pattern.actions.size() + 1, pattern.name);
    pattern.actions.push_back(load_action(context, one, what, pattern.kind));
  }
}

void load_single_write(LoadContext& context, const MapReader& map, Pattern& pattern) {
  Action action;
  action.kind = single_action(pattern.kind);
  action.position = pattern.position;
  if (pattern.entities.size() == 1) {
    action.entity = pattern.entities.front();
  } else {
    context.problem(pattern.position,
                    fmt::format("pattern {}: expected one entity, as \"entity: Order\"", pattern.name));
  }
  load_change(context, map, action);
  pattern.actions.push_back(std::move(action));
}

std::vector<std::string> known_keys(PatternKind kind) {
  std::vector<std::string> known = {"kind",   "description", "rate",       "hottest_share", "repeat",
                                    "varies", "allow",       "parameters", "entity",        "entities"};
  const auto more = [&](std::initializer_list<const char*> keys) {
    known.insert(known.end(), keys.begin(), keys.end());
  };
  switch (kind) {
    case PatternKind::get:
      more({"index", "key", "projection", "consistency"});
      break;
    case PatternKind::query:
    case PatternKind::scan:
      more({"index", "key", "projection", "consistency", "order", "sorted_by", "limit", "items", "filter",
            "count_only"});
      break;
    case PatternKind::put:
      more({"condition"});
      break;
    case PatternKind::update:
      more({"key", "set", "add", "remove", "condition"});
      break;
    case PatternKind::erase:
      more({"key", "condition"});
      break;
    case PatternKind::batch_get:
    case PatternKind::transact_get:
      more({"actions", "projection", "consistency"});
      break;
    case PatternKind::batch_write:
    case PatternKind::transact_write:
      more({"actions"});
      break;
  }
  return known;
}

Pattern load_pattern(LoadContext& context, const Entry& entry) {
  const std::string what = "pattern " + entry.key;
  Pattern pattern;
  pattern.name = entry.key;
  pattern.position = entry.position;
  // The kind says which keys there are, so it is read before the map is checked.
  const YAML::Node kind_node = entry.value.IsMap() ? entry.value["kind"] : YAML::Node();
  std::optional<PatternKind> kind;
  if (kind_node.IsDefined() && !kind_node.IsNull()) {
    kind = read_kind(context, kind_node, "kind of " + what);
  } else if (entry.value.IsMap()) {
    context.problem(entry.position, what + ": expected \"kind\", which is missing");
  } else {
    context.problem(entry.position, what + ": expected a map, found " + found_text(entry.value));
  }
  if (!kind) return pattern;
  pattern.kind = *kind;
  const MapReader map(context, entry.value, what, known_keys(*kind));
  map.text("description", pattern.description);
  map.texts("entities", pattern.entities);
  if (const auto entity = map.find("entity")) {
    if (map.find("entities")) context.problem(position_of(*entity), what + ": expected entity or entities, found both");
    map.texts("entity", pattern.entities);
  }
  load_rate(context, map, pattern.rate);
  if (const auto share = map.find("hottest_share")) {
    pattern.hottest_share = read_share(context, *share, map.name("hottest_share"));
  }
  map.number("repeat", pattern.repeat);
  map.texts("varies", pattern.varies);
  map.texts("projection", pattern.projection);
  if (const auto consistency = map.find("consistency")) {
    pattern.consistency =
        read_choice<Consistency>(context, *consistency, map.name("consistency"),
                                 {{"eventual", Consistency::eventual}, {"strong", Consistency::strong}})
            .value_or(Consistency::eventual);
  }
  load_parameters(context, map, pattern.parameters);
  map.allowances(pattern.allow);
  if (is_group(*kind)) {
    load_group(context, map, pattern);
  } else if (pattern.is_read()) {
    load_read(context, map, pattern);
    if (pattern.entities.empty()) context.problem(pattern.position, what + ": expected the entities that it returns");
  } else {
    load_single_write(context, map, pattern);
  }
  for (const Action& action : pattern.actions) {
    if (std::find(pattern.entities.begin(), pattern.entities.end(), action.entity) == pattern.entities.end()) {
      pattern.entities.push_back(action.entity);
    }
  }
  return pattern;
}

}  // namespace

void load_patterns(LoadContext& context, const YAML::Node& node, std::vector<Pattern>& patterns) {
  for (const Entry& entry : read_entries(context, node, "patterns")) patterns.push_back(load_pattern(context, entry));
}

}  // namespace stator::design
