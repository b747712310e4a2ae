#include <fmt/format.h>

#include "design/yaml_reader.h"

namespace stator::design {
namespace {

std::optional<KeyAttribute> load_key_attribute(LoadContext& context, const YAML::Node& node, const std::string& what) {
  KeyAttribute key;
  key.position = position_of(node);
  if (node.IsScalar()) {
    key.name = node.Scalar();
  } else {
    const MapReader map(context, node, what, {"name", "type"});
    if (const auto name = map.need("name")) map.text("name", key.name);
    if (const auto type = map.find("type")) {
      key.type = read_choice<AttributeType>(
                     context, *type, map.name("type"),
                     {{"S", AttributeType::string}, {"N", AttributeType::number}, {"B", AttributeType::binary}})
                     .value_or(AttributeType::string);
    }
  }
  if (key.name.empty()) return std::nullopt;
  return key;
}

std::optional<AutoScaling> load_scaling(LoadContext& context, const MapReader& map, std::string_view key) {
  const auto node = map.find(key);
  if (!node) return std::nullopt;
  AutoScaling scaling;
  const MapReader scale(context, *node, map.name(key), {"min", "max", "target"});
  scale.number("min", scaling.minimum);
  if (scale.need("max")) scale.number("max", scaling.maximum);
  if (const auto target = scale.find("target")) {
    scaling.target_utilization = read_share(context, *target, scale.name("target")).value_or(0.7);
  }
  if (scaling.maximum < scaling.minimum) {
    context.problem(scale.position(), map.name(key) + ": expected max to be at least min");
  }
  return scaling;
}

Capacity load_capacity(LoadContext& context, const YAML::Node& node, const std::string& what) {
  Capacity capacity;
  capacity.position = position_of(node);
  const auto mode_of = [&](const YAML::Node& mode) {
    return read_choice<CapacityMode>(
               context, mode, what,
               {{"on_demand", CapacityMode::on_demand}, {"provisioned", CapacityMode::provisioned}})
        .value_or(CapacityMode::on_demand);
  };
  if (node.IsScalar()) {
    capacity.mode = mode_of(node);
    if (capacity.mode == CapacityMode::provisioned) {
      context.problem(capacity.position, what +
                                             ": expected {mode: provisioned, read: ..., write: ...}: provisioned "
                                             "capacity needs its units");
    }
    return capacity;
  }
  const MapReader map(context, node, what, {"mode", "read", "write", "read_scaling", "write_scaling"});
  if (const auto mode = map.need("mode")) capacity.mode = mode_of(*mode);
  map.number("read", capacity.read_units);
  map.number("write", capacity.write_units);
  capacity.read_scaling = load_scaling(context, map, "read_scaling");
  capacity.write_scaling = load_scaling(context, map, "write_scaling");
  if (capacity.mode == CapacityMode::provisioned && (capacity.read_units < 1 || capacity.write_units < 1)) {
    context.problem(capacity.position, what + ": expected read and write of at least 1 unit each");
  }
  return capacity;
}

Projection load_projection(LoadContext& context, const YAML::Node& node, const std::string& what) {
  Projection projection;
  projection.position = position_of(node);
  if (node.IsSequence()) {
    projection.kind = ProjectionKind::include;
    projection.attributes = read_texts(context, node, what);
    return projection;
  }
  if (node.IsScalar() && (node.Scalar() == "all" || node.Scalar() == "keys_only")) {
    projection.kind = node.Scalar() == "all" ? ProjectionKind::all : ProjectionKind::keys_only;
    return projection;
  }
  context.problem(projection.position,
                  fmt::format("{}: expected all, keys_only or a list of attributes, found {}", what, found_text(node)));
  return projection;
}

void load_index_keys(LoadContext& context, const MapReader& map, const Table& table, Index& index) {
  if (index.kind == IndexKind::local) {
    index.partition_key = table.partition_key;
    if (const auto node = map.find("partition_key")) {
      const auto key = load_key_attribute(context, *node, map.name("partition_key"));
      if (key && key->name != table.partition_key.name) {
        context.problem(key->position, fmt::format("{}: a local index has the table's partition key, {}",
                                                   map.name("partition_key"), table.partition_key.name));
      }
    }
  } else if (const auto node = map.need("partition_key")) {
    index.partition_key = load_key_attribute(context, *node, map.name("partition_key")).value_or(KeyAttribute{});
  }
  const auto sort = index.kind == IndexKind::local ? map.need("sort_key") : map.find("sort_key");
  if (sort) index.sort_key = load_key_attribute(context, *sort, map.name("sort_key"));
}

}  // namespace

void load_table(LoadContext& context, const YAML::Node& node, Table& table) {
  const MapReader map(context, node, "table",
                      {"name", "partition_key", "sort_key", "type_attribute", "stream", "capacity"});
  table.position = map.position();
  if (map.need("name")) map.text("name", table.name);
  if (const auto key = map.need("partition_key")) {
    table.partition_key = load_key_attribute(context, *key, map.name("partition_key")).value_or(KeyAttribute{});
  }
  if (const auto key = map.find("sort_key")) table.sort_key = load_key_attribute(context, *key, map.name("sort_key"));
  map.text("type_attribute", table.type_attribute);
  if (const auto stream = map.find("stream")) {
    table.stream_view = read_choice<std::string>(context, *stream, map.name("stream"),
                                                 {{"NEW_AND_OLD_IMAGES", "NEW_AND_OLD_IMAGES"},
                                                  {"NEW_IMAGE", "NEW_IMAGE"},
                                                  {"OLD_IMAGE", "OLD_IMAGE"},
                                                  {"KEYS_ONLY", "KEYS_ONLY"}})
                            .value_or("");
  }
  if (const auto capacity = map.find("capacity")) {
    table.capacity = load_capacity(context, *capacity, map.name("capacity"));
  }
}

void load_indexes(LoadContext& context, const YAML::Node& node, const Table& table, std::vector<Index>& indexes) {
  for (const Entry& entry : read_entries(context, node, "indexes")) {
    const MapReader map(context, entry.value, "index " + entry.key,
                        {"kind", "partition_key", "sort_key", "projection", "capacity", "allow"});
    Index index;
    index.name = entry.key;
    index.position = entry.position;
    if (const auto kind = map.find("kind")) {
      index.kind = read_choice<IndexKind>(context, *kind, map.name("kind"),
                                          {{"global", IndexKind::global}, {"local", IndexKind::local}})
                       .value_or(IndexKind::global);
    }
    load_index_keys(context, map, table, index);
    index.projection.position = index.position;
    if (const auto projection = map.find("projection")) {
      index.projection = load_projection(context, *projection, map.name("projection"));
    }
    if (const auto capacity = map.find("capacity")) {
      index.capacity = load_capacity(context, *capacity, map.name("capacity"));
    }
    map.allowances(index.allow);
    indexes.push_back(std::move(index));
  }
}

}  // namespace stator::design
