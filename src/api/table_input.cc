#include "api/table_input.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator::api {
namespace {

constexpr std::size_t kNameBytesMax = 255;
constexpr std::size_t kKeyElementsMax = 2;  // of tables and local indexes
constexpr std::size_t kIncludedMax = 20;

engine::UnitPair read_pair(const Reader& in, std::string_view member, std::string_view read_name,
                           std::string_view write_name) {
  const std::optional<Reader> pair = in.object(member, member);
  if (!pair) return {};
  return {pair->long_integer(read_name), pair->long_integer(write_name)};
}

void read_projection(const Reader& in, const std::string& path, engine::IndexInput& index,
                     Violations& violations) {
  const std::optional<Reader> projection = in.object("Projection", "Projection");
  violations.required(path, projection.has_value());
  if (!projection) return;
  const auto type = projection->string("ProjectionType");
  violations.one_of(path + ".projectionType", type, {"ALL", "INCLUDE", "KEYS_ONLY"});
  if (type == "ALL") index.projection = engine::ProjectionKind::all;
  if (type == "INCLUDE") index.projection = engine::ProjectionKind::include;
  if (type == "KEYS_ONLY") index.projection = engine::ProjectionKind::keys_only;
  index.included = projection->strings("NonKeyAttributes");
  if (index.included) {
    const std::string shown = fmt::format("[{}]", fmt::join(*index.included, ", "));
    violations.count(path + ".nonKeyAttributes", shown, index.included->size(), 1, kIncludedMax);
    const bool named = std::all_of(index.included->begin(), index.included->end(), [](std::string_view name) {
      return !name.empty() && name.size() <= kNameBytesMax;
    });
    if (!named) {
      violations.add(fmt::format("'{}'", shown), path + ".nonKeyAttributes",
                     "Member must satisfy constraint: [Member must have length less than or equal to 255, Member must "
                     "have length greater than or equal to 1]");
    }
  }
}

}  // namespace

std::optional<engine::ThroughputInput> read_throughput(const Reader& in, std::string_view path,
                                                       Violations& violations) {
  const std::optional<Reader> throughput = in.object("ProvisionedThroughput", "ProvisionedThroughput");
  if (!throughput) return std::nullopt;
  const auto read_units = throughput->long_integer("ReadCapacityUnits");
  const auto write_units = throughput->long_integer("WriteCapacityUnits");
  const std::string read_path = fmt::format("{}.readCapacityUnits", path);
  const std::string write_path = fmt::format("{}.writeCapacityUnits", path);
  violations.required(write_path, write_units.has_value());
  violations.range(write_path, write_units, 1);
  violations.required(read_path, read_units.has_value());
  violations.range(read_path, read_units, 1);
  return engine::ThroughputInput{read_units.value_or(0), write_units.value_or(0)};
}

engine::UnitPair read_on_demand(const Reader& in) {
  return read_pair(in, "OnDemandThroughput", "MaxReadRequestUnits", "MaxWriteRequestUnits");
}
engine::UnitPair read_warm(const Reader& in) {
  return read_pair(in, "WarmThroughput", "ReadUnitsPerSecond", "WriteUnitsPerSecond");
}

std::vector<engine::KeyElement> read_key_schema(const Reader& in, std::string_view path, KeyOf owner,
                                                Violations& violations) {
  std::vector<engine::KeyElement> key;
  const auto elements = in.objects("KeySchema", "KeySchemaElement");
  violations.required(path, elements.has_value());
  if (!elements) return key;
  std::string shown;
  std::size_t position = 0;
  for (const Reader& element : *elements) {
    ++position;
    const auto name = element.string("AttributeName");
    const auto type = element.string("KeyType");
    const std::string member = fmt::format("{}.{}.member", path, position);
    violations.required(member + ".attributeName", name.has_value());
    violations.length(member + ".attributeName", name, 1, kNameBytesMax);
    violations.required(member + ".keyType", type.has_value());
    violations.one_of(member + ".keyType", type, {"HASH", "RANGE"});
    key.push_back({name.value_or(""), type == "HASH"});
    shown += fmt::format("{}KeySchemaElement(attributeName={}, keyType={})", position > 1 ? ", " : "",
                         name.value_or("null"), type.value_or("null"));
  }
  // How many attributes the key of a global index may have is a rule about them, not about the list.
  const std::size_t count_max = owner == KeyOf::global_index ? SIZE_MAX : kKeyElementsMax;
  violations.count(path, fmt::format("[{}]", shown), key.size(), 1, count_max);
  return key;
}

