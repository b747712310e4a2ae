#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "capacity/model.h"
#include "engine/capacity.h"
#include "engine/table.h"

// Metering and throttling: what operations consume is charged to the capacity model (src/capacity), which may refuse.
// Operations call `admit_read`, or hold what they take in a CapacityHold (capacity_hold.h) until it is known whether the
// work was done, or charge a page row by row (page_charge.h).
namespace stator::engine {

class Catalog;

// off: nothing is metered. observe: everything is, and what enforce would have refused is counted. enforce: it is refused.
enum class CapacityMode : std::uint8_t { off, observe, enforce };

// A tag of this name on a table goes before the mode of the server: off, observe or enforce.
inline constexpr std::string_view kCapacityTag = "stator:capacity";
[[nodiscard]] std::optional<CapacityMode> find_capacity_mode(std::string_view name);

// What requests on one version of a table are charged to.
struct TableMeter {
  CapacityMode mode = CapacityMode::off;
  std::shared_ptr<capacity::TableCapacity> capacity;         // null in mode off
  std::vector<std::shared_ptr<capacity::Resource>> indexes;  // as Table::indexes; null for local ones

  [[nodiscard]] capacity::Mode model_mode() const noexcept {
    return mode == CapacityMode::enforce ? capacity::Mode::enforce : capacity::Mode::observe;
  }
  // What a table or an index draws on: a local index has no capacity of its own. Null where an index is gone.
  [[nodiscard]] capacity::Resource* resource(const Table& table, const Index* index) const noexcept {
    if (index == nullptr || index->kind == IndexKind::local) return &capacity->table();
    return indexes[static_cast<std::size_t>(index - table.indexes.data())].get();
  }
};

enum class AccessKind : std::uint8_t { get, query, scan, write };

// One use of a table or a global index: an item or a page read, a row written.
struct Access {
  const Table* table;
  const Index* index = nullptr;  // null: the table
  AccessKind kind = AccessKind::get;
  HalfUnits cost = 0;
  std::string_view row_key;  // of the item, or of the first row of a page; empty for a page without rows
};

// Told what requests do, on the thread that does it. Called by many threads at once.
class AccessListener {
 public:
  virtual ~AccessListener() = default;
  // Whether accesses are wanted; asked for every one of them.
  [[nodiscard]] virtual bool wants_accesses() const noexcept = 0;
  // The table first, then the global indexes that a write changed.
  virtual void accessed(std::span<const Access> accesses) = 0;
  // `refused` false: it was let in all the same (observe).
  virtual void throttled(const Access& access, capacity::Limit limit, bool refused) = 0;
};

class Admission {
 public:
  struct Options {
    CapacityMode mode = CapacityMode::off;
    std::int64_t speed = 1;  // how many times as fast as the clock the model's time goes, for tests
  };
  Admission(const base::Clock& clock, Options options)
      : clock_(clock), options_(options), origin_ms_(clock.now_ms()) {}

  // Before the first request; null: nobody listens.
  void set_listener(AccessListener* listener) noexcept { listener_ = listener; }
  [[nodiscard]] AccessListener* listener() const noexcept { return listener_; }
  [[nodiscard]] bool listening() const noexcept { return listener_ != nullptr && listener_->wants_accesses(); }

  // Takes no lock once a version of a table was asked for.
  [[nodiscard]] const TableMeter& meter(const Table& table) {
    const TableMeter* ready = table.meter.get();
    return ready != nullptr ? *ready : make_meter(table);
  }
  [[nodiscard]] capacity::Ticks now() noexcept { return model_.ticks(now_us()); }

  // One item was read; the error says which limit stands against it.
  [[nodiscard]] Result<void> admit_read(const Table& table, std::string_view row_key, HalfUnits cost) {
    const TableMeter& meter = this->meter(table);
    if (meter.mode == CapacityMode::off && !listening()) return {};
    return admit_metered(meter, {&table, nullptr, AccessKind::get, cost, row_key});
  }

  [[nodiscard]] CapacityMode mode(const Table& table) const;
  // What a table (`index` null) or global index can serve at once. Of one that no request has used: what its settings say.
  [[nodiscard]] capacity::Throughput warm(const Table& table, const Index* index) const;

  // How many partitions a table (`index` null) or global index begins with.
  [[nodiscard]] static int partitions_at_birth(const Table& table, const Index* index);

  // Says to the listener and in an error what the model has decided.
  void report(const capacity::Decision& decision, const Access& access);
  [[nodiscard]] static Error error_of(const capacity::Decision& decision, const Access& access);

  // Of tables that requests have used since the start.
  [[nodiscard]] std::vector<capacity::TableCapacity::Snapshot> snapshot(bool with_partitions = false) {
    return model_.snapshot(now_us(), with_partitions);
  }
  // Forgets tables that are no longer there; for now and then.
  void forget_dropped(const Catalog& catalog);

 private:
  struct Applied {
    std::int64_t revision = -1;
    std::vector<std::string> indexes;
  };

  [[nodiscard]] std::int64_t now_us() const { return (clock_.now_ms() - origin_ms_) * 1000 * options_.speed; }
  [[nodiscard]] const TableMeter& make_meter(const Table& table);
  void apply(const Table& table, capacity::TableCapacity& capacity);  // under mutex_
  [[nodiscard]] Result<void> admit_metered(const TableMeter& meter, const Access& access);

  const base::Clock& clock_;
  const Options options_;
  const std::int64_t origin_ms_;
  AccessListener* listener_ = nullptr;
  capacity::Model model_;
  std::mutex mutex_;
  std::map<TableId, Applied> applied_;  // guarded by mutex_: which version's settings the model has
};

// Where a row lies. Rows are placed by the hash that is in their keys, so a Scan goes through the partitions in order.
[[nodiscard]] capacity::Place place_of(std::string_view row_key) noexcept;
// The hash that decides over the partition. `row_key` has kHashEnd bytes at least.
[[nodiscard]] std::uint32_t row_hash(std::string_view row_key) noexcept;
// The encoded sort key of a row, and what is behind it; empty where the key has none.
[[nodiscard]] std::string_view sort_part(const KeySchema& key, std::string_view row_key) noexcept;

}  // namespace stator::engine
