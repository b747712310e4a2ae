#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/task.h"
#include "engine/engine.h"
#include "engine/table.h"

namespace stator::engine {

inline constexpr std::size_t kLocalIndexesMax = 5;
inline constexpr std::size_t kGlobalIndexesMax = 20;
inline constexpr std::size_t kIncludedAttributesMax = 100;  // over all indexes of a table
inline constexpr std::size_t kKeyPartElementsMax = 4;       // partition or sort attributes of a global index

// One element of a key schema, before it is known to make sense.
struct KeyElement {
  std::string_view name;
  bool is_partition = true;  // HASH, else RANGE
};

struct ThroughputInput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
};

struct IndexInput {
  std::string_view name;
  std::vector<KeyElement> key;
  std::optional<ProjectionKind> projection;
  std::optional<std::vector<std::string_view>> included;
  std::optional<ThroughputInput> throughput;  // of global indexes
  UnitPair on_demand;
  UnitPair warm;
};

struct StreamInput {
  bool enabled = false;
  std::optional<std::string_view> view_type;
};

struct EncryptionInput {
  std::optional<bool> enabled;
  std::optional<std::string_view> type;
  std::optional<std::string_view> key;
  std::string_view default_key;  // the ARN of the key that is used where none is named
};

struct CreateTableRequest {
  std::string_view name;
  std::vector<std::pair<std::string_view, item::Type>> definitions;
  std::vector<KeyElement> key;
  std::optional<std::vector<IndexInput>> local_indexes;
  std::optional<std::vector<IndexInput>> global_indexes;
  std::optional<BillingMode> billing;
  std::optional<ThroughputInput> throughput;
  std::optional<StreamInput> stream;
  std::optional<EncryptionInput> encryption;
  std::string_view table_class;
  bool deletion_protection = false;
  UnitPair on_demand;
  UnitPair warm;
  std::vector<std::pair<std::string_view, std::string_view>> tags;
};

// The new table, as it is right after the call: CREATING.
[[nodiscard]] base::Task<Result<TablePtr>> create_table(Engine& engine, const CreateTableRequest& request);

// Attribute definitions by name: a request may have as many as it has room for. Of two with one name the first counts.
class Definitions {
 public:
  explicit Definitions(std::span<const KeyAttribute> all);  // which outlive this
  [[nodiscard]] const KeyAttribute* find(std::string_view name) const;
  [[nodiscard]] std::span<const KeyAttribute> all() const { return all_; }

 private:
  std::span<const KeyAttribute> all_;
  std::map<std::string_view, const KeyAttribute*> by_name_;
};

// The rules that need no other table: key schema against definitions, indexes, throughput. Shared with UpdateTable.
[[nodiscard]] Result<Table> build_table(const CreateTableRequest& request);
[[nodiscard]] Result<Index> build_index(const IndexInput& input, IndexKind kind,
                                        const Definitions& definitions);
// The attributes that the indexes of a table name for their projections are limited all together.
[[nodiscard]] Result<void> check_included_total(const Table& table);
[[nodiscard]] Result<void> check_throughput(BillingMode billing,
                                            const std::optional<ThroughputInput>& throughput);
[[nodiscard]] Result<void> check_throughput_bounds(const ThroughputInput& throughput, std::string_view index = {});
// Gives the table a new, enabled stream.
void enable_stream(Table& table, std::string_view view_type, std::int64_t now_ms);

}  // namespace stator::engine
