// The rules of CreateTable that need nothing but the request, in the order in which the service checks them.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/create_table.h"
#include "engine/table_settings.h"

namespace stator::engine {
namespace {

template <class Range, class Name>
std::string joined(const Range& range, Name&& name) {
  std::string text;
  for (const auto& element : range) {
    if (!text.empty()) text += ", ";
    text += name(element);
  }
  return text;
}

Result<void> check_defined(const std::vector<KeyElement>& key, const Definitions& definitions) {
  const bool all = std::all_of(key.begin(), key.end(), [&](const KeyElement& element) {
    return definitions.find(element.name) != nullptr;
  });
  if (all) return {};
  return invalid(fmt::format(
      "One or more parameter values were invalid: Some index key attributes are not defined in "
      "AttributeDefinitions. Keys: [{}], AttributeDefinitions: [{}]",
      joined(key, [](const KeyElement& element) { return element.name; }),
      joined(definitions.all(), [](const KeyAttribute& definition) { return definition.name; })));
}

Result<void> check_order(const std::vector<KeyElement>& key) {
  if (key.size() > 1 && key[0].name == key[1].name) {
    return invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  if (!key.front().is_partition) {
    return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (key.size() > 1 && key[1].is_partition) {
    return invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  return {};
}

// A global index may have several attributes in each part of its key.
Result<void> check_global_order(const std::vector<KeyElement>& key) {
  if (!key.front().is_partition) {
    return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  std::set<std::string_view> names;
  std::size_t partition_count = 0;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (!names.insert(key[i].name).second) {
      return invalid("The KeySchema contains multiple key attributes with the same name");
    }
    if (!key[i].is_partition) continue;
    if (partition_count++ < i) {
      return invalid("One or more parameter values were invalid: All HASH key attributes must precede RANGE key "
                     "attributes in the KeySchema");
    }
  }
  for (const bool partition : {true, false}) {
    const std::size_t count = partition ? partition_count : key.size() - partition_count;
    if (count <= kKeyPartElementsMax) continue;
    return invalid(fmt::format("One or more parameter values were invalid: The KeySchema exceeds the maximum allowed "
                               "number of {} key attributes",
                               partition ? "HASH" : "RANGE"));
  }
  return {};
}

KeySchema schema_of(const std::vector<KeyElement>& key, const Definitions& definitions) {
  KeySchema schema;
  for (const KeyElement& element : key) {
    const KeyAttribute* definition = definitions.find(element.name);
    (element.is_partition ? schema.partition : schema.sort).push_back(*definition);
  }
  return schema;
}

Result<void> check_projection(const IndexInput& index) {
  if (!index.projection) {
    return invalid("One or more parameter values were invalid: Unknown ProjectionType: null");
  }
  if (*index.projection != ProjectionKind::include && index.included) {
    return invalid(fmt::format(
        "One or more parameter values were invalid: ProjectionType is {}, but NonKeyAttributes is specified",
        *index.projection == ProjectionKind::all ? "ALL" : "KEYS_ONLY"));
  }
  if (*index.projection == ProjectionKind::include && !index.included) {
    return invalid("One or more parameter values were invalid: ProjectionType is INCLUDE, but NonKeyAttributes "
                   "is not specified");
  }
  std::set<std::string_view> names;
  for (const std::string_view name : index.included.value_or(std::vector<std::string_view>())) {
    if (!names.insert(name).second) {
      return invalid(fmt::format(
          "One or more parameter values were invalid: Duplicate element in NonKeyAttributes: {}", name));
    }
  }
  return {};
}

Result<void> check_local_index(const IndexInput& index, const KeySchema& key, const KeySchema& table_key) {
  if (key.sort.empty()) {
    return invalid(fmt::format(
        "One or more parameter values were invalid: Index KeySchema does not have a range key for index: {}",
        index.name));
  }
  const std::string& own = key.partition.front().name;
  const std::string& expected = table_key.partition.front().name;
  if (own != expected) {
    return invalid(fmt::format("One or more parameter values were invalid: Index KeySchema does not have the same "
                               "leading hash key as table KeySchema for index: {}. index hash key: {}, table hash "
                               "key: {}",
                               index.name, own, expected));
  }
  return {};
}

const std::optional<std::vector<IndexInput>>& inputs_of(const CreateTableRequest& request, IndexKind kind) {
  return kind == IndexKind::local ? request.local_indexes : request.global_indexes;
}

// The indexes with their keys. That no definition is left over is checked before anything else about them.
Result<void> add_indexes(Table& table, const CreateTableRequest& request, const Definitions& definitions,
                         IndexKind kind) {
  const bool local = kind == IndexKind::local;
  const auto& inputs = inputs_of(request, kind);
  if (!inputs) return {};
  if (inputs->empty()) {
    return invalid(fmt::format("One or more parameter values were invalid: List of {}SecondaryIndexes is empty",
                               local ? "Local" : "Global"));
  }
  if (local && table.key.sort.empty()) {
    return invalid("One or more parameter values were invalid: Table KeySchema does not have a range key, which is "
                   "required when specifying a LocalSecondaryIndex");
  }
  for (const IndexInput& input : *inputs) {
    TRY(Index index, build_index(input, kind, definitions));
    if (local) TRY_VOID(check_local_index(input, index.key, table.key));
    index.id = table.next_index_id++;
    table.indexes.push_back(std::move(index));
  }
  return {};
}

Result<void> check_index_throughput(BillingMode billing, const IndexInput& input) {
  if (billing == BillingMode::on_demand && input.throughput) {
    return invalid(fmt::format("One or more parameter values were invalid: ProvisionedThroughput should not be "
                               "specified for index: {} when BillingMode is PAY_PER_REQUEST",
                               input.name));
  }
  if (billing == BillingMode::provisioned && !input.throughput) {
    return invalid(fmt::format(
        "One or more parameter values were invalid: ProvisionedThroughput is not specified for index: {}",
        input.name));
  }
  TRY_VOID(check_new_on_demand(billing, input.on_demand, input.name));
  return check_new_warm(billing, input.throughput, input.warm, input.name);
}

Result<void> check_indexes(BillingMode billing, const CreateTableRequest& request) {
  std::set<std::string_view> names;
  for (const IndexKind kind : {IndexKind::local, IndexKind::global}) {
    const auto& inputs = inputs_of(request, kind);
    if (!inputs) continue;
    for (const IndexInput& input : *inputs) {
      TRY_VOID(check_projection(input));
      if (!names.insert(input.name).second) {
        return invalid(
            fmt::format("One or more parameter values were invalid: Duplicate index name: {}", input.name));
      }
      if (kind == IndexKind::global) TRY_VOID(check_index_throughput(billing, input));
    }
    if (kind == IndexKind::local && inputs->size() > kLocalIndexesMax) {
      return invalid("One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds per-table "
                     "limit of 5");
    }
    if (kind == IndexKind::global && inputs->size() > kGlobalIndexesMax) {
      return invalid("One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table "
                     "limit of 20");
    }
  }
  return {};
}

Result<void> check_definitions_used(const Table& table, bool has_indexes) {
  std::set<std::string_view> used;
  const auto use = [&](const KeySchema& key) {
    for (const KeyAttribute& attribute : key.partition) used.insert(attribute.name);
    for (const KeyAttribute& attribute : key.sort) used.insert(attribute.name);
  };
  use(table.key);
  for (const Index& index : table.indexes) use(index.key);
  if (used.size() == table.definitions.size()) return {};
  if (!has_indexes) {
    return invalid("One or more parameter values were invalid: Number of attributes in KeySchema does not exactly "
                   "match number of attributes defined in AttributeDefinitions");
  }
  return invalid(fmt::format(
      "One or more parameter values were invalid: Some AttributeDefinitions are not used. AttributeDefinitions: "
      "[{}], keys used: [{}]",
      joined(table.definitions, [](const KeyAttribute& definition) { return definition.name; }),
      fmt::join(used, ", ")));
}

}  // namespace

Definitions::Definitions(std::span<const KeyAttribute> all) : all_(all) {
  for (const KeyAttribute& definition : all) by_name_.try_emplace(definition.name, &definition);
}

const KeyAttribute* Definitions::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found != by_name_.end() ? found->second : nullptr;
}

Result<void> check_included_total(const Table& table) {
  std::size_t total = 0;
  for (const Index& index : table.indexes) total += index.included.size();
  if (total > kIncludedAttributesMax) {
    return invalid("One or more parameter values were invalid: Number of NonKeyAttributes exceeds per-table limit "
                   "of 100");
  }
  return {};
}

Result<Index> build_index(const IndexInput& input, IndexKind kind, const Definitions& definitions) {
  TRY_VOID(check_defined(input.key, definitions));
  TRY_VOID(kind == IndexKind::global ? check_global_order(input.key) : check_order(input.key));
  Index index;
  index.name = std::string(input.name);
  index.kind = kind;
  index.key = schema_of(input.key, definitions);
  index.projection = input.projection.value_or(ProjectionKind::all);
  if (input.included) {
    for (const std::string_view name : *input.included) index.included.emplace_back(name);
  }
  if (input.throughput) {
    TRY_VOID(check_throughput_bounds(*input.throughput, input.name));
    index.throughput.read_units = input.throughput->read_units;
    index.throughput.write_units = input.throughput->write_units;
  }
  index.on_demand = input.on_demand;
  index.warm = input.warm;
  return index;
}

Result<Table> build_table(const CreateTableRequest& request) {
  Table table;
  table.name = std::string(request.name);
  table.billing = request.billing.value_or(BillingMode::provisioned);
  table.billing_mode_set = table.billing == BillingMode::on_demand;
  TRY_VOID(check_throughput(table.billing, request.throughput));
  TRY_VOID(check_new_on_demand(table.billing, request.on_demand, {}));
  TRY_VOID(check_new_warm(table.billing, request.throughput, request.warm, {}));
  if (request.throughput) {
    table.throughput.read_units = request.throughput->read_units;
    table.throughput.write_units = request.throughput->write_units;
  }
  std::set<std::string_view> names;
  for (const auto& [name, type] : request.definitions) {
    if (!names.insert(name).second) return invalid(fmt::format("Attribute Name is duplicated: {}", name));
    table.definitions.push_back({std::string(name), type});
  }
  const Definitions definitions(table.definitions);
  if (request.key.size() > table.definitions.size()) {
    return invalid("Invalid KeySchema: Some index key attribute have no definition");
  }
  TRY_VOID(check_defined(request.key, definitions));
  TRY_VOID(check_order(request.key));
  table.key = schema_of(request.key, definitions);
  const bool has_indexes = request.local_indexes || request.global_indexes;
  if (!has_indexes) TRY_VOID(check_definitions_used(table, false));
  TRY_VOID(add_indexes(table, request, definitions, IndexKind::local));
  TRY_VOID(add_indexes(table, request, definitions, IndexKind::global));
  if (has_indexes) TRY_VOID(check_definitions_used(table, true));
  TRY_VOID(check_indexes(table.billing, request));
  TRY_VOID(check_included_total(table));
  TRY_VOID(check_new_stream(request.stream));
  if (request.encryption) {
    TRY(table.encryption, encryption_of(*request.encryption));
  }
  table.table_class = std::string(request.table_class);
  table.deletion_protection = request.deletion_protection;
  table.on_demand = request.on_demand;
  table.warm = request.warm;
  for (const auto& [key, value] : request.tags) table.tags.emplace_back(key, value);
  return table;
}

}  // namespace stator::engine
