#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "item/value.h"

namespace stator::engine {

inline constexpr std::size_t kPartitionKeyBytesMax = 2048;
inline constexpr std::size_t kSortKeyBytesMax = 1024;
inline constexpr std::size_t kItemBytesMax = 400 * 1024;
inline constexpr std::int64_t kCollectionBytesMax = 10LL * 1024 * 1024 * 1024;

using TableId = std::uint32_t;  // never reused
using IndexId = std::uint8_t;   // 0 is the table itself; never reused within a table

// A key attribute: S, N or B.
struct KeyAttribute {
  std::string name;
  item::Type type = item::Type::string;
};

// Multi-attribute keys are vectors of more than one.
struct KeySchema {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;

  [[nodiscard]] bool contains(std::string_view attribute) const noexcept;
};

enum class ProjectionKind : std::uint8_t { all, keys_only, include };
enum class IndexKind : std::uint8_t { local, global };
enum class BillingMode : std::uint8_t { provisioned, on_demand };
enum class TableStatus : std::uint8_t { creating, active, updating, deleting };

struct Throughput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
  std::int64_t last_increase_ms = 0;
  std::int64_t last_decrease_ms = 0;
  std::int64_t decreases_today = 0;
};

// A pair of optional read and write figures: OnDemandThroughput, WarmThroughput.
struct UnitPair {
  std::optional<std::int64_t> read_units;
  std::optional<std::int64_t> write_units;
  [[nodiscard]] bool any() const noexcept { return read_units || write_units; }
};

struct Index {
  IndexId id = 0;
  std::string name;
  IndexKind kind = IndexKind::global;
  KeySchema key;
  ProjectionKind projection = ProjectionKind::all;
  std::vector<std::string> included;  // NonKeyAttributes
  Throughput throughput;
  UnitPair on_demand;
  UnitPair warm;

  // Names of every attribute that a row of this index holds; empty for ProjectionKind::all.
  std::vector<std::string> projected;
};

struct Stream {
  bool enabled = false;
  std::string view_type;
  std::string label;  // of the last stream; empty where there was none
};

struct Encryption {
  bool enabled = false;
  std::string type;
  std::string key_arn;
};

// A table as it is at one moment. Immutable once it is in the catalog: a change makes a new Table.
struct Table {
  TableId id = 0;
  std::string name;
  std::string uuid;
  std::int64_t revision = 0;  // grows with every change, so that the newest of two versions is known
  std::int64_t created_ms = 0;
  KeySchema key;
  std::vector<KeyAttribute> definitions;  // AttributeDefinitions in the order they were given
  std::vector<Index> indexes;
  IndexId next_index_id = 1;
  BillingMode billing = BillingMode::provisioned;
  bool billing_mode_set = false;  // whether a BillingModeSummary is shown
  std::int64_t on_demand_since_ms = 0;
  Throughput throughput;
  UnitPair on_demand;
  UnitPair warm;
  Stream stream;
  Encryption encryption;
  std::string table_class;       // empty: standard, never set
  std::int64_t table_class_changed_ms = 0;
  bool deletion_protection = false;
  std::vector<std::pair<std::string, std::string>> tags;

  // The change of state that is under way and when it ends; the state is a function of time, so that
  // nothing has to run for it and a restart in the middle loses nothing.
  TableStatus transition = TableStatus::active;
  std::int64_t transition_until_ms = 0;

  [[nodiscard]] TableStatus status(std::int64_t now_ms) const noexcept {
    return now_ms < transition_until_ms ? transition : TableStatus::active;
  }
  [[nodiscard]] bool has_local_indexes() const noexcept;
  [[nodiscard]] const Index* find_index(std::string_view index_name) const noexcept;
};

using TablePtr = std::shared_ptr<const Table>;  // shared: requests under way keep the version they began with

// Fills what is derived from the rest (Index::projected). Called whenever a Table was built or read.
void finish_table(Table& table);

// The stored form of a table: an item like any other, in the system key space.
[[nodiscard]] std::string encode_table(const Table& table);
[[nodiscard]] Result<Table> decode_table(std::string_view stored);

}  // namespace stator::engine
