#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/meter_slot.h"
#include "item/value.h"

namespace stator::engine {

inline constexpr std::size_t kPartitionKeyBytesMax = 2048;
inline constexpr std::size_t kSortKeyBytesMax = 1024;
inline constexpr std::size_t kItemBytesMax = 400 * 1024;
inline constexpr int kNestingLevelsMax = 32;  // of maps and lists; the item itself is the first
inline constexpr std::string_view kNestedTooDeep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
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

enum class IndexState : std::uint8_t { active, creating, deleting };

struct Index {
  IndexId id = 0;
  std::string name;
  IndexKind kind = IndexKind::global;
  IndexState state = IndexState::active;  // of global indexes that come and go while the table lives
  KeySchema key;
  ProjectionKind projection = ProjectionKind::all;
  std::vector<std::string> included;  // NonKeyAttributes
  Throughput throughput;
  UnitPair on_demand;
  UnitPair warm;

  // Names of every attribute that a row of this index holds; empty for ProjectionKind::all.
  std::vector<std::string> projected;
};

using StreamId = std::uint16_t;

// One stream of a table. A table has a new one each time its stream is enabled; old ones stay readable for a day.
struct Stream {
  StreamId id = 0;
  std::string view_type;
  std::string label;
  std::uint8_t shards = 1;
  std::int64_t created_ms = 0;
  std::int64_t disabled_ms = 0;  // 0: enabled
};

enum class TtlState : std::uint8_t { off, building, on, erasing };

// `building`: items that were there before are still being added to the order by expiry; new writes are in it already.
// `erasing`: switched off, and the order by expiry is being erased.
struct TimeToLive {
  std::string attribute;  // empty: off or erasing
  TtlState state = TtlState::off;
  std::int64_t changed_ms = 0;
};

struct Encryption {
  bool enabled = false;
  std::string type;
  std::string key_arn;
};

// How many writes are under way that began with one version of a table. A copy of the table is another version: it starts
// at zero.
class WriterCount {
 public:
  WriterCount() = default;
  WriterCount(const WriterCount&) noexcept {}
  WriterCount& operator=(const WriterCount&) noexcept { return *this; }
  void enter() const noexcept { count_.fetch_add(1); }
  void leave() const noexcept { count_.fetch_sub(1); }
  [[nodiscard]] bool none() const noexcept { return count_.load() == 0; }

 private:
  mutable std::atomic<std::int64_t> count_{0};  // sequentially consistent: see Catalog::begin_write
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
  std::vector<std::int64_t> on_demand_switches_ms;  // the latest switches to on-demand mode; see capacity/change_limits.h
  Throughput throughput;
  UnitPair on_demand;
  UnitPair warm;
  std::vector<Stream> streams;  // oldest first; only the last one can be enabled
  StreamId next_stream_id = 1;
  TimeToLive ttl;
  Encryption encryption;
  std::string table_class;       // empty: standard, never set
  std::int64_t table_class_changed_ms = 0;
  bool deletion_protection = false;
  std::vector<std::pair<std::string, std::string>> tags;

  // Positions in `indexes` in the order in which the service checks an item's index keys: global ones first, by name.
  std::vector<std::uint8_t> index_check_order;
  bool builds_index = false;  // whether an index is in state `creating`

  // The change of state that is under way and when it ends; the state is a function of time, so that
  // nothing has to run for it and a restart in the middle loses nothing.
  TableStatus transition = TableStatus::active;
  std::int64_t transition_until_ms = 0;

  WriterCount writers;  // not stored
  MeterSlot meter;      // not stored

  [[nodiscard]] TableStatus status(std::int64_t now_ms) const noexcept {
    return now_ms < transition_until_ms ? transition : TableStatus::active;
  }
  // The stream that records writes; null where it is disabled.
  [[nodiscard]] const Stream* stream() const noexcept {
    return !streams.empty() && streams.back().disabled_ms == 0 ? &streams.back() : nullptr;
  }
  [[nodiscard]] bool has_local_indexes() const noexcept;
  [[nodiscard]] const Index* find_index(std::string_view index_name) const noexcept;
};

using TablePtr = std::shared_ptr<const Table>;  // shared: requests under way keep the version they began with

// Fills what is derived from the rest (Index::projected, index_check_order, builds_index). Called whenever a Table was built or read.
void finish_table(Table& table);

// The stored form of a table: an item like any other, in the system key space.
[[nodiscard]] std::string encode_table(const Table& table);
[[nodiscard]] Result<Table> decode_table(std::string_view stored);

}  // namespace stator::engine
