#include "embed/table_description.h"

#include <array>
#include <utility>

namespace stator::embed {
namespace {

constexpr std::array<std::pair<StreamViewType, std::string_view>, 4> kViewTypes = {{
    {StreamViewType::keys_only, "KEYS_ONLY"},
    {StreamViewType::new_image, "NEW_IMAGE"},
    {StreamViewType::old_image, "OLD_IMAGE"},
    {StreamViewType::new_and_old_images, "NEW_AND_OLD_IMAGES"},
}};

std::optional<StreamViewType> view_type(const engine::Stream* stream) {
  if (stream == nullptr) return std::nullopt;
  for (const auto& [type, name] : kViewTypes) {
    if (name == stream->view_type) return type;
  }
  return std::nullopt;
}

KeyAttribute to_attribute(const engine::KeyAttribute& attribute) {
  const ScalarType type = attribute.type == item::Type::number   ? ScalarType::number
                          : attribute.type == item::Type::binary ? ScalarType::binary
                                                                 : ScalarType::string;
  return {attribute.name, type};
}

KeySchema to_key(const engine::KeySchema& key) {
  KeySchema schema;
  for (const engine::KeyAttribute& attribute : key.partition)
    schema.partition.push_back(to_attribute(attribute));
  for (const engine::KeyAttribute& attribute : key.sort)
    schema.sort.push_back(to_attribute(attribute));
  return schema;
}

ProjectionType to_projection(engine::ProjectionKind kind) {
  switch (kind) {
    case engine::ProjectionKind::keys_only:
      return ProjectionType::keys_only;
    case engine::ProjectionKind::include:
      return ProjectionType::include;
    case engine::ProjectionKind::all:
      break;
  }
  return ProjectionType::all;
}

TableStatus to_status(engine::IndexState state) {
  switch (state) {
    case engine::IndexState::creating:
      return TableStatus::creating;
    case engine::IndexState::deleting:
      return TableStatus::deleting;
    case engine::IndexState::active:
      break;
  }
  return TableStatus::active;
}

IndexDescription to_index(const engine::Index& index, const engine::TableReport& report) {
  IndexDescription description;
  description.index_name = index.name;
  description.key = to_key(index.key);
  description.projection = to_projection(index.projection);
  description.non_key_attributes = index.included;
  description.status = to_status(index.state);
  description.provisioned_throughput = {index.throughput.read_units, index.throughput.write_units};
  if (const auto found = report.index_statistics.find(index.id);
      found != report.index_statistics.end()) {
    description.item_count = found->second.items;
    description.size_bytes = found->second.bytes;
  }
  return description;
}

}  // namespace

std::string_view view_type_name(StreamViewType type) {
  return kViewTypes[static_cast<std::size_t>(type)].second;
}

std::string_view table_class_name(TableClass table_class) {
  return table_class == TableClass::standard ? "STANDARD" : "STANDARD_INFREQUENT_ACCESS";
}

TableDescription to_description(const engine::TableReport& report, TableStatus status) {
  const engine::Table& table = *report.table;
  TableDescription description;
  description.table_name = table.name;
  description.table_id = table.uuid;
  description.status = status;
  description.created =
      std::chrono::system_clock::time_point(std::chrono::milliseconds(table.created_ms));
  description.key = to_key(table.key);
  for (const engine::Index& index : table.indexes) {
    const bool local = index.kind == engine::IndexKind::local;
    (local ? description.local_secondary_indexes : description.global_secondary_indexes)
        .push_back(to_index(index, report));
  }
  description.billing_mode = table.billing == engine::BillingMode::on_demand
                                 ? BillingMode::pay_per_request
                                 : BillingMode::provisioned;
  description.provisioned_throughput = {table.throughput.read_units, table.throughput.write_units};
  description.stream = view_type(table.stream());
  if (table.table_class == table_class_name(TableClass::standard_infrequent_access)) {
    description.table_class = TableClass::standard_infrequent_access;
  }
  description.deletion_protection = table.deletion_protection;
  description.item_count = report.statistics.items;
  description.size_bytes = report.statistics.bytes;
  return description;
}

}  // namespace stator::embed