std::optional<std::vector<std::pair<std::string_view, item::Type>>> read_definitions(const Reader& in,
                                                                                     Violations& violations) {
  const auto elements = in.objects("AttributeDefinitions", "AttributeDefinition");
  if (!elements) return std::nullopt;
  std::vector<std::pair<std::string_view, item::Type>> definitions;
  for (const Reader& element : *elements) {
    const auto name = element.string("AttributeName");
    const auto type = element.string("AttributeType");
    const std::string member = fmt::format("attributeDefinitions.{}.member", definitions.size() + 1);
    violations.required(member + ".attributeType", type.has_value());
    violations.one_of(member + ".attributeType", type, {"B", "N", "S"});
    violations.required(member + ".attributeName", name.has_value());
    violations.length(member + ".attributeName", name, 1, kNameBytesMax);
    definitions.emplace_back(name.value_or(""),
                             item::type_from_name(type.value_or("S")).value_or(item::Type::string));
  }
  return definitions;
}

engine::IndexInput read_index(const Reader& in, const std::string& path, engine::IndexKind kind,
                              Violations& violations) {
  const bool local = kind == engine::IndexKind::local;
  engine::IndexInput index;
  const auto name = in.string("IndexName");
  violations.required(path + ".indexName", name.has_value());
  violations.name(path + ".indexName", name);
  index.name = name.value_or("");
  index.key = read_key_schema(in, path + ".keySchema", local ? KeyOf::local_index : KeyOf::global_index, violations);
  read_projection(in, path + ".projection", index, violations);
  if (!local) {
    index.throughput = read_throughput(in, path + ".provisionedThroughput", violations);
    index.on_demand = read_on_demand(in);
    index.warm = read_warm(in);
  }
  return index;
}

std::optional<std::vector<engine::IndexInput>> read_indexes(const Reader& in, engine::IndexKind kind,
                                                            Violations& violations) {
  const bool local = kind == engine::IndexKind::local;
  const auto elements = local ? in.objects("LocalSecondaryIndexes", "LocalSecondaryIndex")
                              : in.objects("GlobalSecondaryIndexes", "GlobalSecondaryIndex");
  if (!elements) return std::nullopt;
  const std::string_view list = local ? "localSecondaryIndexes" : "globalSecondaryIndexes";
  std::vector<engine::IndexInput> indexes;
  for (const Reader& element : *elements) {
    indexes.push_back(
        read_index(element, fmt::format("{}.{}.member", list, indexes.size() + 1), kind, violations));
  }
  return indexes;
}

std::optional<engine::StreamInput> read_stream(const Reader& in, Violations& violations) {
  const std::optional<Reader> stream = in.object("StreamSpecification", "StreamSpecification");
  if (!stream) return std::nullopt;
  const auto enabled = stream->boolean("StreamEnabled");
  const auto view_type = stream->string("StreamViewType");
  violations.required("streamSpecification.streamEnabled", enabled.has_value());
  violations.one_of("streamSpecification.streamViewType", view_type,
                    {"OLD_IMAGE", "KEYS_ONLY", "NEW_AND_OLD_IMAGES", "NEW_IMAGE"});
  return engine::StreamInput{enabled.value_or(false), view_type};
}

std::optional<engine::EncryptionInput> read_encryption(const Reader& in, Violations& violations,
                                                       std::string_view default_key_arn) {
  const std::optional<Reader> encryption = in.object("SSESpecification", "SSESpecification");
  if (!encryption) return std::nullopt;
  const auto enabled = encryption->boolean("Enabled");
  const auto type = encryption->string("SSEType");
  const auto key = encryption->string("KMSMasterKeyId");
  violations.one_of("sSESpecification.sSEType", type, {"AES256", "KMS"});
  violations.length("sSESpecification.kMSMasterKeyId", key, 1, kNameBytesMax * 8);
  return engine::EncryptionInput{enabled, type, key, default_key_arn};
}

std::optional<engine::BillingMode> read_billing(const Reader& in, Violations& violations) {
  const auto billing = in.string("BillingMode");
  const auto throughput = in.string("TableThroughputMode");  // another name for it, which counts where it stands alone
  violations.one_of("billingMode", billing, {"PROVISIONED", "PAY_PER_REQUEST"});
  violations.one_of("tableThroughputMode", throughput, {"PROVISIONED", "PAY_PER_REQUEST"});
  const auto& mode = billing ? billing : throughput;
  if (!mode) return std::nullopt;
  return *mode == "PAY_PER_REQUEST" ? engine::BillingMode::on_demand : engine::BillingMode::provisioned;
}

Result<void> check_table_class(const std::optional<std::string_view>& table_class) {
  if (!table_class || table_class == "STANDARD" || table_class == "STANDARD_INFREQUENT_ACCESS") return {};
  return invalid("Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, "
                 "STANDARD_INFREQUENT_ACCESS].");
}

}  // namespace stator::api
