#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "capacity/admission.h"
#include "capacity/resource.h"
#include "capacity/timeline.h"
#include "capacity/tuning.h"

namespace stator::capacity {

// A table and its global secondary indexes. The engine holds one beside the table's description and uses it for as
// long as the table lives; names never change.
class TableCapacity {
 public:
  TableCapacity(std::string name, const Settings& settings, const Tuning& tuning, Ticks now);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] Resource& table() noexcept { return table_; }
  // Stays valid until the index is removed; a request that is under way may still hold the shared pointer.
  [[nodiscard]] std::shared_ptr<Resource> index(std::string_view index_name) const;
  std::shared_ptr<Resource> add_index(std::string_view index_name, const Settings& settings, Ticks now);
  void remove_index(std::string_view index_name);

  struct Snapshot {
    std::string table_name;
    ResourceSnapshot table;
    std::vector<std::pair<std::string, ResourceSnapshot>> indexes;
  };
  [[nodiscard]] Snapshot snapshot(Ticks now, bool with_partitions) const;

 private:
  const std::string name_;
  const Tuning tuning_;
  Resource table_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Resource>, std::less<>> indexes_;  // guarded by mutex_
};

// All tables of one server, and their common time. May be called by many threads.
class Model {
 public:
  explicit Model(Tuning tuning = {}) : tuning_(tuning) {}

  [[nodiscard]] Ticks ticks(std::int64_t now_us) noexcept { return timeline_.at(now_us); }
  [[nodiscard]] Decision admit(std::span<const Charge> charges, Mode mode, std::int64_t now_us) noexcept {
    return capacity::admit(charges, mode, timeline_.at(now_us));
  }

  // The table of that id, made with these settings if there is none.
  std::shared_ptr<TableCapacity> open(std::uint64_t table_id, std::string_view name, const Settings& settings,
                                      std::int64_t now_us);
  [[nodiscard]] std::shared_ptr<TableCapacity> find(std::uint64_t table_id) const;
  void drop(std::uint64_t table_id);
  // In the order of table ids.
  [[nodiscard]] std::vector<TableCapacity::Snapshot> snapshot(std::int64_t now_us, bool with_partitions = false);
  // Of the table with the lowest id from `id` on, and that id; nothing where there is none.
  [[nodiscard]] std::optional<TableCapacity::Snapshot> snapshot_from(std::uint64_t& id, std::int64_t now_us);

 private:
  const Tuning tuning_;
  Timeline timeline_;
  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<TableCapacity>> tables_;  // guarded by mutex_
};

}  // namespace stator::capacity
